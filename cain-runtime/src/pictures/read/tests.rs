//! Tests what is read against the `image` crate, which has decoders, conversions and scaling of its own.

use std::format;
use std::io::Cursor;
use std::prelude::v1::*;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, ExtendedColorType, ImageDecoder as _, ImageEncoder as _, ImageFormat, ImageReader};

use super::grey;
use crate::pictures::Image;

/// The sizes of arrays: smaller, larger, of other shapes, and of the size of the pictures.
const SIZES: [(usize, usize); 6] = [(9, 7), (23, 17), (64, 40), (40, 64), (1, 1), (5, 30)];

/// What the crate makes of a file.
fn expected(file: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut decoder = ImageReader::new(Cursor::new(file)).with_guessed_format().unwrap().into_decoder().unwrap();
    let orientation = decoder.orientation().unwrap();
    let mut image = DynamicImage::from_decoder(decoder).unwrap();
    image.apply_orientation(orientation);
    let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap());
    let cut_width = image.width().min((image.height() * width / height).max(1));
    let cut_height = image.height().min((image.width() * height / width).max(1));
    let (left, top) = ((image.width() - cut_width) / 2, (image.height() - cut_height) / 2);
    let cut = image.crop_imm(left, top, cut_width, cut_height).to_luma8();
    imageops::resize(&cut, width, height, FilterType::CatmullRom).into_raw()
}

#[track_caller]
fn check(file: &[u8], what: &str) {
    for (width, height) in SIZES {
        let found = Image::decode(file, what, width, height).unwrap();
        assert!(found.bytes() == expected(file, width, height), "{what} as {width}×{height}");
    }
}

/// Bytes without any pattern.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_le_bytes()[3]
    };
    (0..count).map(|_| next()).collect()
}

fn picture(width: u32, height: u32) -> DynamicImage {
    let count = usize::try_from(width * height * 4).unwrap();
    image::RgbaImage::from_raw(width, height, noise(count)).unwrap().into()
}

/// All pixels of bytes, and many of 16 bits.
#[test]
fn colours_have_the_same_greys() {
    for red in 0..=255_u8 {
        let mut pixels = Vec::new();
        for green in 0..=255 {
            pixels.extend((0..=255).flat_map(|blue| [red, green, blue]));
        }
        let image = image::RgbImage::from_raw(256, 256, pixels.clone()).unwrap();
        let found: Vec<u8> = pixels.chunks_exact(3).map(grey::of_bytes).collect();
        assert!(found == DynamicImage::from(image).to_luma8().into_raw(), "red {red}");
    }
    let bytes = noise(1 << 20);
    let words: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let colours = image::ImageBuffer::from_raw(1 << 10, 1 << 7, words.clone()).unwrap();
    let found: Vec<u8> = words.chunks_exact(4).map(grey::of_words).collect();
    assert!(found == DynamicImage::ImageRgba16(colours).to_luma8().into_raw());
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let found: Vec<u8> = all.iter().map(|grey| grey::of_words(&[*grey])).collect();
    let greys = image::ImageBuffer::from_raw(256, 256, all).unwrap();
    assert!(found == DynamicImage::ImageLuma16(greys).to_luma8().into_raw());
}

#[test]
fn kinds_of_pixels() {
    let picture = picture(23, 17);
    let kinds = [
        picture.to_luma8().into(),
        picture.to_luma_alpha8().into(),
        picture.to_rgb8().into(),
        picture.to_luma16().into(),
        picture.to_luma_alpha16().into(),
        picture.to_rgb16().into(),
        picture.to_rgba16().into(),
        picture,
    ];
    for kind in kinds.iter().map(|kind: &DynamicImage| (kind, kind.color())) {
        let mut png = Cursor::new(Vec::new());
        kind.0.write_to(&mut png, ImageFormat::Png).unwrap();
        check(png.get_ref(), &format!("PNG of {:?}", kind.1));
        let mut anymap = Cursor::new(Vec::new());
        let encoder = image::codecs::pnm::PnmEncoder::new(&mut anymap);
        if encoder.write_image(kind.0.as_bytes(), 23, 17, kind.1.into()).is_ok() {
            check(anymap.get_ref(), &format!("PAM of {:?}", kind.1));
        }
    }
    for kind in [DynamicImage::from(kinds[0].to_luma8()), kinds[2].clone()] {
        let mut jpeg = Cursor::new(Vec::new());
        kind.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
        check(jpeg.get_ref(), &format!("JPEG of {:?}", kind.color()));
    }
}

#[test]
fn few_bits_and_palettes() {
    use png::{BitDepth, ColorType};
    for depth in [BitDepth::One, BitDepth::Two, BitDepth::Four, BitDepth::Eight] {
        for colours in [ColorType::Grayscale, ColorType::Indexed] {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 23, 17);
            encoder.set_depth(depth);
            encoder.set_color(colours);
            encoder.set_palette(noise(3 << (depth as u8)));
            let bytes = noise(17 * (23 * usize::from(depth as u8)).div_ceil(8));
            encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
            check(&file, &format!("{colours:?} of {depth:?}"));
        }
    }
}

#[test]
fn kinds_of_anymaps() {
    let numbers = |count: usize, most: u32| -> String {
        let words: Vec<String> =
            noise(count).iter().map(|byte| (u32::from(*byte) * 255 % (most + 1)).to_string()).collect();
        words.join("\n")
    };
    let mut files = vec![("P1", format!("P1 # bits\n23 17\n{}", numbers(23 * 17, 1)).into_bytes())];
    files.push(("P1 without spaces", format!("P1 23 17 {}", numbers(23 * 17, 1).replace('\n', "")).into_bytes()));
    files.push(("P4", [b"P4\n23\t17\n".to_vec(), noise(3 * 17)].concat()));
    for most in [1, 7, 255, 300, 65_535] {
        for (kind, channels) in [(2, 1), (3, 3)] {
            let file = format!("P{kind}\n# a comment\n23 17 {most}\n{}", numbers(23 * 17 * channels, most));
            files.push(("text", file.into_bytes()));
            let mut file = format!("P{}\n23 17 {most}\n", kind + 3).into_bytes();
            for byte in noise(23 * 17 * channels) {
                let number = u16::try_from(u32::from(byte) * 255 % (most + 1)).unwrap().to_be_bytes();
                file.extend(&number[usize::from(most <= 255)..]);
            }
            files.push(("bytes", file));
        }
    }
    for (kind, depth, most) in [("BLACKANDWHITE", 1, 1), ("GRAYSCALE_ALPHA", 2, 255), ("RGB", 3, 200), ("", 4, 255)] {
        let header = format!("P7\nWIDTH 23\n#\nHEIGHT 17\nDEPTH {depth}\nMAXVAL {most}\nTUPLTYPE {kind}\nENDHDR\n");
        let header = if kind.is_empty() { header.replace("TUPLTYPE \n", "") } else { header };
        let pixels = noise(23 * 17 * depth).into_iter().map(|byte| (u16::from(byte) % (most + 1)).to_le_bytes()[0]);
        files.push(("P7", header.into_bytes().into_iter().chain(pixels).collect()));
    }
    for (what, file) in files {
        check(&file, &format!("{what} {:?}", String::from_utf8_lossy(&file[..20])));
    }
}

/// Pictures are wider than a piece of a row.
#[test]
fn long_rows() {
    let file = [b"P4 9001 2 ".to_vec(), noise(2 * 1126)].concat();
    assert!(Image::decode(&file, "P4", 9001, 2).unwrap().bytes() == expected(&file, 9001, 2));
    let cut = Image::decode(&file[..file.len() - 1], "P4", 9001, 2).unwrap_err().to_string();
    assert!(cut.contains("before the pixel in row 1 and column 9000, both from 0, of 9001×2 pixels"), "{cut}");
}

#[test]
fn cameras_are_turned() {
    let (grey, colour) = (picture(23, 17).to_luma8(), picture(23, 17).to_rgb8());
    for number in 0..=9_u8 {
        let entry = |tag: [u8; 2]| [&tag[..], &[3, 0, 1, 0, 0, 0, number, 0, 0, 0]].concat();
        let little = [&b"II*\0\x08\0\0\0\x02\0"[..], &entry([0, 1]), &entry([0x12, 1])].concat();
        let big = [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[number, 0, 0]].concat();
        let broken = little[..little.len() - 5].to_vec();
        for exif in [little, big, broken] {
            let mut png = Vec::new();
            let mut encoder = PngEncoder::new(&mut png);
            encoder.set_exif_metadata(exif.clone()).unwrap();
            encoder.write_image(&grey, 23, 17, ExtendedColorType::L8).unwrap();
            check(&png, &format!("PNG with {exif:?}"));
            let mut jpeg = Vec::new();
            let mut encoder = JpegEncoder::new(&mut jpeg);
            encoder.set_exif_metadata(exif.clone()).unwrap();
            encoder.write_image(&colour, 23, 17, ExtendedColorType::Rgb8).unwrap();
            check(&jpeg, &format!("JPEG with {exif:?}"));
        }
    }
}

#[test]
fn what_is_wrong_with_a_file() {
    let pam = |lines: &str| format!("P7\nWIDTH 2\n{lines}ENDHDR\n").into_bytes();
    for (file, expected) in [
        (b"GIF89a".to_vec(), "it is a GIF file; expected a PNG, JPEG, PGM or PPM file"),
        (b"P8 2 2".to_vec(), "its format is not known; expected a PNG, JPEG, PGM or PPM file"),
        (b"P5 2".to_vec(), "the file ends before the height; expected a whole header"),
        (b"P5 2 x 3 ".to_vec(), "it has `x` in place of the height; expected a number"),
        (b"P5 2 2 99999999999 ".to_vec(), "it has `99999999999` in place of the largest value; expected a number"),
        (b"P5 2 2 0 1234".to_vec(), "it announces 0 as its largest value; expected a number from 1 to 65535"),
        (b"P5 0 2 255 ".to_vec(), "the image has 0×2 pixels; expected at least 1×1"),
        (b"P6 65536 65536 255 ".to_vec(), "the image has 65536×65536 pixels, more than 1024 MiB; scale it down"),
        (
            b"P5 2 2 255 abc".to_vec(),
            "the file ends before the pixel in row 1 and column 1, both from 0, of 2×2 pixels; expected all of them",
        ),
        (
            b"P3 2 2 255 1 2 3 4 5".to_vec(),
            "the file ends before the pixel in row 0 and column 1, both from 0, of 2×2 pixels; expected all of them",
        ),
        (b"P2 2 2 255 1 2 x".to_vec(), "it has `x` in place of a pixel; expected a number"),
        (pam("HEIGHT 2\nDEPTH 1\n"), "its header has no line `MAXVAL`; expected one"),
        (pam("WIDTH 3\n"), "its header has two lines `WIDTH`; remove one"),
        (
            pam("SIZE 3\n"),
            "its header has a line `SIZE`; expected WIDTH, HEIGHT, DEPTH, MAXVAL, TUPLTYPE and, at the end, ENDHDR",
        ),
        (
            pam("HEIGHT 2\nDEPTH 3\nMAXVAL 255\nTUPLTYPE XYZ\n"),
            "its pixels are `XYZ` of 3 numbers each; expected GRAYSCALE, RGB or BLACKANDWHITE, alone or with _ALPHA",
        ),
        (
            pam("HEIGHT 2\nDEPTH 3\nMAXVAL 255\nTUPLTYPE GRAYSCALE\n"),
            "its pixels, `GRAYSCALE`, cannot have a depth of 3 and values up to 255; correct the header",
        ),
        (b"P7\nWIDTH 2\n".to_vec(), "the file ends before ENDHDR; expected a whole header"),
    ] {
        let error = Image::decode(&file, "file", 2, 2).unwrap_err().to_string();
        assert_eq!(error, format!("cannot use `file`: {expected}"));
    }
    let mut png = Cursor::new(Vec::new());
    picture(23, 17).write_to(&mut png, ImageFormat::Png).unwrap();
    let mut png = png.into_inner();
    let cut = Image::decode(&png[..png.len() / 2], "file", 2, 2).unwrap_err().to_string();
    assert_eq!(cut, "cannot use `file`: the PNG file ends too early; expected a whole one");
    png[60] ^= 1;
    let damaged = Image::decode(&png, "file", 2, 2).unwrap_err().to_string();
    assert!(damaged.starts_with("cannot use `file`: the PNG file is damaged: "), "{damaged}");
    let mut jpeg = Cursor::new(Vec::new());
    picture(23, 17).to_rgb8().write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let cut = Image::decode(&jpeg.get_ref()[..100], "file", 2, 2).unwrap_err().to_string();
    assert!(cut.starts_with("cannot use `file`: the JPEG file is damaged or of a rare kind: "), "{cut}");
}
