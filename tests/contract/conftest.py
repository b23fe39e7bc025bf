"""The toy is read by processes of its own: imported here, it would join every registry."""

collect_ignore = ["toy"]
