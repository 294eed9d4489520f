"""The MCP server: tools and resources for agents, over `spanwise.serving`."""
