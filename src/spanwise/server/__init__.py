"""The HTTP API and the web page, over `spanwise.serving`."""
