"""Any language model behind one port: calls, replies, flows, the drivers that run them, middleware and providers."""
