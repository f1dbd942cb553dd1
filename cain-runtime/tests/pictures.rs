//! Tests image files as frames, good and bad ones.

use std::fs;
use std::path::Path;

use cain_runtime::io::{Address, ArrayIo};
use cain_runtime::isa::asm::{A, B};
use cain_runtime::pictures::{Files, Image};
use cain_runtime::sim::{Array, Camera};
use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage};

#[test]
fn the_middle_is_cut_out() {
    let folder = tempfile::tempdir().unwrap();
    let wide = GrayImage::from_fn(500, 300, |x, _| Luma([if (100..400).contains(&x) { 200 } else { 0 }]));
    for (name, image) in [("high.png", image::imageops::rotate90(&wide)), ("wide.png", wide)] {
        let file = folder.path().join(name);
        image.save(&file).unwrap();
        assert_eq!(Image::open(&file, 64, 64).unwrap().bytes(), [200; 64 * 64]);
    }
    // The image is twice as wide as high, so its full width is used.
    let image = Image::open(&folder.path().join("wide.png"), 20, 10).unwrap();
    assert_eq!((image.bytes()[0], image.bytes()[10]), (0, 200));
}

#[test]
fn scaling_keeps_what_is_where() {
    let folder = tempfile::tempdir().unwrap();
    for side in [16, 256, 700] {
        let corner = GrayImage::from_fn(side, side, |x, y| Luma([if x < side / 2 && y >= side / 2 { 255 } else { 0 }]));
        let file = folder.path().join("corner.pgm");
        corner.save(&file).unwrap();
        let scaled = Image::open(&file, 256, 256).unwrap();
        let at = |x: usize, y: usize| scaled.bytes()[y * 256 + x];
        assert_eq!([at(20, 20), at(230, 20), at(20, 230), at(230, 230)], [0, 0, 255, 0]);
    }
}

#[test]
fn one_pixel_fills_the_array() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pixel.png");
    RgbImage::from_pixel(1, 1, Rgb([90; 3])).save(&file).unwrap();
    assert_eq!(Image::open(&file, 16, 9).unwrap().bytes(), [90; 16 * 9]);
}

#[test]
fn a_folder_is_shown_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, level) in [("b.jpg", 90), ("a.PNG", 30), ("c.ppm", 200)] {
        let image = DynamicImage::ImageLuma8(GrayImage::from_pixel(30, 20, Luma([level])));
        image.to_rgb8().save(folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "no image").unwrap();

    let mut camera = Camera::new(Array::new(8, 8), Files::folder(folder.path()).unwrap());
    for level in [30.0_f32, 90.0, 200.0] {
        camera.capture(A, B).unwrap();
        let code = f32::from(camera.read_cell(B, Address::new(3, 3)).unwrap());
        assert!((code - 128.0 - level * 127.0 / 255.0).abs() <= 1.0, "{code}");
    }
    let error = camera.capture(A, B).unwrap_err().to_string();
    assert_eq!(error, "there is no next frame: all image files have been shown");
}

#[test]
fn bad_files_are_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("good.png");
    GrayImage::new(40, 40).save(&image).unwrap();
    let mut cut = fs::read(&image).unwrap();
    cut.truncate(cut.len() / 2);
    for (bytes, expected) in [
        (b"hello".as_slice(), "expected a PNG, JPEG, PGM or PPM file"),
        (b"", "expected a PNG, JPEG, PGM or PPM file"),
        (&cut, "the PNG file ends too early; expected a whole one"),
        (b"P5 0 0 255 ", "the image has 0×0 pixels; expected at least 1×1"),
        (b"P5 100000 100000 255 ", "scale it down"),
    ] {
        let error = Image::decode(bytes, "bad.png", 8, 8).unwrap_err().to_string();
        assert!(error.starts_with("cannot use `bad.png`: ") && error.contains(expected), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert!(Image::open(&image, 0, 8).unwrap_err().to_string().contains("from 1 to 65536"));
    let missing = folder.path().join("missing");
    assert!(Image::open(&missing, 8, 8).unwrap_err().to_string().contains("missing`: No such file"));
    assert!(Files::folder(&missing).unwrap_err().to_string().contains("missing`: No such file"));
}

/// A decoder turns all of them white.
#[test]
fn pixels_above_the_maximum_are_refused() {
    for (bytes, row, column, found, most) in [
        (b"P5 3 2 100 \x00\x64\x00\x00\x00\x65".as_slice(), 1, 2, 101, 100),
        (b"P5 2 1 300 \x01\x2c\x01\x2d", 0, 1, 301, 300),
        (b"P6 2 1 7 \x00\x07\x00\x07\x07\x08", 0, 1, 8, 7),
        (b"P2 2 2 255\n0 255\n255 256\n", 1, 1, 256, 255),
        (b"P3 1 2 15\n1 2 3 15 16 0", 1, 0, 16, 15),
        (b"P7\nWIDTH 1\nHEIGHT 2\nDEPTH 1\nMAXVAL 9\nTUPLTYPE GRAYSCALE\nENDHDR\n\x09\x0a", 1, 0, 10, 9),
    ] {
        let error = Image::decode(bytes, "bright.pgm", 2, 2).unwrap_err().to_string();
        let expected = format!(
            "cannot use `bright.pgm`: the pixel in row {row} and column {column}, both from 0, has the value {found}, and the \
             file announces at most {most}; correct one of them"
        );
        assert_eq!(error, expected);
    }
    for (bytes, grey) in [
        (b"P5 1 1 100 \x64".as_slice(), 255),
        (b"P5 1 1 100 \x00 what comes behind", 0),
        (b"P2 1 1 510 255", 128),
        (b"P5 1 1 65535 \xff\xff", 255),
    ] {
        assert_eq!(Image::decode(bytes, "good.pgm", 1, 1).unwrap().bytes(), [grey]);
    }
}

/// Messages contain names of files and quotations by decoders.
#[test]
fn errors_do_not_act_on_the_terminal() {
    let name = "a\n\u{1b}[31m\u{202e}\"größe\"";
    let shown = r#"a\n\u{1b}[31m\u{202e}"größe""#;
    for bytes in [b"P5 0 0 255 ".as_slice(), b"P5 \x1b[31m 4 255 "] {
        let error = Image::decode(bytes, name, 8, 8).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot use `{shown}`: ")), "{error}");
        assert!(!error.contains(char::is_control), "{error:?}");
    }
    let missing = Path::new(name);
    assert!(Image::open(missing, 8, 8).unwrap_err().to_string().starts_with(&format!("cannot use `{shown}`: ")));
    assert!(Files::folder(missing).unwrap_err().to_string().starts_with(&format!("cannot read `{shown}`: ")));
}
