"""Resources of the API."""
