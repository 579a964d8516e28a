"""One answer against the chunks it was made from."""
