"""Writes what is given in Python as the text of a kernel file, which the compiler reads."""

import json
from fractions import Fraction
from functools import reduce
from math import gcd
from numbers import Integral, Rational
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._native import CainError

#: A weight: read exactly, as a text also ``"1/16"``.
Number = Union[int, float, str, Fraction]
#: Rows of weights from north to south.
Kernel = Union[Sequence[Sequence[Number]], "np.ndarray[Any, Any]"]
#: A kernel; or one for each input that has one; or terms as in a kernel file, such as ``{"input": "A", "kernel": ..}``.
Output = Union[Kernel, Mapping[str, Any], Sequence[Mapping[str, Any]]]


#: The largest denominator of a fraction that a float is taken for.
_MOST_DENOMINATOR = 1000


def kernel_file(
    kernels: Union[Kernel, Mapping[str, Output]],
    *,
    name: str,
    inputs: Optional[Sequence[str]],
    scale: Optional[Number],
    origin: Optional[Sequence[int]],
    keep: Optional[Sequence[str]],
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
            terms = [{**term, "scale": _product(scale, term["scale"]) if "scale" in term else scale} for term in terms]
        if origin is not None:
            terms = [{"origin": origin, **term} for term in terms]
        filter_["outputs"][register] = terms
    search = {key: _range(value) if key == "input" else value for key, value in search.items()}
    for key, value in (("keep", list(keep or ())), ("scratch", scratch), ("approximate", approximate), ("search", search)):
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
    output = _plain(output)
    if isinstance(output, str) or not isinstance(output, Iterable) or getattr(output, "ndim", 1) == 0:
        raise CainError(f"a kernel of the type `{type(output).__name__}`; expected rows of weights, such as `[[1, 2, 1]]`")
    if isinstance(output, np.ndarray) and output.ndim > 2:
        raise CainError(f"a kernel of the shape {output.shape}; expected rows and columns, such as `weight[0, 0]` of a `Conv2d`")
    rows = list(output)
    if rows and all(isinstance(row, Mapping) for row in rows):
        return [dict(row) for row in rows]
    return [{"kernel": rows} if len(inputs) == 1 else {"input": inputs[0], "kernel": rows}]


def _plain(value: Any) -> Any:
    """An array of another package, such as a tensor of PyTorch, as one of NumPy."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise CainError("some weights are masked; give them values first, for example with `filled(0)`")
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    return np.asarray(value) if hasattr(value, "__array__") and not isinstance(value, (np.ndarray, np.generic)) else value


def _product(one: Number, other: Number) -> Fraction:
    """The product of two scales."""
    product = Fraction(1)
    for factor in (one, other):
        try:
            product *= Fraction(_value(factor).strip('"'))
        except (ValueError, ZeroDivisionError):
            raise CainError(f"{factor!r} is no scale; expected a number, a fraction or a text such as '1/16'") from None
    return product


def _range(value: Any) -> Any:
    """Two numbers as in a kernel file."""
    if isinstance(value, (tuple, list, np.ndarray)) and len(value) == 2:
        whole = [int(end) if isinstance(end, (float, np.floating)) and end == np.trunc(end) else end for end in value]
        return "..".join(map(_value, whole))
    return value


def _value(value: Any) -> str:
    """A value in TOML."""
    value = _plain(value)
    if isinstance(value, np.ndarray):
        # The numbers keep their type, and so the shortest text that tells it.
        value = list(value) if value.ndim else value[()]
    if isinstance(value, np.floating):
        return _float(value)
    if isinstance(value, np.generic):
        value = value.item()
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
        return _float(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise CainError(f"expected numbers, texts, lists and dictionaries, not {type(value).__name__}")


def _float(value: Any) -> str:
    if not np.isfinite(value):
        raise CainError(f"{value} is not a number; give another weight")
    # Without an exponent, whose sign a kernel file does not need.
    return np.format_float_positional(value, trim="0")


def fractions_meant(kernels: Any) -> str:
    """What to write for floats that are the nearest ones to fractions; nothing if there are others."""
    meant = set()
    for number in _floats(kernels):
        fraction = Fraction(number).limit_denominator(_MOST_DENOMINATOR)
        if float(fraction) != number:
            return ""
        meant.add(fraction)
    common = reduce(lambda one, other: one * other // gcd(one, other), (fraction.denominator for fraction in meant), 1)
    first = next((fraction for fraction in sorted(meant) if Fraction(_float(float(fraction))) != fraction), None)
    if first is None or common > _MOST_DENOMINATOR:
        return ""
    return f"; {_float(float(first))} is the float that is nearest to {first}: write whole weights and `scale=\"1/{common}\"`"


def _floats(value: Any) -> Iterator[float]:
    """All floats of 64 bits in a kernel, or in several."""
    value = _plain(value)
    if isinstance(value, np.ndarray):
        value = value.tolist() if value.dtype == np.float64 else []
    if isinstance(value, float):
        yield value
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _floats(inner)


def _key(key: Any) -> str:
    return json.dumps(str(key), ensure_ascii=False)
