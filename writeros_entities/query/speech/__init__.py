"""Attribution of the speeches in a scene to speakers."""
