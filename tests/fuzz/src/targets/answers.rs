//! A device that lies to its driver.
//!
//! An input consists of the number of calls, the function of each call, and all bytes that the device sends.

use cain_isa::{Bit, Instruction, Reg, Word};
use cain_runtime::device::{Device, DeviceError, LinkError, Transport};
use cain_runtime::io::{Address, ArrayIo as _, Pattern, Region, Scan};
use cain_runtime::isa::HostController as _;

use super::frame::Frame;
use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "answers",
    about: "answers of a device that lies",
    ending: "bin",
    quick: 30_000,
    memory: 32,
    generate,
    check,
};

/// The calls, each with the kind of its request and the bytes of a correct answer.
const CALLS: [(u8, &[u8]); 13] = [
    (0x02, &[]),
    (0x03, &[0, 0]),
    (0x05, &[0, 4]),
    (0x10, &[]),
    (0x20, &[7; 4]),
    (0x22, &[0xF0; 4]),
    (0x23, &[1, 0, 0, 3, 0]),
    (0x24, &[0, 0, 0, 0, 3, 0, 3, 0]),
    (0x25, &[1]),
    (0x26, &[9, 0]),
    (0x27, &[5; 16]),
    (0x28, &[5; 64]),
    (0x2A, &[5]),
];

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_bytes(dice, corpus, |dice| {
        let calls: Vec<u8> = (0..dice.below(6)).map(|_| dice.byte()).collect();
        let mut input = vec![u8::try_from(calls.len()).unwrap_or_default()];
        input.extend(&calls);
        let side = |dice: &mut Dice| dice.pick(&[2_u32, 2, 16, 256, 1, 0, 65_536, 1 << 31, u32::MAX]);
        let (width, height) = (side(dice), side(dice));
        let hello = [&[1, 0][..], &width.to_le_bytes(), &height.to_le_bytes(), &[0, 4]].concat();
        let answers = calls.iter().map(|call| CALLS[usize::from(*call) % CALLS.len()]);
        for (number, (kind, payload)) in (1..).zip([(0x01, &hello[..])].into_iter().chain(answers)) {
            let mut frame = Frame { kind: kind | 0x80, number, payload: payload.to_vec() };
            if dice.once_in(5) {
                frame.kind = 0xFF;
                frame.payload = vec![dice.byte(), 1, 0, 0, 0];
            }
            if dice.once_in(5) {
                frame.payload.resize(dice.below(90), 1);
            }
            input.extend(frame.to_bytes());
        }
        input
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let (count, rest) = input.split_first().unwrap_or((&0, &[]));
    let (calls, bytes) = rest.split_at(usize::from(*count).min(rest.len()));
    let mut device = match Device::connect(Answers(bytes)) {
        Ok(device) => device,
        Err(error) => return printable(&error.to_string()).map(|()| Verdict::Refused),
    };
    let mut is_lost = false;
    for call in calls {
        let result = make(&mut device, *call);
        if let Err(error) = &result {
            printable(&error.to_string())?;
        }
        let breaks = matches!(result, Err(DeviceError::Link(_) | DeviceError::Garbage(_)));
        let is_sent = !matches!(result, Err(DeviceError::StoreFull { .. } | DeviceError::Io(_) | DeviceError::Word(_)));
        if is_lost && is_sent {
            ensure(matches!(result, Err(DeviceError::Disconnected)), || "a lost device goes on".to_owned())?;
        }
        is_lost |= breaks;
    }
    Ok(Verdict::Accepted)
}

fn make(device: &mut Device<Answers<'_>>, call: u8) -> Result<(), DeviceError> {
    let region = Region::new(Address::new(0, 0), Address::new(u16::from(call / 128), 1));
    let bit = Bit::Flag;
    match usize::from(call) % CALLS.len() {
        0 => device.issue(Word::Nop),
        1 => {
            let listing: Vec<Instruction> = "all();".parse().into_iter().collect();
            let kernel = device.upload_listing(&listing)?;
            device.launch(kernel)
        }
        2 => device.clear_store(),
        3 => device.wait_for_frame(),
        4 => device.scan(Reg::A, Scan::every(region), &mut [0; 64]).map(drop),
        5 => device.scan_bits(bit, (0, 1), &mut [0; 64]).map(drop),
        6 => device.scan_events(bit, &mut [Address::default(); 4]).map(drop),
        7 => device.bounding_box(bit).map(drop),
        8 => device.any(bit, Pattern::ALL).map(drop),
        9 => device.estimate_count(cain_isa::Dreg::ALL[5], Reg::A).map(drop),
        10 => device.sum_16(Reg::A, &mut [0; 16]),
        11 => device.sum_64(Reg::A, &mut [0; 64]),
        _ => device.sum_region(Reg::A, region).map(drop),
    }
}

/// A device that sends these bytes whatever it is asked, and then falls silent.
struct Answers<'a>(&'a [u8]);

impl Transport for Answers<'_> {
    fn write(&mut self, _: &[u8]) -> Result<(), LinkError> {
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LinkError> {
        let count = buffer.len().min(self.0.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        if count > 0 { Ok(count) } else { Err(LinkError::TimedOut) }
    }
}
