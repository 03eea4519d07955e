"""The child process in which exactly one engine lives, and the parent's side of it.

The parent may import :mod:`~workbench.worker.protocol` and :mod:`~workbench.worker.launcher` only; all
else runs in the child.
"""
