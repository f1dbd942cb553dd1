//! A SCAMP-5 that answers over TCP: a simulated array that looks at a picture.
//!
//! It speaks the bytes of `cain_runtime::device::protocol`, so that a program with a `TcpLink` drives it like a board.
//! Every frame shows the same picture.
//!
//! `cargo run --release -p cain-examples --bin simulated_device -- --listen 127.0.0.1:27716 IMAGE`

use std::error::Error;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use cain_gallery::{end, picture};
use cain_runtime::device::{Board, TcpLink};
use cain_runtime::io::Size;
use cain_runtime::sim::{Array, Camera, ErrorModel, FrameSource};
use clap::Parser;

/// Answer as a device over TCP, with a simulated array that looks at a picture.
#[derive(Parser)]
struct Arguments {
    /// The picture [default: an example picture].
    image: Option<PathBuf>,
    /// The address to listen at; port 0 chooses a free one.
    #[arg(long, default_value = "127.0.0.1:27716")]
    listen: String,
    /// Simulate errors as measured on the chip, drawn from this seed [default: no errors].
    #[arg(long)]
    errors: Option<u64>,
}

/// The longest time that a connection may be silent before another takes its place.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    end("simulated_device", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let light = picture(arguments.image.as_deref())?.to_light();
    let mut array = Array::scamp5();
    if let Some(seed) = arguments.errors {
        array = array.errors(ErrorModel::measured()).seed(seed);
    }
    let mut board = Board::new(Camera::new(array, move |_: Size, frame: &mut [f32]| frame.copy_from_slice(&light)));

    let listener = TcpListener::bind(&arguments.listen)
        .map_err(|error| format!("cannot listen at `{}`: {error}", arguments.listen))?;
    println!("listening at {}", listener.local_addr()?);
    io::stdout().flush()?;
    for stream in listener.incoming() {
        if let Err(error) = serve(&mut board, stream?) {
            eprintln!("{error}");
        }
    }
    Ok(())
}

/// Answers requests until the connection ends.
fn serve<S>(board: &mut Board<Camera<S>>, stream: TcpStream) -> io::Result<()>
where
    S: FrameSource<Error: std::fmt::Display>,
{
    let mut link = TcpLink::new(stream, PATIENCE)?;
    while board.answer(&mut link).is_ok() {
        if let Some(error) = board.last_error() {
            eprintln!("refused: {error}");
        }
    }
    Ok(())
}
