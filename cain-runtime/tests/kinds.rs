//! Programs whose runner leaves out the code for other steps.

use cain_runtime::io::IoError;
use cain_runtime::isa::asm::A;
use cain_runtime::isa::program::{Area, Grid, Held, Kinds, Part, Program, ReadOut, Step};
use cain_runtime::isa::{Cells, Switches};
use cain_runtime::program::{Place, run, run_only};
use cain_runtime::sim::{Array, SimError};

const SUM: ReadOut = ReadOut {
    from: Held::Reg(A),
    grid: Grid { top: 0, left: 0, row_step: 1, column_step: 1, height: 2, width: 3 },
    windows: Some(&[Area { top: 0, left: 1, height: 2, width: 2 }]),
    first: 0,
    scale: 0.5,
    shift: 0.25,
    corrected: None,
    mean: false,
    adds: false,
};
const SUMS: Program = Program {
    name: "sums",
    blocks: (1, 1),
    pictures: &[],
    preparation: &[],
    parts: &[Part { name: "sums", words: 0, nanoseconds: 0, steps: &[Step::Read(SUM)] }],
    numbers: 1,
    switches: &[],
};
const MEANS: Program = Program {
    parts: &[Part { name: "means", words: 0, nanoseconds: 0, steps: &[Step::Read(ReadOut { mean: true, ..SUM })] }],
    ..SUMS
};
const SWITCHED: Program = Program { switches: &[Switches { others: Cells::NEWS, points: &[], latency: 0 }], ..SUMS };
const PLACES: [Place; 1] = [Place { row: 0, column: 0 }];

fn array() -> Array {
    let mut array = Array::new(3, 2);
    array.load_reg(A, &[1.0, 2.0, 3.0, 4.0, 5.0, -7.0]).unwrap();
    array
}

#[test]
fn numbers_are_the_same_in_both_precisions() {
    // Half of 3, and a quarter for each of four pixels.
    for (program, wanted) in [(SUMS, 2.5_f32), (MEANS, 0.625)] {
        let (mut narrow, mut wide) = ([0.0_f32], [0.0_f64]);
        run_only::<{ Kinds::READ | Kinds::MEAN }, _, _>(&mut array(), &program, &PLACES, &mut narrow).unwrap();
        run(&mut array(), &program, &PLACES, &mut wide).unwrap();
        assert_eq!((narrow, wide), ([wanted], [wanted.into()]), "{}", program.name);
    }
}

#[test]
fn a_runner_refuses_what_it_has_no_code_for() {
    let refused = |kind| Err::<(), SimError>(IoError::Step(kind).into());
    let mut numbers = [0.0_f32];
    for (program, kind) in [(MEANS, Kinds::MEAN), (SWITCHED, Kinds::SWITCHES)] {
        let found = run_only::<{ Kinds::READ }, _, _>(&mut array(), &program, &PLACES, &mut numbers);
        assert_eq!(found, refused(kind));
    }
    let found = run_only::<{ Kinds::MEAN }, _, _>(&mut array(), &SUMS, &PLACES, &mut numbers);
    assert_eq!(found, refused(Kinds::READ));
}
