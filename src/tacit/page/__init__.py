"""The local page of ``tacit serve``: plan, release, verify and learn in a browser.

It listens on this machine only, loads nothing from elsewhere, and holds no mathematics: every
number comes from the planner, the report, the checks or the dimensions.
"""
