"""What was compiled."""

import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import CainError, Compiled, Source

#: Is called now and then as long work goes on, with what is done and, as far as that is known, what there is to do (or, for
#: searches, the length of the best program so far). An exception in it ends the work.
Progress = Optional[Callable[[int, Optional[int]], object]]
#: Planes of numbers: one picture, or several along the first axis.
Floats = NDArray[np.float32]

#: What is told of a search; a program that was only verified has none of it.
_OF_SEARCHES = ("nodes", "ms", "ms_to_best", "ms_to_first", "stop", "lower_bound")


@dataclass(frozen=True)
class Accuracy:
    """The error of an output that is predicted for a natural image, in DN, and its independent causes."""

    rms: float
    bias: float
    gain: float
    distortion: float
    fixed_pattern: float
    noise: float


@dataclass(frozen=True)
class Errors:
    """The constants of an error model."""

    #: What arrives when 1 DN is transferred.
    gain: float
    #: What a transfer adds, in DN, for one, two and three destinations.
    offset: Tuple[float, float, float]
    #: The standard deviation of the gain over PEs and cells.
    fixed_gain: float
    #: The standard deviation of the offset over PEs and cells, in DN.
    fixed_offset: float
    #: The standard deviation of the noise of a read-out, in DN.
    readout_noise: float


class _Compiled:
    def __init__(self, native: Compiled) -> None:
        self._native = native
        self._record: Dict[str, Any] = json.loads(native.record)

    @property
    def name(self) -> str:
        """The name of the declaration."""
        return self._native.source.name

    @property
    def kind(self) -> str:
        """What was declared, such as ``"filter"`` or ``"network"``."""
        return self._native.source.kind

    @property
    def words(self) -> int:
        """The number of control words of a call."""
        return int(self._record["words"])

    @property
    def microseconds(self) -> float:
        """The time of the control words on the chip."""
        return float(self._record["us"])

    @property
    def listing(self) -> str:
        """The program in the vendor's C spelling."""
        return self._native.listing

    @property
    def report(self) -> Dict[str, Any]:
        """The object that ``cain compile --json`` prints; ``docs/command.md`` describes its keys."""
        return dict(self._record)

    @property
    def remarks(self) -> List[str]:
        """Remarks about the search."""
        return list(self._native.remarks)

    @property
    def proved(self) -> bool:
        """Whether the listing, read back as it is printed, is the program that was proved. What was not proved is never
        returned."""
        return bool(self._record["verified"])

    def errors(self, model: str = "measured") -> Errors:
        """The constants of an error model; ``"measured"`` are those of the machine in the kernel file, if it has some."""
        gain, offset, fixed_gain, fixed_offset, readout_noise = self._native.source.errors(model)
        one, two, three = offset
        return Errors(gain, (one, two, three), fixed_gain, fixed_offset, readout_noise)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}: {self.words} control words>"


class Other(_Compiled):
    """A program of another kind: a digital filter, a filter over super-pixels, an automaton, a network in the pixels or a
    whole program."""


class Program(_Compiled):
    """A filter on analogue registers, proved to compute its kernels for every image."""

    @property
    def inputs(self) -> List[str]:
        """The registers of the inputs."""
        return self._native.registers[0]

    @property
    def outputs(self) -> List[str]:
        """The registers of the outputs."""
        return self._native.registers[1]

    @property
    def accuracy(self) -> Dict[str, Accuracy]:
        """The predicted error of each output on the chip."""
        return {register: Accuracy(**parts) for register, parts in self._record["accuracy"].items()}

    @property
    def peak_gain(self) -> str:
        """The largest gain of an intermediate value, as a fraction: above 1 the brightest images saturate."""
        return str(self._record["peak_gain"])

    def simulate(
        self,
        images: Union[ArrayLike, Mapping[str, ArrayLike]],
        model: str = "measured",
        seed: int = 0,
        read_out: bool = False,
        progress: Progress = None,
    ) -> Union[Floats, Dict[str, Floats]]:
        """The outputs for one or several images in DN, on a simulated array of their size.

        ``images`` is an array of rows and columns, or of images, rows and columns; of a filter with several inputs, a
        dictionary with an array for each register. ``model`` is an error model, such as ``"ideal"`` or ``"measured"``;
        each ``seed`` stands for another die, which sees all images one after the other. With ``read_out`` the values are
        those that the converter delivers, with its noise. At the border values depend on what is outside, which is 0 DN.

        Returns an array for each output; of a filter with one output, that array. Arrays of 32-bit floats are read
        without a copy, and must not be changed meanwhile.
        """
        given = images if isinstance(images, Mapping) else {self.inputs[0]: images}
        if sorted(given) != sorted(self.inputs):
            wanted = ", ".join(f"`{register}`" for register in self.inputs)
            found = ", ".join(f"`{register}`" for register in given)
            raise CainError(f"`{self.name}` reads {wanted}, but there are images for {found}; give a dictionary with an array for each")
        arrays = [np.asarray(given[register]) for register in self.inputs]
        shape = arrays[0].shape
        if any(array.shape != shape for array in arrays):
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise CainError(f"the images have the shapes {shapes}; expected the same for all")
        planes = [_planes(array, np.float32) for array in arrays]
        outputs = self._native.simulate(planes, model, seed, read_out, progress)
        shaped = [output.reshape(shape) for output in outputs]
        return shaped[0] if len(shaped) == 1 else dict(zip(self.outputs, shaped))

    def __call__(self, images: Union[ArrayLike, Mapping[str, ArrayLike]]) -> Union[Floats, Dict[str, Floats]]:
        """The outputs on an array without errors; see :meth:`simulate`."""
        return self.simulate(images, model="ideal")


@dataclass(frozen=True)
class Evaluation:
    """How a network recognised pictures."""

    #: The class of each picture, as the chip and its controller found it.
    classes: NDArray[np.uintp]
    #: The class that the network of the kernel file has in floating point.
    float_classes: NDArray[np.uintp]
    #: Whether all numbers that were read out equal those in floating point.
    exact: NDArray[np.bool_]
    #: The labels, if there were some.
    labels: Optional[NDArray[Any]] = None

    @property
    def correct(self) -> int:
        """How many classes are those of the labels."""
        if self.labels is None:
            raise CainError("there are no labels; give them to `evaluate`")
        return int(np.count_nonzero(self.classes == self.labels))

    @property
    def accuracy(self) -> float:
        """The share of classes that are those of the labels."""
        return self.correct / max(1, len(self.classes))

    @property
    def agreement(self) -> float:
        """The share of classes that are those in floating point."""
        return float(np.mean(self.classes == self.float_classes)) if len(self.classes) else 1.0


@dataclass(frozen=True)
class Traced:
    """The values of a layer in numbers of the network: pictures, channels, rows and columns, or pictures and numbers."""

    #: In floating point.
    float: NDArray[np.float64]
    #: On an array without errors; ``None`` if the layer is part of others there.
    ideal: Optional[NDArray[np.float64]]
    #: On an array with errors.
    chip: Optional[NDArray[np.float64]]

    @property
    def errors(self) -> Optional[NDArray[np.float64]]:
        """How far values on the chip are from those in floating point."""
        return None if self.chip is None else self.chip - self.float


class Network(_Compiled):
    """A network whose sums, exact layers and other steps were proved one by one."""

    @property
    def size(self) -> Tuple[int, int]:
        """The rows and columns of the picture."""
        return self._native.size

    def evaluate(
        self,
        images: ArrayLike,
        labels: Optional[ArrayLike] = None,
        model: str = "measured",
        seed: int = 0,
        progress: Progress = None,
    ) -> Evaluation:
        """The classes of pictures on a simulated array, as ``cain eval`` finds them.

        ``images`` has grey values from 0 to 255: pictures, rows and columns, or a single picture. ``progress`` is told
        how many pictures are done, and how many there are. Arrays of bytes are read without a copy, and must not be
        changed meanwhile.
        """
        pictures = self._pictures(images)
        truth = None if labels is None else np.asarray(labels)
        if truth is not None and truth.shape != (len(pictures),):
            raise CainError(f"{truth.size} labels for {len(pictures)} pictures; expected one for each")
        classes, float_classes, exact = self._native.evaluate(pictures, model, seed, progress)
        return Evaluation(classes, float_classes, exact, truth)

    def heads(
        self, images: ArrayLike, model: str = "measured", seed: int = 0, progress: Progress = None
    ) -> Dict[str, Floats]:
        """The numbers of each head for pictures, such as scores: an array with a row for each picture."""
        return dict(self._native.heads(self._pictures(images), model, seed, progress))

    def trace(
        self, images: ArrayLike, model: str = "measured", seed: int = 0, progress: Progress = None
    ) -> Dict[str, Traced]:
        """The values of every layer for pictures. What registers hold is told in numbers of the network."""
        layers = self._native.trace(self._pictures(images), model, seed, progress)
        return {name: Traced(*values) for name, *values in layers}

    def __call__(self, images: ArrayLike) -> Dict[str, Floats]:
        """The numbers of each head on an array without errors; see :meth:`heads`."""
        return self.heads(images, model="ideal")

    def _pictures(self, images: ArrayLike) -> NDArray[np.uint8]:
        array = np.asarray(images)
        rows, columns = self.size
        if array.ndim not in (2, 3) or array.shape[-2:] != (rows, columns):
            raise CainError(f"pictures of the shape {array.shape}; `{self.name}` looks at {rows}×{columns} pixels, one picture or several")
        if array.dtype != np.uint8:
            if array.size and (array.min() < 0 or array.max() > 255 or not np.array_equal(array, np.round(array))):
                raise CainError("pictures must have whole grey values from 0 to 255; scale and round them first")
        return _planes(array, np.uint8)


def _planes(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Pictures along the first axis, in C order; without a copy where that is possible."""
    if array.ndim not in (2, 3):
        raise CainError(f"an array of the shape {array.shape}; expected rows and columns, or pictures, rows and columns")
    planes = array[np.newaxis] if array.ndim == 2 else array
    if 0 in planes.shape[1:]:
        raise CainError(f"an array of the shape {array.shape} has no pixels")
    return np.ascontiguousarray(planes, dtype=dtype)


def wrapped(native: Compiled) -> Union[Program, Network, Other]:
    """The class for the kind of declaration."""
    kinds: Dict[str, Any] = {"filter": Program, "network": Network}
    try:
        native.registers
    except CainError:
        kinds.pop("filter")
    found: Union[Program, Network, Other] = kinds.get(native.source.kind, Other)(native)
    return found


def verified(native: Compiled) -> Program:
    """A program without a search."""
    program = Program(native)
    for key in _OF_SEARCHES:
        program._record.pop(key, None)
    return program


def sources_by_name(sources: Sequence[Source], names: Optional[Sequence[str]]) -> List[Source]:
    """The declarations of these names, or all."""
    if names is None:
        return list(sources)
    known = {source.name: source for source in sources}
    missing = [name for name in names if name not in known]
    if missing:
        there = ", ".join(f"`{name}`" for name in known)
        raise CainError(f"there is nothing named `{missing[0]}`; there are {there}")
    return [known[name] for name in names]
