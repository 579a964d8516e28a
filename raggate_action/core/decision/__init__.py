"""May this ship: bars, slices, hard rules, the release report."""
