//! Tests kernels from a file, as a crate uses them.

use cain_runtime::isa::Reg;
use cain_runtime::sim::{Array, SimError};
use cain_runtime::{Aregs, scamp_kernels};

mod kernels {
    super::scamp_kernels!(file = "../corpus/shapes.toml");
}

mod in_a_folder {
    // The path is relative to this file, even if another macro passes it on.
    macro_rules! pass_on {
        ($path:literal) => {
            cain_runtime::scamp_kernels!(file = $path,);
        };
    }
    pass_on!("../corpus/machine.toml");
}

#[test]
fn functions_are_those_of_a_block() -> Result<(), SimError> {
    let mut scamp = Array::new(3, 3);
    let mut r = Aregs::new();
    let a = scamp.load(&mut r.a, &[0.0, 2.0, 8.0, 0.0, 4.0, 2.0, 1.0, 1.0, 1.0])?;
    let b = kernels::one_output(&mut scamp, &a, &mut r.b, &mut r.c, &mut r.d)?;
    assert_eq!(scamp.read(&b)?[3..5], [2.0, 3.0]);
    let a = kernels::in_place(&mut scamp, a)?;
    assert_eq!(scamp.read(&a)?[3..6], [0.0, 2.0, 8.0]);
    assert_eq!(kernels::r#match::PLAN.name, "match");
    Ok(())
}

#[test]
fn the_machine_is_that_of_the_file() {
    let outputs = ["R18", "R1"].map(|name| name.parse::<Reg>().unwrap());
    assert_eq!(in_a_folder::slopes::PLAN.outputs, outputs);
}
