"""One file per engine, the only places that import its library. Loaded in workers alone.

:data:`MODULES` is how the rest of the house names them without importing them.
"""

MODULES = {
    "torch": "workbench.engines.torch",
    "ipex": "workbench.engines.ipex",
    "onnxruntime": "workbench.engines.onnxruntime",
}
