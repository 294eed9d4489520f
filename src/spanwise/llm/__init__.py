"""Language models of any provider behind one interface: calls, replies, flows, drivers, middleware and providers."""
