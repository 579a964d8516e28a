"""What is true of one language: how sentences in it decline, refer elsewhere and lean back. One YAML file per language.

`language_rules` says what a language consists of and reads its file; `word_tables` reads its closed words as English
ones. `en_clauses` has the words by which clauses are told apart, `en_words` those by which statements are compared.
"""
