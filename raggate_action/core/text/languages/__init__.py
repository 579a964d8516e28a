"""What is true of one language: how sentences in it decline, refer elsewhere and lean back. One file per language.

`language_rules` says what a language consists of and finds each by the name of its file, an ISO 639-1 code. The files
import it alone; English is too long for one and has its declining forms in `en_declining`. `en_clauses` has the words
by which clauses are told apart, `en_words` those by which statements are compared.
"""
