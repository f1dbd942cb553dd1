//! Edge strength: two gradients from one program, and their magnitude as a picture.
//!
//! `cargo run --release -p cain-examples --bin sobel -- IMAGE EDGES.png`

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use cain_gallery::{SIDE, end, picture};
use cain_runtime::pictures::{Palette, Picture};
use cain_runtime::sim::Array;
use cain_runtime::{Aregs, scamp_kernels};
use clap::Parser;

scamp_kernels! {
    /// An eighth of the gradients to the east and to the north; the image stays where it is.
    fn sobel(&A) -> (B, C) using (D, E) {
        B = 1/8 * [[-1, 0, 1],
                   [-2, 0, 2],
                   [-1, 0, 1]];
        C = 1/8 * [[ 1,  2,  1],
                   [ 0,  0,  0],
                   [-1, -2, -1]];
    }
}

/// Draw the edges of a picture, on a simulated array.
#[derive(Parser)]
struct Arguments {
    /// The picture [default: an example picture].
    image: Option<PathBuf>,
    /// The PNG file to write.
    #[arg(default_value = "edges.png")]
    edges: PathBuf,
}

fn main() -> ExitCode {
    end("sobel", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let image = picture(arguments.image.as_deref())?;

    let mut scamp = Array::scamp5();
    let mut r = Aregs::new();
    let a = scamp.load(&mut r.a, &image.to_dn())?;
    let (b, c) = sobel(&mut scamp, &a, &mut r.b, &mut r.c, &mut r.d, &mut r.e)?;

    let gradients = scamp.read(&b)?.iter().zip(scamp.read(&c)?);
    // A step from black to white has a gradient of 127 DN; a quarter of that is white.
    let strength: Vec<f32> = gradients.map(|(east, north)| east.hypot(*north)).collect();
    let edges = Picture::of_values(&strength, SIDE, Palette::Grey { from: 0.0, to: 32.0 });
    fs::write(&arguments.edges, edges.png()?)
        .map_err(|error| format!("cannot write `{}`: {error}", arguments.edges.display()))?;
    println!("{} control words on every pixel: `{}`", sobel::PLAN.cost.icws, arguments.edges.display());
    Ok(())
}
