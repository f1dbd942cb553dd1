//! The automaton of `examples/training/automaton.toml`, whose weights are in files of `NumPy` beside it.

use std::error::Error;

use cain_network::automaton::{Automaton, Bits, Layer};
use cain_runtime::isa::{Cells, Machine};
use cain_search::{InstructionSet, Interruption, Options};

/// The weights of each layer, and their numbers of outputs, inputs, rows and columns.
const LAYERS: [(&[u8], [usize; 4]); 3] = [
    (include_bytes!("../../training/automaton-1.npy"), [40, 15, 3, 3]),
    (include_bytes!("../../training/automaton-2.npy"), [40, 40, 1, 1]),
    (include_bytes!("../../training/automaton-3.npy"), [14, 40, 1, 1]),
];

/// The machine that the file declares.
pub(crate) const MACHINE: Machine = Machine::SCAMP5.with_registers(103);
/// The longest that others may have to wait for a step, in control words: about a hundredth of it.
const LATENCY: u32 = 150;

/// The trained automaton, with only as many nodes for its search as a quick run needs. Others in the registers of
/// SCAMP-5 may interrupt it.
pub(crate) fn trained() -> Result<Automaton, Box<dyn Error>> {
    Ok(Automaton {
        name: "digits".to_owned(),
        size: (28, 28),
        alive: 26,
        classes: 10,
        scale: 6,
        bits: Bits::SMALL_NCA,
        layers: LAYERS.into_iter().map(|(file, shape)| layer(file, shape)).collect::<Result<_, _>>()?,
        machine: MACHINE,
        options: Options { nodes: 300, instructions: InstructionSet::Macro, ..Options::default() },
        interruption: Some(Interruption::new(vec![Cells::registers(Machine::SCAMP5.registers)], Some(LATENCY))),
    })
}

/// The weights at the end of a file: single bytes, the last dimension varying fastest.
fn layer(file: &[u8], [outputs, inputs, rows, columns]: [usize; 4]) -> Result<Layer, Box<dyn Error>> {
    let header = file.len().checked_sub(outputs * inputs * rows * columns).ok_or("a file of weights is too short")?;
    let matrix = |bytes: &[u8]| -> Vec<Vec<i32>> {
        bytes.chunks(columns).map(|row| row.iter().map(|&weight| i32::from(weight.cast_signed())).collect()).collect()
    };
    let kernels = file[header..].chunks(inputs * rows * columns);
    Ok(Layer { kernels: kernels.map(|kernel| kernel.chunks(rows * columns).map(matrix).collect()).collect() })
}

#[cfg(test)]
mod tests {
    use super::trained;
    use cain_codegen::kernel_file::load_automata;

    #[test]
    fn the_automaton_is_that_of_the_file() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/training/automaton.toml");
        let declared = load_automata(file.as_ref()).unwrap().remove(0).of.automaton;
        let trained = trained().unwrap();
        assert_eq!(trained.layers, declared.layers);
        let options = declared.options.clone();
        assert_eq!(cain_network::automaton::Automaton { options, interruption: None, ..trained }, declared);
    }
}
