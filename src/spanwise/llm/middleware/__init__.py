"""What stands around a model: cache, recording, budget, retries and limits, each a `Model` around a `Model`."""
