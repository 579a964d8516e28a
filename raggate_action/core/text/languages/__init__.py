"""What is true of one language: how sentences in it decline, refer elsewhere and lean back. One file per language.

`rules` says what a language consists of and finds one by its code; the others import `rules` alone.
"""
