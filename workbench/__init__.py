"""Inference Workbench: shows what each optimisation knob really does on this CPU."""

__version__ = "0.1.0"
