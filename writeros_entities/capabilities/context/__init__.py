"""The context family: what to put into a prompt, within a token budget."""
