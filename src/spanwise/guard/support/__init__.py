"""How well a claim is supported: its evidence and differences, its features, and the model that weighs them."""
