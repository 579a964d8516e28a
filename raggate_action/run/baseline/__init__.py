"""What a baseline lends a run: its demands, its rows once more, its answers judged again."""
