"""What this machine is: processor, limits, engines, and how quiet it was during a measurement.

The command line prints it, the window's status bar shows it, every trial stores it, and the defaults
for threads, affinity and target ISA come from it. Nothing in this room loads a numerical library, so
that asking about the machine never changes what is about to be measured. Submodules are imported
by name (``from workbench.host import topology``); importing the room itself loads none of them.
"""
