"""What is given as arrays and numbers, as the compiled part of the package takes it."""

import operator
import warnings
from typing import Any, Iterable, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import CainError

#: The least and the largest value that a register holds, in DN.
REGISTER = (-128.0, 127.0)
#: The largest whole number of 64 bits.
_MOST = 2**64 - 1


def numbers(given: Any, what: str) -> NDArray[Any]:
    """An array of whole or real numbers."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise CainError(f"{what}: some values are masked; give them values first, for example with `filled(0)`")
    try:
        array = np.asarray(given)
    except (TypeError, ValueError, RuntimeError) as error:
        raise CainError(f"{what}: expected an array of numbers: {error}") from error
    if array.dtype.kind not in "biuf":
        raise CainError(f"{what}: an array of `{array.dtype}`; expected whole or real numbers")
    return array


def planes(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Pictures along the first axis, in C order; without a copy where that is possible."""
    if array.ndim not in (2, 3):
        raise CainError(f"an array of the shape {array.shape}; expected rows and columns, or pictures, rows and columns")
    pictures = array[np.newaxis] if array.ndim == 2 else array
    if 0 in pictures.shape[1:]:
        raise CainError(f"an array of the shape {array.shape} has no pixels")
    return np.require(pictures, dtype, ["C", "A"])


def images(given: Any, stacklevel: int) -> NDArray[Any]:
    """Images in DN; a warning tells if registers do not hold them."""
    array = numbers(given, "images")
    least, largest = REGISTER
    if array.size and not (array.min() >= least and array.max() <= largest):
        warnings.warn(
            f"images from {array.min():g} to {array.max():g} DN, but a register of the chip holds {least:g} to {largest:g} DN; scale them",
            stacklevel=stacklevel + 1,
        )
    return array


def pictures(given: ArrayLike, name: str, size: Tuple[int, int], stacklevel: int) -> NDArray[np.uint8]:
    """Pictures with grey values for a network of this name."""
    array = numbers(given, "pictures")
    rows, columns = size
    if array.ndim not in (2, 3) or array.shape[-2:] != size:
        raise CainError(f"pictures of the shape {array.shape}; `{name}` looks at {rows}×{columns} pixels, one picture or several")
    return greys(array, stacklevel + 1)


def greys(array: NDArray[Any], stacklevel: int) -> NDArray[np.uint8]:
    """Pictures with grey values."""
    if array.dtype.kind == "b":
        raise CainError("pictures of `True` and `False`; expected grey values from 0 to 255, such as `numpy.where(pictures, 255, 0)`")
    if array.dtype != np.uint8 and array.size:
        if not (array.min() >= 0 and array.max() <= 255) or not np.array_equal(array, np.round(array)):
            raise CainError("pictures must have whole grey values from 0 to 255; scale and round them first")
    if array.size and array.max() == 1:
        warnings.warn(
            "the brightest grey value of the pictures is 1, which is nearly black: grey values are from 0 to 255", stacklevel=stacklevel + 1
        )
    found: NDArray[np.uint8] = planes(array, np.uint8)
    return found


def labels(given: ArrayLike, count: int, classes: int) -> NDArray[np.int64]:
    """A class for each of so many pictures."""
    array = numbers(given, "labels")
    if array.shape != (count,):
        found = f"{array.size} labels" if array.ndim == 1 else f"labels of the shape {array.shape}"
        raise CainError(f"{found} for {count} pictures; expected one for each, the number of its class")
    whole = array.astype(np.int64) if np.all(np.isfinite(array)) else None
    if whole is None or not np.array_equal(whole, array):
        raise CainError(f"labels of `{array.dtype}` that are no whole numbers; expected the number of a class for each picture")
    if count and not (whole.min() >= 0 and whole.max() < classes):
        raise CainError(f"labels from {whole.min()} to {whole.max()}; the network tells {classes} classes, which are numbered from 0")
    return whole


def labelled(given: Any, stacklevel: int) -> Tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Pictures, and the class of each, which is a byte."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise CainError(
            f"`data` is of the type `{type(given).__name__}`; expected a folder, or pictures and labels: `data=(pictures, labels)`"
        )
    pictures = numbers(given[0], "pictures")
    if pictures.ndim != 3 or not pictures.size:
        raise CainError(f"pictures of the shape {pictures.shape}; expected some: pictures, rows and columns")
    return greys(pictures, stacklevel + 1), labels(given[1], len(pictures), 256).astype(np.uint8)


def write_idx(path: str, array: NDArray[np.uint8]) -> None:
    """Writes bytes as the files of MNIST are: a code for the type and the number of axes, the sizes, and then the bytes."""
    with open(path, "wb") as file:
        file.write(bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes())


def seed(given: Any) -> int:
    """The number of a die."""
    return _whole("seed", given, 0)


def nodes(given: Any) -> Optional[int]:
    """The budget of a search, if there is one."""
    return None if given is None else _whole("nodes", given, 1)


def text(what: str, given: Any) -> str:
    """A text, such as the name of an error model."""
    if not isinstance(given, str):
        raise CainError(f"`{what}` is of the type `{type(given).__name__}`; expected a text")
    return given


def texts(what: str, given: Optional[Iterable[str]]) -> Optional[List[str]]:
    """Several texts, not the letters of one."""
    if isinstance(given, str):
        raise CainError(f"`{what}` is the text {given!r}; expected a list: [{given!r}]")
    try:
        return None if given is None else list(given)
    except TypeError:
        raise CainError(f"`{what}` is of the type `{type(given).__name__}`; expected a list of texts") from None


def _whole(what: str, given: Any, least: int) -> int:
    expected = f"expected a whole number from {least} to 2^64 - 1"
    try:
        number = operator.index(given)
    except TypeError:
        raise CainError(f"`{what}` is {given!r}; {expected}") from None
    if not least <= number <= _MOST:
        raise CainError(f"`{what}` is {number}; {expected}")
    return number
