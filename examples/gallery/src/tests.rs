//! Tests the gallery as a whole: every filter is proved and run on real pictures, and the program gets good and bad
//! files.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use cain_runtime::isa::{Displacement, Fraction, Instruction};
use cain_runtime::prove::{Atom, Polynomial, Prover};
use cain_runtime::trace::Recorder;

use image::codecs::png::PngDecoder;
use image::{AnimationDecoder, RgbImage};

use crate::convolve::Kernel;
use crate::exhibit::Exhibit;
use crate::filters::{self, Filter};
use crate::{Arguments, Failure, kernels};

/// The kernel with exact weights, from the constants that the plain convolution uses.
fn exactly(kernel: &Kernel) -> Polynomial {
    let mut sum = Polynomial::new();
    for (channel, matrix) in (0..).zip(kernel.channels) {
        let middle_row = i16::try_from(matrix.rows.len() / 2).unwrap();
        for (r, row) in (0..).zip(matrix.rows) {
            let middle = i16::try_from(row.len() / 2).unwrap();
            for (c, &weight) in (0..).zip(*row) {
                let weight = Fraction::new(weight.into(), matrix.denominator.into()).unwrap();
                let displacement = Displacement::new(c - middle, middle_row - r);
                sum.add_term(Atom { channel, displacement }, weight).unwrap();
            }
        }
    }
    sum
}

fn computes(listing: &[Instruction], filter: &Filter) -> bool {
    let Ok(prover) = Prover::of(listing, filter.plan.inputs) else { return false };
    let mut outputs = filter.plan.outputs.iter().zip(filter.kernels);
    outputs.all(|(&reg, kernel)| {
        let is_free = prover.report().offset_error(reg) == Some(Fraction::ZERO);
        is_free && prover.check(reg, &exactly(kernel)).is_ok()
    })
}

#[test]
fn every_function_computes_its_kernels_exactly() {
    for filter in filters::ALL {
        let name = filter.plan.name;
        assert_eq!(filter.plan.outputs.len(), filter.kernels.len(), "{name}");
        let mut prover = Prover::new(filter.plan.inputs);
        (filter.on_prover)(&mut prover).unwrap();
        for (&reg, kernel) in filter.plan.outputs.iter().zip(filter.kernels) {
            prover.check(reg, &exactly(kernel)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let (report, cost) = (prover.report(), filter.plan.cost);
        assert_eq!((report.macros, report.icws, report.peak_gain), (cost.macros, cost.icws, cost.peak_gain), "{name}");
    }
}

#[test]
fn no_line_of_a_listing_can_be_left_out() {
    for filter in filters::ALL {
        assert!(computes(filter.plan.listing, filter));
        for left_out in 0..filter.plan.listing.len() {
            let mut listing = filter.plan.listing.to_vec();
            listing.remove(left_out);
            assert!(!computes(&listing, filter), "line {left_out} of {} does nothing", filter.plan.name);
        }
    }
}

#[test]
fn what_is_sent_is_the_plan() {
    let filter = &filters::ALL[0];
    let mut recorder = Recorder::new(Prover::new(filter.plan.inputs));
    cain_runtime::HostController::run(&mut recorder, filter.plan).unwrap();
    assert_eq!(recorder.to_string(), filter.plan.to_string());
}

#[test]
fn every_filter_equals_the_plain_convolution_inside_the_border() {
    let now = cain_gallery::picture(None).unwrap().to_dn();
    let frames = [now.clone(), super::moved(&now, 256)];
    for filter in filters::ALL {
        let exhibit = Exhibit::new(filter, &frames, 256).unwrap();
        assert!(exhibit.largest_error() < f32::MIN_POSITIVE, "{}", filter.plan.name);
        assert!(exhibit.border() < 8, "{}", filter.plan.name);
    }
}

#[test]
fn a_chip_is_not_ideal() {
    let now = cain_gallery::picture(None).unwrap().to_dn();
    let exhibit = Exhibit::new(&filters::ALL[0], &[now], 256).unwrap();
    assert!(exhibit.rms() > 0.5 && exhibit.rms() < 10.0, "{}", exhibit.rms());
    assert!(exhibit.bias().abs() < exhibit.rms(), "{}", exhibit.bias());
}

#[test]
fn the_frame_before_stood_to_the_north_west() {
    let frame: Vec<f32> = (0..15_u8).map(f32::from).collect();
    #[rustfmt::skip]
    let moved = [
         8.0,  9.0,  9.0,  9.0,  9.0,
        13.0, 14.0, 14.0, 14.0, 14.0,
        13.0, 14.0, 14.0, 14.0, 14.0,
    ];
    assert_eq!(super::moved(&frame, 5), moved);
}

/// Runs the program and returns its report.
fn run(image: &Path, out: &Path) -> Result<String, Failure> {
    let mut report = Vec::new();
    let arguments = Arguments { image: Some(image.to_owned()), out: out.to_owned() };
    super::run(&arguments, &mut report)?;
    Ok(String::from_utf8(report)?)
}

#[test]
fn a_photograph_becomes_pictures_and_a_table() {
    let directory = tempfile::tempdir().unwrap();
    let (file, out) = (directory.path().join("wide.jpg"), directory.path().join("out"));
    let level = |x: u32, y: u32| (x * 7 + y * 31).to_le_bytes()[0];
    image::GrayImage::from_fn(700, 90, |x, y| image::Luma([level(x, y)])).save(&file).unwrap();
    let report = run(&file, &out).unwrap();

    let table: Vec<&str> = report.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(table.len(), 1 + filters::ALL.len(), "{report}");
    assert!(table.iter().all(|line| line.chars().count() == table[0].chars().count()), "{report}");
    assert!(table[1..].iter().all(|line| line.contains(" 0.000 ")), "{report}");

    let files = fs::read_dir(&out).unwrap().count();
    assert!(report.contains(&format!("\n{files} pictures in `")), "{report}");
    for name in ["motion-input-B.png", "sobel-measured-B.png", "analognet2-error-C.png"] {
        assert_eq!(image::image_dimensions(out.join(name)).unwrap(), (256, 256), "{name}");
    }
    assert!(out.join("contact-sheet.png").exists());
    let frames = frames(&out.join("sobel-steps.png"));
    assert_eq!(frames.len(), 1 + kernels::sobel::PLAN.listing.len());
    let (first, last) = (&frames[0], &frames[frames.len() - 1]);
    for (frame, name) in [(first, "sobel-input-A.png"), (last, "sobel-ideal-B.png"), (last, "sobel-ideal-C.png")] {
        assert!(shows(frame, &image::open(out.join(name)).unwrap().into_rgb8()), "{name}");
    }
}

/// The frames of an animation.
fn frames(file: &Path) -> Vec<RgbImage> {
    let decoder = PngDecoder::new(BufReader::new(fs::File::open(file).unwrap())).unwrap();
    let frames = decoder.apng().unwrap().into_frames();
    frames.map(|frame| image::DynamicImage::from(frame.unwrap().into_buffer()).into_rgb8()).collect()
}

/// Whether one picture contains another.
fn shows(whole: &RgbImage, picture: &RgbImage) -> bool {
    let is_at = |left, top| picture.enumerate_pixels().all(|(x, y, pixel)| whole[(left + x, top + y)] == *pixel);
    let (columns, rows) = (whole.width() - picture.width(), whole.height() - picture.height());
    (0..=rows).any(|top| (0..=columns).any(|left| is_at(left, top)))
}

#[test]
fn a_bad_file_is_one_clear_line_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let mut png = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../images/village.png")).unwrap();
    png.truncate(png.len() / 2);
    let cases: [(&str, &[u8], &str); 5] = [
        ("text.png", b"hello", "expected a PNG, JPEG, PGM or PPM file"),
        ("cut.png", &png, "the PNG file ends too early; expected a whole one"),
        ("empty.png", b"", "expected a PNG, JPEG, PGM or PPM file"),
        ("zero.pgm", b"P5 0 0 255 ", "0"),
        ("huge.pgm", b"P5 100000 100000 255 ", "scale it down"),
    ];
    let out = directory.path().join("out");
    for (name, bytes, expected) in cases {
        let file = directory.path().join(name);
        fs::write(&file, bytes).unwrap();
        let error = run(&file, &out).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let missing = run(&directory.path().join("missing.png"), &out).unwrap_err().to_string();
    assert!(missing.contains("missing.png`: No such file"), "{missing}");
    let folder = run(directory.path(), &out).unwrap_err().to_string();
    assert_eq!(folder.lines().count(), 1, "{folder}");
    assert!(!out.exists());
}
