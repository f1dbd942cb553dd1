//! Runs compiled kernels on a picture and compares them with plain convolutions.
//!
//! Every kernel of `kernels.rs` runs on an ideal array and on simulated chips with errors as measured. For each there are
//! PNG files of the input, of both results and of the error, and an animation of its program; a contact sheet shows all
//! results, and a table costs and errors.

mod canvas;
mod convolve;
mod exhibit;
mod failure;
mod files;
mod filters;
mod kernels;
mod palette;
mod progress;
mod sheet;
mod steps;
mod style;
mod table;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use cain_gallery::{SIDE, end, picture};
use cain_runtime::pictures::{Palette, Picture};
use clap::Parser;

use exhibit::Exhibit;
use failure::Failure;
use files::Files;
use progress::Progress;
use table::Table;

/// Run compiled convolution kernels on a picture, on a simulated SCAMP-5 array.
#[derive(Parser)]
#[command(after_help = "Example: gallery --image holiday.jpg --out pictures")]
struct Arguments {
    /// A PNG, JPEG, PGM or PPM file of any size, in colour or grey; it is cropped to a square and scaled to 256×256
    /// pixels [default: an example picture].
    #[arg(long, value_name = "FILE")]
    image: Option<PathBuf>,
    /// Where to write the pictures.
    #[arg(long, value_name = "DIR", default_value = "gallery")]
    out: PathBuf,
}

fn main() -> ExitCode {
    end("gallery", run(&Arguments::parse(), &mut std::io::stdout()))
}

/// Writes the pictures, and a table to `report`.
fn run(arguments: &Arguments, report: &mut impl Write) -> Result<(), Failure> {
    let progress = Progress::new();
    progress.stage("reading the image");
    let now = picture(arguments.image.as_deref())?.to_dn();
    let earlier = moved(&now, SIDE);
    let frames = [now, earlier];

    let mut exhibits = Vec::new();
    for filter in filters::ALL {
        progress.stage(format!("running `{}`", filter.plan.name));
        exhibits.push(Exhibit::new(filter, &frames, SIDE)?);
    }
    progress.stage("drawing the pictures");
    let files = pictures(&exhibits)?;
    progress.stage("writing the pictures");
    files.write(&arguments.out)?;

    writeln!(report, "{}\n{} pictures in `{}`", Table(&exhibits), files.len(), arguments.out.display())?;
    match exhibits.iter().find(|exhibit| exhibit.largest_error() > 0.0) {
        Some(wrong) => {
            let name = wrong.filter.plan.name;
            Err(format!("`{name}` differs from the plain convolution inside the border; please report this").into())
        }
        None => Ok(()),
    }
}

/// The previous frame, in which everything was 3 pixels further to the west and 1 to the north. Edges are repeated.
fn moved(frame: &[f32], width: usize) -> Vec<f32> {
    let rows: Vec<&[f32]> = frame.chunks(width).collect();
    let south = rows.iter().skip(1).chain(rows.last());
    south.flat_map(|row| row.iter().skip(3).chain(row.last().into_iter().cycle()).take(width)).copied().collect()
}

/// Every picture of the gallery, the contact sheet last.
fn pictures(exhibits: &[Exhibit]) -> Result<Files, Failure> {
    let mut files = Files::default();
    for exhibit in exhibits {
        let name = exhibit.filter.plan.name;
        for (reg, image) in &exhibit.inputs {
            files.add(format!("{name}-input-{reg}.png"), Picture::of_values(image, SIDE, Palette::BYTES).png()?);
        }
        for output in &exhibit.outputs {
            files.add(format!("{name}-ideal-{}.png", output.reg), output.ideal_picture().png()?);
            files.add(format!("{name}-measured-{}.png", output.reg), output.measured_picture().png()?);
            files.add(format!("{name}-error-{}.png", output.reg), output.error_picture().png()?);
        }
        files.add(format!("{name}-steps.png"), steps::animation(exhibit)?.png()?);
    }
    files.add("contact-sheet.png".to_owned(), sheet::draw(exhibits).png()?);
    Ok(files)
}
