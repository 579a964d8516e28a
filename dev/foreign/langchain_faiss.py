"""LangChain with a FAISS index: from an empty folder to a verdict, then with the index as evidence."""

from __future__ import annotations

from entrance import THEIRS, empty_folder, must, raggate, shown, verdict


def main() -> None:
    with empty_folder("langchain_rag") as folder:
        shown([THEIRS, "rag.py", "docs"], folder, words="python rag.py docs")
        output = raggate(folder, "init", "--function", "rag:answer", "--python", THEIRS, "--evidence", "faiss")
        must("RELEASE" in verdict(output), "sentences of its own documents are released")
        shown([THEIRS, "gate/export_evidence.py"], folder, words="python gate/export_evidence.py")
        suite = folder / "raggate.yaml"
        suite.write_text(suite.read_text().replace("# evidence:", "evidence:"))
        output = raggate(folder, "run")
        must("RELEASE" in verdict(output), "the exported chunks are those that the app reports")
        raggate(folder, "ask", "How long is the warranty of headphones?")


if __name__ == "__main__":
    main()
