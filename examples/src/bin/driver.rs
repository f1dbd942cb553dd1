//! A custom controller: everything that accepts control words can run every kernel.
//!
//! This one writes them as text, one word per line, as a connection to a device might require.
//!
//! `cargo run --release -p cain-examples --bin driver`

use std::io::{self, Write};

use cain_runtime::isa::Word;
use cain_runtime::{Aregs, HostController, scamp_kernels};

scamp_kernels! {
    /// The mean of a pixel and its neighbour to the east, in place.
    fn mean(A) -> A using (B, C) = 1/2 * [[0, 1, 1]];
}

/// Sends control words down a line.
struct Line<W>(W);

impl<W: Write> HostController for Line<W> {
    type Error = io::Error;

    fn issue(&mut self, word: Word) -> io::Result<()> {
        writeln!(self.0, "{word}")
    }
}

fn main() -> io::Result<()> {
    let mut scamp = Line(io::stdout().lock());
    let mut r = Aregs::new();
    let image = r.a.hold(); // a real driver would expose an image into A here
    let mean = mean(&mut scamp, image, &mut r.b, &mut r.c)?;
    writeln!(scamp.0, "the result is in {}", mean.reg())
}
