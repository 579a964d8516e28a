"""Every record, frozen and closed. The nouns of the product; nothing here decides anything."""
