//! Random small kernels: whatever the search returns is proved; no line of it can be left out.

use crate::common::declaration;
use cain_isa::prove::Polynomial;
use cain_isa::{Fraction, Reg};
use cain_search::{InstructionSet, Kernel, search, verify};
use proptest::prelude::*;

fn weights() -> impl Strategy<Value = Polynomial> {
    (prop_oneof![Just(1), Just(3)], prop::collection::vec(-4_i32..=4, 9), 0_u32..=3).prop_map(
        |(height, weights, halvings)| {
            let rows = weights.chunks(3).take(height);
            let rows = rows.map(|row| row.iter().copied().map(Fraction::from).collect()).collect();
            let mut sum = Polynomial::new();
            let scale = Fraction::new(1, 1 << halvings).expect("a power of two");
            Kernel::new(rows).expect("rows of three").add_to(&mut sum, scale, 0).expect("small weights");
            sum
        },
    )
}

fn instruction_set() -> impl Strategy<Value = InstructionSet> {
    prop_oneof![Just(InstructionSet::Macro), Just(InstructionSet::Basic), Just(InstructionSet::Native)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_is_right(
        kernels in prop::collection::vec(weights(), 1..=2),
        instructions in instruction_set(),
        keep in any::<bool>(),
    ) {
        let registers = [Reg::B, Reg::C];
        let outputs: Vec<_> = registers.into_iter().zip(kernels).collect();
        let mut declaration = declaration(&outputs);
        declaration.options.instructions = instructions;
        declaration.inputs[0].keep = keep;
        let solution = search(&declaration).unwrap();
        prop_assert_eq!(&verify(&declaration, solution.program.listing()).unwrap(), &solution.program);
        for left_out in 0..solution.program.listing().len() {
            let mut shorter = solution.program.listing().to_vec();
            shorter.remove(left_out);
            prop_assert!(verify(&declaration, &shorter).is_err(), "line {} is not needed", left_out);
        }
    }
}
