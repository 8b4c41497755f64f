"""`python -m bucketplan_tui`: the app."""

from bucketplan_tui.main import main

main()
