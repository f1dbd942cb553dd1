//! Tests the simulated device as its own program, driven over TCP.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use cain_gallery::picture;
use cain_runtime::device::{Device, TcpLink};
use cain_runtime::io::{ArrayIo, Scan, Size};
use cain_runtime::isa::Reg;
use cain_runtime::sim::{Array, Camera};
use cain_runtime::{Aregs, scamp_kernels};

scamp_kernels! {
    /// Binomial blur, in place.
    fn gauss(A) -> A = 1/16 * [
        [1, 2, 1],
        [2, 4, 2],
        [1, 2, 1],
    ];
}

/// A program that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// Captures, blurs and reads out the whole array.
fn blurred<S: ArrayIo>(scamp: &mut S) -> Result<Vec<u8>, S::Error> {
    let mut r = Aregs::new();
    scamp.capture(Reg::F, Reg::A)?;
    let image = gauss(scamp, r.a.hold(), &mut r.b, &mut r.c, &mut r.d, &mut r.e, &mut r.f)?;
    let size = scamp.size();
    let mut codes = vec![0; size.width * size.height];
    scamp.scan(image.reg(), Scan::every(size.region()?), &mut codes)?;
    Ok(codes)
}

#[test]
fn a_program_reads_the_same_as_on_the_simulator() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_simulated_device"));
    let mut server = Running(server.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening at ").unwrap();

    let light = picture(None).unwrap().to_light();
    let mut simulator = Camera::new(Array::scamp5(), |_: Size, frame: &mut [f32]| frame.copy_from_slice(&light));
    let expected = blurred(&mut simulator).unwrap();
    // The second driver connects when the first has gone.
    for _ in 0..2 {
        let link = TcpLink::connect(address, Duration::from_secs(60)).unwrap();
        assert!(blurred(&mut Device::connect(link).unwrap()).unwrap() == expected);
    }
}
