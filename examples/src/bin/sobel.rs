//! How strong the edges are: two gradients from one program, and their length as a picture.
//!
//! `cargo run --release -p cain-examples --bin sobel -- IMAGE EDGES.png`

use std::error::Error;
use std::path::PathBuf;

use cain_examples::{from_dn, open, to_dn, village};
use cain_runtime::sim::Array;
use cain_runtime::{Aregs, scamp_kernels};
use clap::Parser;

scamp_kernels! {
    /// The gradients to the east and to the north; the image stays where it is.
    fn sobel(&A) -> (B, C) using (D, E) {
        B = [[-1, 0, 1],
             [-2, 0, 2],
             [-1, 0, 1]];
        C = [[ 1,  2,  1],
             [ 0,  0,  0],
             [-1, -2, -1]];
    }
}

/// Draw the edges of a picture, on a simulated array.
#[derive(Parser)]
struct Arguments {
    /// The picture; without it, the project's own.
    image: Option<PathBuf>,
    /// The PNG file to write.
    #[arg(default_value = "edges.png")]
    edges: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let image = match &arguments.image {
        Some(path) => open(path)?,
        None => village()?,
    };

    let mut scamp = Array::scamp5();
    let mut r = Aregs::new();
    let a = scamp.load(&mut r.a, &to_dn(&image))?;
    let (b, c) = sobel(&mut scamp, &a, &mut r.b, &mut r.c, &mut r.d, &mut r.e)?;

    let gradients = scamp.read(&b)?.iter().zip(scamp.read(&c)?);
    // A step from black to white has a gradient of 1020 DN; a quarter of that is white.
    let strength: Vec<f32> = gradients.map(|(east, north)| east.hypot(*north) - 128.0).collect();
    from_dn(&strength).save(&arguments.edges)?;
    println!("{} control words on every pixel: `{}`", sobel::PLAN.cost.icws, arguments.edges.display());
    Ok(())
}
