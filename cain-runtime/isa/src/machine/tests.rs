extern crate std;
use std::string::ToString;

use super::{BusLimits, Machine, MachineError, Macros, NewsReading, Part, Registers};
use crate::{Dreg, Instruction, Op, Reg};

fn line(text: &str) -> Instruction {
    text.parse().unwrap()
}

#[test]
fn sets_hold_what_was_put_in() {
    for count in [0, 1, 6, 18, 64, 65, 103, 256] {
        let set = Registers::first(count);
        assert_eq!(set.len(), usize::from(count));
        assert_eq!(set.iter().max().map(Reg::index), u8::try_from(count).ok().map_or(Some(255), |n| n.checked_sub(1)));
        assert_eq!(set.iter().collect::<Registers>(), set);
    }
    assert_eq!((Registers::first(6), Registers::first(256)), (Registers::SCAMP5, Registers::ALL));
    assert_eq!(Registers::first(1000), Registers::ALL);
    assert_eq!(Macros::ALL.iter().count(), Op::ALL.len());
    assert!(Op::ALL.iter().all(|op| Macros::BASIC.contains(*op) == Op::BASIC.contains(op)));
}

#[test]
fn a_machine_refuses_what_it_lacks() {
    let scamp = Machine::SCAMP5;
    let narrow = scamp.with_bus(BusLimits { destinations: 1, sources: 2, reads: NewsReading::Own });
    let few_bits = Machine { bits: 12, ..scamp };
    let halving = Op::Divq;
    for (machine, text, problem) in [
        (scamp, "mov(G,A);", Some(MachineError::Register(Reg::from_index(6)))),
        (scamp.with_registers(2), "movx(A,C,east);", Some(MachineError::Register(Reg::C))),
        (scamp.with_registers(103), "add(R76,Z,A);", None),
        (scamp.with_macros(Macros::NONE), "divq(B,A);", Some(MachineError::Macro(halving))),
        (scamp.with_macros(Macros::BASIC), "add(D,A,B,C);", Some(MachineError::Macro(Op::Add3))),
        // A macro instruction is there only if the bus takes its words.
        (narrow, "divq(B,A);", Some(MachineError::Destinations { most: 1 })),
        (narrow, "add(D,A,B,C);", Some(MachineError::Sources { most: 2 })),
        (narrow, "mov2x(B,A,east,east);", Some(MachineError::Reading(NewsReading::Port))),
        (narrow, "movx(B,A,east);", None),
        (narrow, "bus(XE,A,B);", None),
        (scamp, "newsblur(B,A);", None),
        (few_bits, "NOT(R11);", None),
        (few_bits, "AND(R5,R6,R7);", Some(MachineError::Bit(Dreg::ALL[12]))),
        (few_bits, "PROP0();", Some(MachineError::Bit(Dreg::ALL[12]))),
        (Machine { bits: 4, ..scamp }, "DNEWS0(R0,FLAG);", Some(MachineError::Bit(Dreg::ALL[4]))),
    ] {
        assert_eq!(machine.allows(&line(text)).err(), problem, "{text}");
    }
    assert_eq!(few_bits.allows(&line("WHERE(R12);")), Err(MachineError::Bit(Dreg::ALL[12])));
}

#[test]
fn every_instruction_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = Op::ALL.iter().map(|op| op.constructor()).collect();
    assert_eq!(names.len(), Op::ALL.len());
    assert_eq!((Op::Add.constructor(), Op::Add3.constructor(), Op::Not.constructor()), ("add", "add3", "not_in_place"));
}

#[test]
fn scamp5_has_all_instructions_that_there_are() {
    for op in Op::ALL {
        assert!(Machine::SCAMP5.macros.contains(*op));
    }
    for text in ["bus(A,NEWS,B,C,D);", "bus2(A,B,C,D);", "bus3(A,B,C,D);", "gauss(A,B);", "sq(A,B);", "where(A,B,C);"] {
        assert_eq!(Machine::SCAMP5.allows(&line(text)), Ok(()), "{text}");
    }
}

#[test]
fn machines_within_each_other() {
    let scamp = Machine::SCAMP5;
    let wide = scamp.with_registers(103);
    assert_eq!(
        (wide.includes(&scamp), scamp.includes(&wide)),
        (Ok(()), Err(MachineError::Register(Reg::from_index(6))))
    );
    let auke = scamp.with_macros(Macros::BASIC);
    assert_eq!((scamp.includes(&auke), auke.includes(&scamp)), (Ok(()), Err(MachineError::Macro(Op::Add3))));
    let slow = Machine { times: super::Times { analogue: 400, ..super::Times::SCAMP5 }, bits: 5, ..scamp };
    assert_eq!((scamp.includes(&slow), slow.includes(&scamp)), (Ok(()), Err(MachineError::Bit(Dreg::ALL[5]))));
    let assumed = |machine: Machine| Part::ALL.into_iter().filter(|part| !machine.is_published(*part)).count();
    assert_eq!([scamp, wide, auke, slow].map(assumed), [0, 1, 0, 1]);
    assert!(!slow.is_published(Part::Times));
}

#[test]
fn the_spelling_says_what_is_not_as_in_scamp5() {
    let scamp = Machine::SCAMP5;
    let all = Machine {
        registers: Registers::of(&[Reg::A, Reg::from_index(255)]),
        bits: 5,
        macros: Macros::of(&[Op::Add3, Op::Div]),
        bus: BusLimits { destinations: 2, sources: 3, reads: NewsReading::Port },
        times: super::Times { analogue: 50, ..super::Times::SCAMP5 },
        range: super::Range { min: -512, max: 511 },
    };
    for (machine, text) in [
        (scamp, ""),
        (scamp.with_registers(18).with_macros(Macros::BASIC), "registers = 18, instructions = basic"),
        (
            all,
            "registers = [A, R229], bits = 5, instructions = [add3, div], \
             bus(destinations = 2, sources = 3, reads = port), nanoseconds(analogue = 50, digital = 190, \
             neighbours = 190, propagation = 190, high_speed = 100), range(min = -512, max = 511)",
        ),
    ] {
        assert_eq!(machine.to_string(), text);
    }
}
