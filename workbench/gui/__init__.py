"""The window. It owns no truth: widgets show what the session holds and ask it to change things.

No engine library is ever imported here; workers run engines in processes of their own.
"""
