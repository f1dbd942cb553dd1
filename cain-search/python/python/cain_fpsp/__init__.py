"""Programs for SCAMP-5, a vision sensor that computes in its pixels: found, proved, simulated and evaluated.

>>> import cain_fpsp as cain
>>> gauss = cain.compile([[1, 2, 1], [2, 4, 2], [1, 2, 1]], scale="1/16")
>>> gauss.words
7
"""

from ._api import Imported, compile, evaluate, import_onnx, load, loads, verify
from ._native import CainError
from ._networks import Evaluation, Network, Traced
from ._programs import Accuracy, Errors, Other, Program

__all__ = [
    "Accuracy",
    "CainError",
    "Errors",
    "Evaluation",
    "Imported",
    "Network",
    "Other",
    "Program",
    "Traced",
    "compile",
    "evaluate",
    "import_onnx",
    "load",
    "loads",
    "verify",
]
__version__ = "0.1.0"
