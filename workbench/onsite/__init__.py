"""What runs on the target: a bundle carries these files along, with the few of the workbench that they need.

Nothing but the standard library, numpy, OpenCV and the one engine is needed, and no engine is imported before the
process is as the manifest wants it.
"""
