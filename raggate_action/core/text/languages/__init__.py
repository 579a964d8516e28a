"""What is true of one language: how sentences in it decline, refer elsewhere and lean back. One file per language.

`rules` says what a language consists of and finds each by the name of its file, an ISO 639-1 code. The files import
`rules` alone; English is too long for one and has its declining forms in `english_declining`. `english_clauses` has the
words by which clauses are told apart, which is done in English only.
"""
