//! Tests generated functions on every controller: simulator, prover and recorder agree.

use cain_runtime::isa::asm::{A, B};
use cain_runtime::isa::{HostController, Reg, Store};
use cain_runtime::prove::{Polynomial, Prover};
use cain_runtime::sim::{Array, SimError};
use cain_runtime::trace::Recorder;
use cain_runtime::{Aregs, scamp_kernels};

mod kernels {
    super::scamp_kernels! {
        pub fn one_output(&A) -> B using (C, D) = 1/2 * [[0, 1, 1]];
        #[search(max_gain = own)]
        pub fn in_place(A) -> A using (B, C) = [[1, 0, -1]];
        #[search(isa = macro, offset = any, max_gain = any)]
        pub fn several_outputs(&A) -> (B, C) using (D, E) { B = [[-1, 0, 1]]; C = [[1], [0], [-1]]; }
        #[search(max_gain = 2)]
        pub fn several_inputs(A, &B) -> C using () = [[1, 0, 0]] * A - [[0, 0, 1]] * B;
        pub fn swapped(A, B) -> (A, B) using (C, D) { A = [[1]] * B; B = [[1]] * A; }
        #[approximate(depth = 2, error = 0.1)]
        pub fn approximate(&A) -> B = [[0.26, 0.49, 0]];
        pub fn all_registers(&A) -> B = 1/4 * [[0, 1, 0], [1, 0, 1], [0, 1, 0]];
        pub fn zero(A) -> B using () = [[0]];
        #[search(nodes = 500)]
        pub fn native(&A) -> (B, C) using (D, E, F) { B = 1/4 * [[1, 2, 1]]; C = 1/2 * [[1], [0], [-1]]; }
        #[search(offset = any, max_gain = any, nodes = 500)]
        pub fn native_thirds(A) -> A using (B, C, D) = 1/3 * [[1, 1, 1]];
    }
}

const SIZE: usize = 9;
/// No value moves farther in these programs, so the border has no influence on the rest.
const MARGIN: usize = 3;

/// Tests that a call leaves these polynomials in the output registers, on every controller.
macro_rules! agree {
    ($name:ident, |$scamp:ident, $r:ident| $call:expr, $expected:expr) => {
        #[test]
        fn $name() {
            fn drive<H: HostController>($scamp: &mut H, $r: &mut Aregs) -> Result<(), H::Error> {
                $call?;
                Ok(())
            }
            let plan = &kernels::$name::PLAN;
            let mut prover = Prover::new(plan.inputs);
            drive(&mut prover, &mut Aregs::new()).unwrap();
            let values: Vec<&Polynomial> = plan.outputs.iter().map(|&reg| prover.value(reg).unwrap()).collect();
            assert_eq!(values.iter().map(ToString::to_string).collect::<Vec<_>>(), $expected);

            let mut scamp = Recorder::new(array(plan.inputs));
            drive(&mut scamp, &mut Aregs::new()).unwrap();
            assert_eq!(scamp.listing(), plan.listing);
            let report = prover.report();
            assert_eq!(
                (report.macros, report.icws, report.peak_gain),
                (plan.cost.macros, plan.cost.icws, plan.cost.peak_gain)
            );

            let array = scamp.into_controller();
            for (&reg, value) in plan.outputs.iter().zip(values) {
                assert_interior(array.read_reg(reg).unwrap(), value);
            }
        }
    };
}

agree!(one_output, |scamp, r| kernels::one_output(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d), ["1/2 + 1/2·x"]);
agree!(in_place, |scamp, r| kernels::in_place(scamp, r.a.hold(), &mut r.b, &mut r.c), ["x^-1 - x"]);
agree!(
    several_outputs,
    |scamp, r| kernels::several_outputs(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e),
    ["-x^-1 + x", "-y^-1 + y"]
);
agree!(several_inputs, |scamp, r| kernels::several_inputs(scamp, r.a.hold(), &r.b.hold(), &mut r.c), ["a·x^-1 - b·x"]);
agree!(swapped, |scamp, r| kernels::swapped(scamp, r.a.hold(), r.b.hold(), &mut r.c, &mut r.d), ["b", "1"]);
agree!(
    approximate,
    |scamp, r| kernels::approximate(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f),
    ["1/4·x^-1 + 1/2"]
);
agree!(
    all_registers,
    |scamp, r| kernels::all_registers(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f),
    ["1/4·x^-1 + 1/4·y^-1 + 1/4·y + 1/4·x"]
);
agree!(
    native,
    |scamp, r| kernels::native(scamp, &r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f),
    ["1/4·x^-1 + 1/2 + 1/4·x", "-1/2·y^-1 + 1/2·y"]
);
agree!(
    native_thirds,
    |scamp, r| kernels::native_thirds(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d),
    ["1/3·x^-1 + 1/3 + 1/3·x"]
);
agree!(zero, |scamp, r| kernels::zero(scamp, r.a.hold(), &mut r.b), ["0"]);

/// The images of the input channels.
fn pixel(channel: usize, row: usize, column: usize) -> f32 {
    let mixed = (channel + 1) * (row * 37 + column * 61 + row * column * 11 + 5) % 97;
    f32::from(u8::try_from(mixed).unwrap()) - 48.0
}

fn array(inputs: &[Reg]) -> Array {
    let mut array = Array::new(SIZE, SIZE);
    for (channel, &reg) in inputs.iter().enumerate() {
        let pixels: Vec<f32> = (0..SIZE * SIZE).map(|i| pixel(channel, i / SIZE, i % SIZE)).collect();
        array.load_reg(reg, &pixels).unwrap();
    }
    array
}

/// Compares an image with a polynomial, evaluated directly, away from the borders.
fn assert_interior(image: &[f32], value: &Polynomial) {
    for row in MARGIN..SIZE - MARGIN {
        for column in MARGIN..SIZE - MARGIN {
            let terms = value.terms().map(|(atom, weight)| {
                let row = row.checked_add_signed(-isize::from(atom.displacement.y)).unwrap();
                let column = column.checked_add_signed(isize::from(atom.displacement.x)).unwrap();
                weight.to_f64() * f64::from(pixel(usize::from(atom.channel), row, column))
            });
            let expected: f64 = terms.sum();
            let found = f64::from(image[row * SIZE + column]);
            assert!((expected - found).abs() < 1e-3, "row {row}, column {column}: {expected} expected, {found} found");
        }
    }
}

/// The order of parameters is inputs, outputs, scratch; that of planes is that of the declaration.
#[test]
fn planes_come_back_in_the_declared_order() {
    let mut scamp = array(&[A, B]);
    let mut r = Aregs::new();
    let (a, b) = kernels::swapped(&mut scamp, r.a.hold(), r.b.hold(), &mut r.c, &mut r.d).unwrap();
    assert_eq!((a.reg(), b.reg()), (A, B));
    assert_interior(scamp.read(&a).unwrap(), &Polynomial::input(1));
    assert_interior(scamp.read(&b).unwrap(), &Polynomial::input(0));
}

/// An error of the controller is returned as it is.
#[test]
fn errors_are_the_controllers() {
    let mut r = Aregs::new();
    let mut empty = Array::new(SIZE, SIZE);
    let error = kernels::several_inputs(&mut empty, r.a.hold(), &r.b.hold(), &mut r.c).unwrap_err();
    assert!(matches!(error, SimError::Unwritten(Store::Reg(A))), "{error}");
}

#[test]
fn constants_around_a_block_stand_for_their_values() {
    const NARROW: [[i8; 3]; 1] = [[1, 2, 1]];
    const QUARTER: f32 = 0.25;
    scamp_kernels! {
        fn with_constants(A) -> A using (B, C) = QUARTER * NARROW;
        fn plain(A) -> A using (B, C) = 1/4 * [[1, 2, 1]];
    }
    assert_eq!(with_constants::PLAN.listing, plain::PLAN.listing);
}
