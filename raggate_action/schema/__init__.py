"""Every record, frozen and closed: the nouns of the product, and the content of every file that is read or written.

Imports nothing else of the package; nothing here decides anything.
"""
