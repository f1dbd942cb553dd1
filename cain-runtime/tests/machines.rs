//! Tests the simulator with machines other than SCAMP-5.

use cain_runtime::isa::asm::digital::{R5, R12, set};
use cain_runtime::isa::asm::*;
use cain_runtime::isa::{
    BusLimits, Dreg, HostController, Machine, MachineError, Macros, NewsReading, Op, Range, Reg, Times,
};
use cain_runtime::sim::{Array, Drift, ErrorModel, SimError};

fn array(machine: Machine) -> Array {
    let mut array = Array::new(2, 1).machine(machine);
    array.load_reg(Reg::A, &[100.0, -100.0]).unwrap();
    array
}

#[test]
fn what_the_machine_lacks_is_refused() {
    let scamp = Machine::SCAMP5;
    let narrow = BusLimits { destinations: 1, sources: 2, reads: NewsReading::Own };
    for (machine, instruction, lack) in [
        (scamp, mov(G, A), MachineError::Register(G)),
        (scamp.with_registers(103), mov(r(77), A), MachineError::Register(r(77))),
        (scamp.with_macros(Macros::BASIC), div(B, C, A), MachineError::Macro(Op::Div)),
        (scamp.with_bus(narrow), bus(&[NEWS, reg(B)], &[reg(A)]), MachineError::Destinations { most: 1 }),
        (Machine { bits: 12, ..scamp }, set(&[R12]), MachineError::Bit(Dreg::ALL[12])),
    ] {
        let mut array = array(machine);
        assert_eq!(array.execute(instruction), Err(SimError::Machine(lack)), "{instruction}");
        // The instruction before it is executed.
        assert_eq!(array.execute_listing(&[neg(B, A), instruction]), Err(SimError::Machine(lack)), "{instruction}");
        assert_eq!(array.read_reg(Reg::B).unwrap(), [-100.0, 100.0], "{instruction}");
    }
    let mut array = array(Machine { bits: 5, ..scamp });
    assert_eq!(array.load_reg(G, &[0.0; 2]), Err(SimError::Machine(MachineError::Register(G))));
    assert_eq!(array.load_bits(R5, &[true; 2]), Err(SimError::Machine(MachineError::Bit(Dreg::ALL[5]))));
    let error = array.execute(mov(G, A)).unwrap_err().to_string();
    assert_eq!(
        error,
        "the machine has no analogue register `G`; describe the machine that the program is for with `Array::machine`"
    );
}

#[test]
fn values_end_where_the_range_does() {
    let wide = Machine { range: Range { min: -256, max: 150 }, ..Machine::SCAMP5 };
    let doubled = |machine: Machine| {
        let mut array = array(machine).errors(ErrorModel::saturating());
        array.execute_listing(&[mov(B, A), add(C, A, B)]).unwrap();
        array.read_reg(Reg::C).unwrap().to_vec()
    };
    // In NEWS, all values are negated.
    assert_eq!(doubled(Machine::SCAMP5), [127.0, -127.0]);
    assert_eq!(doubled(wide), [150.0, -150.0]);
}

#[test]
fn values_drift_for_as_long_as_words_take() {
    let model = ErrorModel { drift: Drift { rate: 1.0, level: 0.0 }, ..ErrorModel::ideal() };
    let slow = Machine { times: Times { analogue: 1_000, ..Times::SCAMP5 }, ..Machine::SCAMP5 };
    let mut array = array(slow).errors(model);
    array.execute(bus(&[reg(B)], &[])).unwrap();
    assert_eq!(array.read_reg(Reg::A).unwrap(), [99.0, -99.0]);
}
