"""What was compiled."""

import copy
import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays
from ._native import CainError, Compiled

#: Is called now and then as long work goes on, with what is done and, as far as that is known, what there is to do (or, for
#: searches, the length of the best program so far). An exception in it ends the work.
Progress = Optional[Callable[[int, Optional[int]], object]]
#: Planes of numbers: one picture, or several along the first axis.
Floats = NDArray[np.float32]


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


Self = TypeVar("Self", bound="Declared")


class Declared:
    """What was declared, with its program."""

    def __init__(self, native: Compiled) -> None:
        self._native = native
        self._record: Dict[str, Any] = json.loads(native.record)
        #: The kernel file that declares it, if it was given as a text.
        self._text: Optional[str] = None

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
        return copy.deepcopy(self._record)

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
        gain, offset, fixed_gain, fixed_offset, readout_noise = self._native.source.errors(_arrays.text("model", model))
        one, two, three = offset
        return Errors(gain, (one, two, three), fixed_gain, fixed_offset, readout_noise)

    def __copy__(self: Self) -> Self:
        """Itself, which never changes."""
        return self

    def __deepcopy__(self: Self, memo: object) -> Self:
        """Itself, which never changes."""
        return self

    def __reduce__(self) -> Any:
        what = "pickle the path or the text that declares it, and compile that again"
        raise TypeError(f"cannot pickle the {self.kind} `{self.name}`; {what}")

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}: {self.words} control words>"


class Other(Declared):
    """A program of another kind: a digital filter, a filter over super-pixels, an automaton, a network in the pixels or a
    whole program."""


class Program(Declared):
    """A filter on analogue registers, proved to compute its kernels for every image."""

    def __reduce__(self) -> Any:
        """The text that declares it and its listing, which is proved again where it arrives."""
        if self._text is None:
            return super().__reduce__()
        from ._sources import proved_again

        return proved_again, (self._text, self.name, self.listing, self._record)

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
        without a copy, and must not be changed meanwhile. Values beyond -128 to 127 DN, which no register of a chip holds, are
        a :class:`UserWarning`.
        """
        return self._simulated(images, model, seed, read_out, progress)

    def _simulated(
        self,
        images: Union[ArrayLike, Mapping[str, ArrayLike]],
        model: str,
        seed: int,
        read_out: bool,
        progress: Progress,
    ) -> Union[Floats, Dict[str, Floats]]:
        given = images if isinstance(images, Mapping) else {self.inputs[0]: images}
        if sorted(given) != sorted(self.inputs):
            wanted = ", ".join(f"`{register}`" for register in self.inputs)
            found = ", ".join(f"`{register}`" for register in given)
            raise CainError(f"`{self.name}` reads {wanted}, but there are images for {found}; give a dictionary with an array for each")
        arrays = []
        for register in self.inputs:
            arrays.append(_arrays.images(given[register], stacklevel=3))
        shape = arrays[0].shape
        if any(array.shape != shape for array in arrays):
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise CainError(f"the images have the shapes {shapes}; expected the same for all")
        planes = [_arrays.planes(array, np.float32) for array in arrays]
        outputs = self._native.simulate(planes, _arrays.text("model", model), _arrays.seed(seed), bool(read_out), progress)
        shaped = [output.reshape(shape) for output in outputs]
        return shaped[0] if len(shaped) == 1 else dict(zip(self.outputs, shaped))

    def __call__(self, images: Union[ArrayLike, Mapping[str, ArrayLike]]) -> Union[Floats, Dict[str, Floats]]:
        """The outputs on an array without errors; see :meth:`simulate`."""
        return self._simulated(images, "ideal", 0, False, None)
