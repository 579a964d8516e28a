"""What is true of one language: how sentences in it decline, refer elsewhere and lean back. One file per language."""
