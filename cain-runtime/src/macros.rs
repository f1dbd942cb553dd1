//! The macros that users call.

/// Compiles convolution kernels into functions that run on a [`HostController`](crate::HostController).
///
/// A block holds any number of declarations. Each names the registers that a function reads and writes, and what it
/// computes; the program is found while the crate is compiled, and proved to compute exactly that.
///
/// ```
/// use cain_runtime::scamp_kernels;
///
/// scamp_kernels! {
///     /// Binomial blur, in place: the image in A is replaced.
///     pub fn gauss(A) -> A = 1/16 * [
///         [1, 2, 1],
///         [2, 4, 2],
///         [1, 2, 1],
///     ];
///
///     /// Two kernels that are searched together and share what they have in common.
///     #[search(nodes = 2_000, objective = icws)]
///     fn gradients(&A) -> (B, C) using (D, E) {
///         B = 1/2 * [[-1, 0, 1]];
///         C = 1/2 * [[1], [0], [-1]];
///     }
///
///     /// Two images; the weights of one are rounded to what the array can represent.
///     #[approximate(depth = 5, error = 0.05)]
///     fn detail(A, B) -> C = [[0.05, 0.26, 0.07]] * A - 1/2 * [[1]] * B;
/// }
/// # use cain_runtime::isa::Reg;
/// # assert_eq!(gauss::PLAN.outputs, [Reg::A]);
/// # assert_eq!(gradients::PLAN.outputs, [Reg::B, Reg::C]);
/// # assert_eq!(detail::PLAN.inputs, [Reg::A, Reg::B]);
/// ```
///
/// # Declarations
///
/// - *Inputs*: `&A` is only read. `A` may be overwritten, and is given up unless it is also an output.
/// - *Outputs*: one register, or several in parentheses.
/// - *Scratch*: `using (D, E)` lists the other registers that the program may overwrite. Without it, the program may
///   overwrite all remaining ones of SCAMP-5, A to F.
/// - *Planes*: with names in lower case instead, `fn gauss(image) -> image using (t, u)`, the function runs in any registers.
/// - *Machine*: `#![machine(registers = 18, instructions = basic)]` before the first kernel lists what differs from
///   SCAMP-5: `registers`, `bits`, `instructions`, `bus(..)`, `nanoseconds(..)`, `range(..)`, see
///   [`Machine`](crate::isa::Machine).
/// - *Kernels*: matrices of integers, fractions, or decimals that equal such fractions, with an optional factor in
///   front. Row 0 is north, column 0 west. The middle cell lies over the pixel itself, so both sizes are odd. Kernels
///   are correlations, not flipped. With several inputs `* A` names the one that a matrix applies to.
/// - *Constants*: `const SIDE = 1/4;` and `const BLUR = [[SIDE, 1/2, SIDE]];` inside the block name numbers and
///   kernels. A Rust constant around the block, in the same file, can be used too if its value is a literal, such as
///   `const BLUR: [[f32; 3]; 1] = [[0.25, 0.5, 0.25]];`.
/// - *Weights*: their denominators are products of twos and threes; with `isa = macro` they are powers of two, because
///   macro instructions only halve. `#[approximate(depth = d, error = e)]` instead takes the nearest multiples of
///   1/2^d, with the smallest d allowed at which all weights together change by at most e and no kernel becomes zero.
/// - `#[search(nodes = .., memory = .., objective = macros | icws | accuracy, isa = native | macro | basic, offset = cancelled | any, input = MIN..MAX, max_gain = own | any | NUMBER)]`
///   sets the budget of the search in nodes and MiB, the quantity to minimise, the instruction set, whether outputs may
///   hold the constant transfer error of control words, the values that inputs can have (both ends included), and the
///   largest gain of intermediate values. By default outputs hold no transfer error, and no value exceeds what
///   registers can hold or what the results themselves need.
/// - *Digital filters*: `#[search(isa = digital, bits = 2)]` computes exactly, on integers in digital registers; `bits`
///   is the width of the inputs, negative if they are signed, or `bits = (image = 1, mask = -4)` if they differ. Inputs
///   and outputs are names of numbers. Of the other options, only `nodes` has a meaning.
/// - *Filters over super-pixels*: `#[search(isa = superpixel)]` computes exactly on numbers that are spread over blocks
///   of PEs, one bit in each PE. `#[superpixel(order = [[1, 2], [4, 3]])]` tells which PE holds which bit, with 1 for
///   the lowest bit and rows from the north; besides `order` there may be `carry = prop | steps`,
///   `banks = (image = 1)`, `bias = (gx = -20)`, `relu = [gx]`, `compare = [gx]`, and converters:
///   `adc = (image = (register = A, bits = 8, unit = 1))` for inputs, and `dac` in the same form for outputs.
/// - The compiler warns about results that exceed the registers, unless `max_gain` is given.
/// - Visibility, documentation and other attributes belong to the function.
///
/// # What comes out
///
/// `fn NAME(scamp: &mut H, inputs.., outputs.., scratch..) -> Result<planes, H::Error>`, whose parameters are named
/// like the registers, in lower case:
///
/// | register | parameter | result |
/// |---|---|---|
/// | input `&A` | `a: &Plane<'_, reg::A>` | |
/// | input `A` | `a: Plane<'_, reg::A>` | |
/// | input `A` that is an output too | `a: Plane<'a, reg::A>` | `Plane<'a, reg::A>` |
/// | other output `B` | `b: &'b mut Areg<reg::B>` | `Plane<'b, reg::B>` |
/// | scratch `D` | `d: &mut Areg<reg::D>` | |
///
/// In a filter that names planes, these are the names of the parameters, and the registers are type parameters of the
/// function: `image: Plane<'a, Image>` with `Image: reg::Register`. It is called with planes and handles of any
/// registers, which the compiler knows to differ:
///
/// ```compile_fail,E0502
/// # use cain_runtime::{Aregs, HostController, scamp_kernels};
/// scamp_kernels! {
///     fn east(&image) -> out using () = [[0, 0, 1]];
/// }
///
/// fn overwrites<H: HostController>(scamp: &mut H, r: &mut Aregs) {
///     let image = &r.d.hold();
///     let _ = east(scamp, image, &mut r.d);
/// }
/// ```
///
/// Its `PLAN` uses the first registers of the machine: inputs, then outputs, then scratch.
///
/// A digital filter takes the bits of its inputs, lowest first, as [`BitPlane`](crate::BitPlane)s in a tuple (a single
/// one without), and then `scratch: NAME::Scratch<'r>`; it returns the bits of its outputs in the same form.
/// `NAME::Registers::of` takes the handles of all of them out of [`Dregs`](crate::Dregs), and `NAME::INPUTS` and
/// `NAME::OUTPUTS` are the [`Number`](crate::isa::Number)s.
///
/// Several outputs are returned as a tuple. The signature follows from the declaration alone, so a better program does
/// not change any types. The module `NAME` beside the function has its `PLAN`, a [`Plan`](crate::isa::Plan).
///
/// Digital filters and filters over super-pixels need the feature `digital`.
///
/// # Kernel files
///
/// With the feature `file`, `scamp_kernels!(file = "kernels.toml")` takes the declarations from a kernel file, in the
/// TOML that the command `cain` and the build script helper `cain-build` read. The path is relative to the source file
/// with the macro (or to the folder of the package, if the compiler does not tell which file that is). When the file is
/// edited, it is compiled again; a mistake in it is a compile error with its line and column. Every filter becomes a
/// public function, so the module around it decides their visibility; its `doc` becomes the documentation.
///
/// ```toml
/// [gauss]
/// doc = "Binomial blur, in place."
/// inputs = ["A"]
/// outputs.A = { scale = "1/16", kernel = [[1, 2, 1], [2, 4, 2], [1, 2, 1]] }
/// ```
///
/// # Plans
///
/// If the package has a plan file `plans/NAME.scamp` beside its `Cargo.toml`, its program is proved and used, and there
/// is no search; `cain pin` writes such files. A plan that is wrong or for another kernel is an error. If the
/// environment variable `CAIN_PLANS` is `locked`, a kernel without a plan is an error too. If it is `stub`, which is
/// meant for editors, plans are not read and nothing is searched for: functions have their signatures, and panic if
/// they are called.
#[macro_export]
macro_rules! scamp_kernels {
    ($($tokens:tt)*) => {
        $crate::__private::scamp_kernels! { [$crate] $($tokens)* }
    };
}

/// Compiles trained networks into functions that run on an array and its controller.
///
/// A block holds any number of networks: a picture and the layers that come after it, each with a name, an operation
/// and its keys. The keys are those of `[network.NAME]` in kernel files, which the chapter on networks explains; names,
/// fractions and ranges need no quotes, and Rust constants around the block can be values if they are literals. A layer
/// reads the previous one unless it says `from = NAME`, and layers that no other layer reads are the results. Files
/// with weights lie beside the source file. The macro needs the feature `networks`.
///
/// `in_pixel NAME { .. }` is a network whose weights are in the pixels, and `automaton NAME { KEY = value; .. }` a neural
/// cellular automaton, with the keys of `[automaton.NAME]`.
#[cfg_attr(feature = "sim", doc = "```")]
#[cfg_attr(not(feature = "sim"), doc = "```ignore")]
/// use cain_runtime::program::Place;
/// use cain_runtime::{Aregs, Dregs, scamp_network, sim::Array};
///
/// scamp_network! {
///     /// Whether a picture is brighter in the east or in the west, by its ascending and descending edges.
///     #[search(nodes = 2_000)]
///     pub network side {
///         input = { size = [4, 6], levels = -60..60, binarise = 128 };
///         slopes = convolution { scale = 1/2, kernels = [[[-1, 1]], [[1, -1]]] };
///         are_edges = threshold { at = 30 };
///         counts = windows { size = [4, 5] };
///         scores = dense { weights = [[-0.5, 0.5], [0.5, -0.5]] };
///         class = argmax;
///     }
/// }
///
/// let (mut regs, mut bits) = (Aregs::new(), Dregs::new());
/// let registers = side::Registers::of(&mut regs, &mut bits);
/// let mut array = Array::new(8, 8);
/// let image = array.load(registers.image, &[[-60.0, -60.0, -60.0, 60.0, 60.0, 60.0, 60.0, 60.0]; 8].concat())?;
/// let heads = side(&mut array, image, registers.scratch, Place { row: 2, column: 1 })?;
/// assert_eq!(heads.class, 1);
/// assert_eq!(side::PLAN.numbers, 2);
/// # Ok::<(), cain_runtime::sim::SimError>(())
/// ```
///
/// # What comes out
///
/// `fn NAME(scamp: &mut H, image: Plane<'_, ..>, scratch: NAME::Scratch<'_>, at: Place) -> Result<NAME::Heads, H::Error>` with
/// `H:` [`ArrayIo`](crate::io::ArrayIo), without allocation, and a module `NAME`:
///
/// | item | what it is |
/// |---|---|
/// | `Heads` | the results, a field for each: `usize` of an `argmax`, `[i32; N]` of counts, else `[f32; N]` |
/// | `Scratch` | handles of the registers that the program overwrites beside that of the picture |
/// | `Registers::of` | takes the handles out of [`Aregs`](crate::Aregs) and [`Dregs`](crate::Dregs) |
/// | `PLAN` | what is done on the array, a [`Program`](crate::isa::program::Program): parts with words and times |
/// | `LAYER`, in capitals | the weights of a dense layer, as integers |
///
/// A network whose weights are in the pixels is declared with `in_pixel NAME` instead of `network NAME`; the chapter on these
/// has an example and tells what its module holds.
///
/// Everything on the array is proved before. As for kernels, `cain pin` keeps what the searches found, in
/// `plans/NAME.scamp`, and `CAIN_PLANS` says how builds use that.
#[macro_export]
macro_rules! scamp_network {
    ($($tokens:tt)*) => {
        $crate::__private::scamp_network! { [$crate] $($tokens)* }
    };
}

/// Compiles whole vision programs into types that run frame after frame.
///
/// A program has everything that is done with a frame: what is taken, what is computed, what is kept for the next frame, loops,
/// decisions, and results. The chapter on programs explains the language. The macro needs the feature `programs`.
///
/// ```ignore
/// use cain_runtime::scamp_program;
/// use cain_runtime::sim::Array;
///
/// scamp_program! {
///     /// What moves in front of a slowly learned background.
///     pub program movement(image, threshold: 0..=127 = 24, learn: bool = true) -> (mask, pixels, area) {
///         state background = image;
///         let change = abs(image - background);
///         let mask = change > threshold;
///         next background = background + 1/8 * (image - background) where !mask & learn;
///         let pixels = count(mask);
///         let area = bounds(mask);
///     }
/// }
///
/// let mut array = Array::scamp5();
/// let mut program = Movement::begin(&mut array)?;
/// for light in video {
///     array.expose(&light)?;
///     let found = program.frame(&mut array, &movement::Parameters { threshold: 30, ..Default::default() })?;
///     println!("{} pixels move in {:?}", found.pixels, found.area);
///     found.mask.read(&mut array, &mut bits)?;
/// }
/// ```
///
/// # What comes out
///
/// A type with the name of the program in capitals, `Movement` of `movement`:
///
/// | function | what it does |
/// |---|---|
/// | `Movement::begin(&mut array)` | the program before its first frame, on an array that holds nothing else |
/// | `frame(&mut array, planes.., &parameters)` | a frame; planes are inputs that the host gives, as slices |
/// | `reset(&mut array)` | forgets all frames |
///
/// and a module `movement`:
///
/// | item | what it is |
/// |---|---|
/// | `Parameters` | the numbers that are set for each frame, with their defaults as [`Default`] |
/// | `Results` | the results: numbers, rectangles, PEs, [lists](crate::program::List), and planes of [levels](crate::program::Levels) or [bits](crate::program::Bits) that are read on demand until the next frame |
/// | `PLAN` | what is done on the array, a [`Program`](crate::isa::program::Program) |
///
/// Nothing is allocated. Parameters and planes are checked before anything is sent; then states are as they were. With
/// `scamp_program!(file = "motion.cain")` the programs are in a file of their own, beside the source file. They call the filters and
/// networks of kernel files that they name, as in `use "digits.toml";` or `use gauss, sobel from "filters.toml";`.
#[macro_export]
macro_rules! scamp_program {
    ($($tokens:tt)*) => {
        $crate::__private::scamp_program! { [$crate] $($tokens)* }
    };
}
