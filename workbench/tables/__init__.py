"""Records drawn as tables for people. Nothing here computes; it only words and aligns.

One module per kind of record, so that a verb loads no more than it shows.
"""
