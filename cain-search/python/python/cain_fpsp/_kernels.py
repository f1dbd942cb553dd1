"""Writes what is given in Python as the text of a kernel file, which the compiler reads."""

import json
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._native import CainError

#: A weight: read exactly, as a text also ``"1/16"``.
Number = Union[int, float, str, Fraction]
#: Rows of weights from north to south.
Kernel = Union[Sequence[Sequence[Number]], "np.ndarray[Any, Any]"]
#: A kernel; or one for each input that has one; or terms as in a kernel file, such as ``{"input": "A", "kernel": ..}``.
Output = Union[Kernel, Mapping[str, Any], Sequence[Mapping[str, Any]]]


def kernel_file(
    kernels: Union[Kernel, Mapping[str, Output]],
    *,
    name: str,
    inputs: Optional[Sequence[str]],
    scale: Optional[Number],
    keep: Sequence[str],
    scratch: Optional[Sequence[str]],
    approximate: Optional[Mapping[str, Any]],
    registers: Optional[int],
    search: Mapping[str, Any],
) -> str:
    """The kernel file of one filter. The words of the file are those of the arguments."""
    if not isinstance(kernels, Mapping):
        inputs = list(inputs or ["A"])
        kernels = {inputs[0]: kernels}
    names = list(inputs or ["A"])
    filter_: Dict[str, Any] = {"inputs": names, "outputs": {}}
    for register, output in kernels.items():
        terms = _terms(output, names)
        if scale is not None:
            terms = [{"scale": scale, **term} if "scale" not in term else term for term in terms]
        filter_["outputs"][register] = terms
    for key, value in (("keep", list(keep)), ("scratch", scratch), ("approximate", approximate), ("search", search)):
        if value or (key == "scratch" and value is not None):
            filter_[key] = value
    lines = [f"[{_key(name)}]"] + [f"{key} = {_value(value)}" for key, value in filter_.items()]
    if registers is not None:
        lines += ["[machine]", f"registers = {_value(registers)}"]
    return "\n".join(lines) + "\n"


def _terms(output: Output, inputs: List[str]) -> List[Dict[str, Any]]:
    if isinstance(output, Mapping):
        if "kernel" in output:
            return [dict(output)]
        return [{"input": register, "kernel": kernel} for register, kernel in output.items()]
    rows = list(output)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return [dict(row) for row in rows]
    return [{"kernel": rows} if len(inputs) == 1 else {"input": inputs[0], "kernel": rows}]


def _value(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # The escapes of JSON are those of TOML.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Rational):
        return f'"{value.numerator}/{value.denominator}"'
    if isinstance(value, float):
        if not np.isfinite(value):
            raise CainError(f"{value} is not a number; give another weight")
        # Without an exponent, whose sign a kernel file does not need.
        return np.format_float_positional(value, trim="0")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise CainError(f"expected numbers, texts, lists and dictionaries, not {type(value).__name__}")


def _key(key: Any) -> str:
    return json.dumps(str(key), ensure_ascii=False)
