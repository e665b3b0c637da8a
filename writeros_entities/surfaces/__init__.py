"""The command line, the MCP server and agent prompts, all derived from the capabilities."""
