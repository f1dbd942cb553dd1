"""The functions of the package."""

import os
import tempfile
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from numpy.typing import ArrayLike

from . import _arrays, _native
from ._kernels import Kernel, Number, Output, fractions_meant, kernel_file
from ._native import CainError
from ._networks import Evaluation, Network
from ._options import arguments, in_python
from ._programs import Other, Program, Progress
from ._sources import compiled, parsed, verified, warned, wrapped

Path = Union[str, "os.PathLike[str]"]


def compile(
    kernels: Union[Kernel, Mapping[str, Output]],
    *,
    name: str = "kernel",
    inputs: Optional[Sequence[str]] = None,
    scale: Optional[Number] = None,
    origin: Optional[Sequence[int]] = None,
    keep: Optional[Sequence[str]] = (),
    scratch: Optional[Sequence[str]] = None,
    approximate: Optional[Mapping[str, Any]] = None,
    registers: Optional[int] = None,
    nodes: Optional[int] = None,
    isa: Optional[str] = None,
    objective: Optional[str] = None,
    progress: Progress = None,
    **search: Any,
) -> Program:
    """Searches for a short program that computes kernels, and proves it.

    ``kernels`` is a matrix, computed in place; or a dictionary with the kernel of each output register, which may itself be
    a dictionary with a kernel for each input. Rows are from north to south, and the centre lies over the PE itself, or the
    weight whose row and column are the ``origin``. ``scale`` multiplies all weights. Weights are exact: numbers, fractions, or
    texts such as ``"1/16"``; of a float, the shortest decimal fraction that is read as this float.

    The other arguments are those of a kernel file: ``inputs`` (by default ``["A"]``), ``keep``, ``scratch``,
    ``approximate={"depth": 4, "error": 0.1}``, ``registers`` of the machine, and the options of the search: ``nodes``
    (its budget), ``isa`` (``"native"``, ``"macro"`` or ``"basic"``), ``objective`` (``"macros"``, ``"icws"`` or
    ``"accuracy"``), ``patience``, ``memory``, ``offset``, ``input=(-60, 60)``, ``max_gain``, ``accuracy`` and ``max_words``.
    What is allowed but hardly meant, such as a gain with which bright images saturate, is a :class:`UserWarning`.

    ``progress(nodes, best)`` is told the nodes that are used and the length of the best program so far. Ctrl-C ends the
    search with :class:`KeyboardInterrupt`.

    >>> import cain_fpsp
    >>> sobel = cain_fpsp.compile({"B": [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]}, scale="1/8", keep=["A"])
    >>> sobel.proved
    True
    """
    options = {"nodes": nodes, "isa": isa, "objective": objective, **search}
    text = _text(kernels, name, inputs, scale, origin, keep, scratch, approximate, registers, options)
    source = _declared(text, kernels)
    program = wrapped(source.compile(None, False, progress))
    if not isinstance(program, Program):
        raise CainError(f"`{program.name}` is a {program.kind}; write it in a kernel file, and use `loads`")
    program._text = text
    return program


def verify(
    listing: str,
    kernels: Union[Kernel, Mapping[str, Output]],
    *,
    name: str = "kernel",
    inputs: Optional[Sequence[str]] = None,
    scale: Optional[Number] = None,
    origin: Optional[Sequence[int]] = None,
    keep: Optional[Sequence[str]] = (),
    scratch: Optional[Sequence[str]] = None,
    approximate: Optional[Mapping[str, Any]] = None,
    registers: Optional[int] = None,
    **search: Any,
) -> Program:
    """Proves that a program in the vendor's C spelling computes kernels, or raises :class:`CainError` with the reason and its
    line. The arguments are those of :func:`compile`.

    >>> import cain_fpsp
    >>> cain_fpsp.verify("bus(NEWS,A); bus(B,XE);", {"B": [[0, 0, 1]]}, keep=["A"]).words
    2
    """
    text = _text(kernels, name, inputs, scale, origin, keep, scratch, approximate, registers, search)
    source = _declared(text, kernels)
    program = verified(source.verify(_arrays.text("listing", listing)))
    program._text = text
    return program


def _declared(text: str, kernels: Any) -> _native.Source:
    """The filter of a kernel file that was made for kernels."""
    try:
        (source,) = parsed(text, False, stacklevel=4)
    except CainError as error:
        raise CainError(f"{error}{fractions_meant(kernels) if 'denominator' in str(error) else ''}") from None
    return source


def _text(
    kernels: Union[Kernel, Mapping[str, Output]],
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
    return kernel_file(
        kernels,
        name=_arrays.text("name", name),
        inputs=inputs,
        scale=scale,
        origin=origin,
        keep=keep,
        scratch=scratch,
        approximate=approximate,
        registers=registers,
        search={key: value for key, value in search.items() if value is not None},
    )


def load(
    path: Path,
    names: Optional[Sequence[str]] = None,
    *,
    nodes: Optional[int] = None,
    plans: bool = True,
    progress: Progress = None,
) -> Dict[str, Union[Program, Network, Other]]:
    """Compiles what a kernel file, a Rust source, a plan file or a folder of them declares: programs by their names.

    With ``plans``, those of plan files are used where there are some, as in a build; without, all are searched for with the
    larger budget of the command. ``nodes`` is the budget of each search, and then no plans are used. Mistakes in the
    file are told with their lines and columns. What is allowed but hardly meant is a :class:`UserWarning`. Of a folder, those are
    read which its Rust sources declare, and the kernel files that these name. Two programs of one name are refused.
    """
    sources = warned(_native.load(_path(path)))
    return compiled(sources, names, nodes, plans, progress)


def loads(
    text: str,
    names: Optional[Sequence[str]] = None,
    *,
    nodes: Optional[int] = None,
    progress: Progress = None,
) -> Dict[str, Union[Program, Network, Other]]:
    """Compiles what the text of a kernel file declares; see :func:`load`. Files with weights are beside the current folder."""
    return compiled(parsed(text, True), names, nodes, False, progress, text)


class Imported(NamedTuple):
    """A kernel file with the network of a model."""

    #: The kernel file.
    text: str
    #: What became of each node, and how far weights were rounded, one a line.
    remarks: List[str]


def import_onnx(
    path: Path,
    output: Optional[Path] = None,
    *,
    data: Union[Path, Sequence[ArrayLike], None] = None,
    progress: Progress = None,
    **options: Any,
) -> Imported:
    """Turns a model in ONNX into a network of a kernel file, as ``cain import`` does, and writes it to ``output``.

    The options are those of the command, with ``_`` for ``-``: ``levels=(-60, 60)``, ``range=(0, 1)``, ``binarise=128``,
    ``depth=4``, ``force=True``. ``data`` is a folder, or pictures with grey values from 0 to 255 and their labels,
    ``data=(pictures, labels)``. ``progress`` is told how many settings of a round have been tried, and how many that round has.
    After Ctrl-C nothing is written.
    """
    given = [_no_option(path)] + ([] if output is None else [f"--output={_no_option(output)}"]) + arguments(options)
    if data is None:
        return _imported(given, progress)
    if isinstance(data, (str, os.PathLike)):
        return _imported([*given, f"--data={_path(data)}"], progress)
    pictures, labels = _arrays.labelled(data, stacklevel=2)
    with tempfile.TemporaryDirectory() as folder:
        images = os.path.join(folder, "t10k-images-idx3-ubyte")
        _arrays.write_idx(images, pictures)
        _arrays.write_idx(os.path.join(folder, "t10k-labels-idx1-ubyte"), labels)
        try:
            return _imported([*given, f"--data={folder}"], progress)
        except CainError as error:
            raise CainError(str(error).replace(images, "`data`")) from None


def _imported(given: List[str], progress: Progress) -> Imported:
    try:
        text, remarks = _native.import_model(given, progress)
    except CainError as error:
        raise CainError(in_python(str(error))) from None
    return Imported(text, [in_python(remark) for remark in remarks])


def _no_option(path: Path) -> str:
    """A path that is no option."""
    text = _path(path)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def _path(path: Path) -> str:
    """The text of a path."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise CainError(f"a path of the type `{type(path).__name__}`; expected a text or a `pathlib.Path`") from None


def evaluate(
    path: Path,
    images: ArrayLike,
    labels: Optional[ArrayLike] = None,
    *,
    name: Optional[str] = None,
    model: str = "measured",
    seed: int = 0,
    progress: Progress = None,
) -> Evaluation:
    """Compiles the network of a kernel file and evaluates it on pictures; see :meth:`Network.evaluate`."""
    networks = [program for program in load(path, None if name is None else [name]).values() if isinstance(program, Network)]
    if len(networks) != 1:
        names = ", ".join(f"`{network.name}`" for network in networks)
        what = f"name one of the networks: {names}" if names else "the file has no network"
        raise CainError(f"{os.fspath(path)}: {what}")
    return networks[0].evaluate(images, labels, model, seed, progress)
