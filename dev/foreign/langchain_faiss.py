"""LangChain with a FAISS index: from an empty folder to a verdict, then with the index as evidence."""

from __future__ import annotations

import re

from entrance import ROOT, THEIRS, empty_folder, must, raggate, shown, verdict


def for_faiss(script: str) -> str:
    """The script for Qdrant as the page on exporting chunks tells to change it for FAISS."""
    page = (ROOT / "docs/export-evidence.md").read_text()
    (shown_there,) = [code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "FAISS" in code]
    imports, chunks = shown_there.split("\n\n\n")
    script = script.replace("from qdrant_client import QdrantClient", imports)
    return re.sub(
        r"^def chunks\(\):\n.*?(?=\n\n\n)", lambda _found: chunks.strip(), script, flags=re.DOTALL | re.MULTILINE
    )


def main() -> None:
    with empty_folder("langchain_rag") as folder:
        shown([THEIRS, "rag.py", "docs"], folder, words="python rag.py docs")
        output = raggate(folder, "init", "--function", "rag:answer", "--python", THEIRS, "--evidence", "qdrant")
        must("RELEASE" in verdict(output), "sentences of its own documents are released")
        script = folder / "gate/export_evidence.py"
        script.write_text(for_faiss(script.read_text()))
        shown([THEIRS, "gate/export_evidence.py"], folder, words="python gate/export_evidence.py")
        suite = folder / "raggate.yaml"
        suite.write_text(suite.read_text().replace("# evidence:", "evidence:"))
        output = raggate(folder, "run")
        must("RELEASE" in verdict(output), "the exported chunks are those that the app reports")
        raggate(folder, "ask", "How long is the warranty of headphones?")


if __name__ == "__main__":
    main()
