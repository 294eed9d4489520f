"""The way of a question through the rooms, and the services that need several of them."""
