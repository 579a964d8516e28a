"""LlamaIndex, whose query engine's response is returned as it is: from an empty folder to a verdict."""

from __future__ import annotations

from entrance import THEIRS, empty_folder, must, raggate, verdict


def main() -> None:
    with empty_folder("llamaindex_rag") as folder:
        output = raggate(folder, "init", "--function", "rag:answer", "--python", THEIRS)
        must("RELEASE" in verdict(output), "sentences of its own documents are released")
        raggate(folder, "ask", "What does express delivery cost?")


if __name__ == "__main__":
    main()
