"""The app under test, behind each of its ways of being asked."""
