"""What a run leaves behind: its progress, its logs, and the journal of the plans tried."""
