"""From a config to a stored trial, and from many trials to an answer."""
