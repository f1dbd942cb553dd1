//! Kernels from a file, compiled by a build script: `kernels.toml` and `build.rs` are beside this folder.
//!
//! `cargo run --release -p cain-build-script`

use cain_runtime::Aregs;
use cain_runtime::sim::{Array, SimError};

/// The code that the build script generated from `kernels.toml`.
pub mod kernels {
    cain_runtime::include_kernels!("kernels");
}

const SIDE: usize = 16;

fn main() -> Result<(), SimError> {
    // A bright square in the dark.
    let inside = 5..11;
    let pixel = |index: usize| inside.contains(&(index / SIDE)) && inside.contains(&(index % SIDE));
    let image: Vec<f32> = (0..SIDE * SIDE).map(|index| if pixel(index) { 32.0 } else { 0.0 }).collect();

    let mut scamp = Array::new(SIDE, SIDE);
    let mut r = Aregs::new();
    let a = scamp.load(&mut r.a, &image)?;
    let b = kernels::outline(&mut scamp, &a, &mut r.b, &mut r.c)?;
    let outline = scamp.read(&b)?.to_vec();
    let a = kernels::blur(&mut scamp, a, &mut r.b, &mut r.c)?;
    let blurred = scamp.read(&a)?;

    for (outline, blurred) in outline.chunks(SIDE).zip(blurred.chunks(SIDE)) {
        println!("{}    {}", draw(outline, 8.0), draw(blurred, 32.0));
    }
    for plan in [&kernels::outline::PLAN, &kernels::blur::PLAN] {
        println!("{}: {} control words", plan.name, plan.cost.icws);
    }
    Ok(())
}

/// A row of pixels, from dark to as bright as `white`.
fn draw(row: &[f32], white: f32) -> String {
    let shade = |value: &f32| match value / white {
        dark if dark <= 0.05 => '.',
        dim if dim < 0.4 => '-',
        grey if grey < 0.8 => '+',
        _ => '#',
    };
    row.iter().map(shade).flat_map(|shade| [shade, ' ']).collect()
}
