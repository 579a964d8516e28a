"""A bare function that returns a string: from an empty folder to a verdict."""

from __future__ import annotations

from entrance import THEIRS, empty_folder, must, raggate, verdict


def main() -> None:
    with empty_folder("bare_rag") as folder:
        output = raggate(folder, "init", "--function", "rag:answer", "--python", THEIRS)
        must("RELEASE" in verdict(output), "the app's own sentences are released")
        must("pipeline: {context: none}" in (folder / "raggate.yaml").read_text(), "what it leaves unguarded is said")
        raggate(folder, "ask", "How many days after delivery can parcels be returned?")


if __name__ == "__main__":
    main()
