//! Tests of `cain run` on folders of pictures and on animations.

use std::fs::{self, File};
use std::path::Path;

use image::codecs::gif::GifEncoder;
use image::codecs::png::PngDecoder;
use image::{AnimationDecoder as _, Delay, Frame, GrayImage, ImageFormat, Luma, Rgba, RgbaImage};
use serde_json::Value;

use crate::Folder;

/// A picture of one shade.
fn shade(value: u8) -> GrayImage {
    GrayImage::from_pixel(8, 8, Luma([value]))
}

fn save(picture: &GrayImage, path: &Path) {
    picture.save_with_format(path, ImageFormat::Png).unwrap();
}

/// An animation of pictures of one shade, each shown for 30 ms.
fn gif(shades: &[u8], path: &Path) {
    let frame = |&value: &u8| {
        let picture = RgbaImage::from_pixel(8, 8, Rgba([value, value, value, 255]));
        Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(30, 1))
    };
    GifEncoder::new(File::create(path).unwrap()).encode_frames(shades.iter().map(frame)).unwrap();
}

/// The shade in the middle of a picture.
fn middle(path: &Path) -> u8 {
    image::open(path).unwrap().to_luma8().get_pixel(4, 4).0[0]
}

/// The shades of the frames of an animation.
fn middles(path: &Path) -> Vec<u8> {
    let decoder = PngDecoder::new(std::io::BufReader::new(File::open(path).unwrap())).unwrap().apng().unwrap();
    let frames = decoder.into_frames().collect_frames().unwrap();
    assert!(frames.iter().all(|frame| frame.delay().numer_denom_ms() == (30, 1)));
    frames.iter().map(|frame| frame.buffer().get_pixel(4, 4).0[0]).collect()
}

/// A folder `frames` with pictures of these names and shades, beside a program.
fn frames(program: &str, pictures: &[(&str, u8)]) -> Folder {
    let folder = Folder::new("");
    folder.write("program.scamp", program);
    fs::create_dir(folder.path("frames")).unwrap();
    for (name, value) in pictures {
        save(&shade(*value), &folder.path(&format!("frames/{name}.png")));
    }
    folder
}

#[test]
fn a_folder_becomes_a_folder_of_each_plane() {
    let folder = frames("divq(B,A);", &[("frame10", 228), ("frame9", 28), ("frame2", 128)]);
    folder.write("frames/notes.txt", "no picture");
    let shown = folder.cain(&["run", "program.scamp", "--image", "frames", "--size", "8", "-o", "out"]).good();
    assert!(shown.contains("over 3 pictures"), "{shown}");
    for (name, value) in [("frame2", 128), ("frame9", 78), ("frame10", 178)] {
        assert_eq!(middle(&folder.path(&format!("out/B/{name}.png"))), value, "{name}");
    }
    let figures = folder.read("out/figures.csv");
    let lines: Vec<_> = figures.lines().filter(|line| line.contains(",B,")).collect();
    assert_eq!(
        lines,
        [
            "\"frame2\",B,0.00,0.00,0.00,,,",
            "\"frame9\",B,-50.00,-50.00,-50.00,,,",
            "\"frame10\",B,50.00,50.00,50.00,,,"
        ]
    );
    let row: Vec<_> = shown.lines().find(|line| line.starts_with("B ")).unwrap().split_whitespace().collect();
    assert_eq!(row[1..4], ["-50.00", "0.00", "50.00"]);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 4, "nothing else is left");
}

/// There is one object for each picture, in order.
#[test]
fn figures_are_told_picture_by_picture() {
    let folder = frames("divq(B,A);", &[("frame10", 228), ("frame9", 28)]);
    gif(&[28, 228], &folder.path("shades.gif"));
    for (image, names) in [("frames", [Some("frame9"), Some("frame10")]), ("shades.gif", [None; 2])] {
        let shown = folder.cain(&["run", "program.scamp", "--image", image, "--size", "8", "--json"]).good();
        let objects: Vec<Value> = shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 2, "{shown}");
        for (number, ((object, name), mean)) in
            objects.iter().zip(names).zip([-50.0, 50.0]).zip(0..).map(|(object, number)| (number, object))
        {
            assert_eq!((object["frame"].as_u64(), object["picture"].as_str()), (Some(number), name));
            assert_eq!(object["planes"]["B"]["mean"].as_f64(), Some(mean));
        }
    }
}

/// Colours become the same grey in a picture and in an animation.
#[test]
fn animations_have_the_greys_of_pictures() {
    let folder = frames("mov(B,A);", &[]);
    let colours = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [17, 34, 51], [1, 1, 2]];
    for [red, green, blue] in colours {
        let picture = RgbaImage::from_pixel(8, 8, Rgba([red, green, blue, 255]));
        picture.save_with_format(folder.path("still.png"), ImageFormat::Png).unwrap();
        let frame = Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(30, 1));
        let mut encoder = GifEncoder::new(File::create(folder.path("moving.gif")).unwrap());
        encoder.encode_frames([frame.clone(), frame]).unwrap();
        // Dropping it writes the end of the file.
        drop(encoder);
        let mean = |image: &str| {
            let shown = folder.cain(&["run", "program.scamp", "--image", image, "--size", "8", "--json"]).good();
            let object: Value = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
            object["planes"]["A"]["mean"].clone()
        };
        assert_eq!(mean("moving.gif"), mean("still.png"), "{red} {green} {blue}");
    }
}

/// Each input has its own pictures; a single picture is combined with all of the others.
#[test]
fn an_animation_becomes_an_animation_of_each_plane() {
    let folder = frames("sub(C,A,B);", &[]);
    gif(&[138, 148, 158], &folder.path("now.gif"));
    save(&shade(130), &folder.path("before.png"));
    let arguments = ["run", "program.scamp", "--image", "A=now.gif", "--image", "B=before.png", "--size", "8"];
    folder.cain(&arguments).good();
    assert_eq!(middles(&folder.path("planes/C.png")), [136, 146, 156]);
    assert_eq!(middles(&folder.path("planes/A.png")), [138, 148, 158]);
    assert_eq!(middles(&folder.path("planes/B.png")), [130; 3]);

    // Its own output can be read again.
    folder.cain(&["run", "program.scamp", "--image", "A=planes/C.png", "--image", "B=now.gif", "-o", "again"]).good();
    assert_eq!(middles(&folder.path("again/C.png")), [126; 3]);
}

/// As on the chip, B is not written where the second picture is dark, and keeps its value.
#[test]
fn registers_are_kept_between_pictures() {
    let folder = frames("where(A); mov(B,A); all();", &[("1", 150), ("2", 100)]);
    folder.cain(&["run", "program.scamp", "--image", "frames", "--size", "8"]).good();
    assert_eq!(middle(&folder.path("planes/A/2.png")), 100);
    assert_eq!(middle(&folder.path("planes/B/2.png")), 150);
}

#[test]
fn results_beside_those_of_an_ideal_array() {
    let folder = frames("bus(B,A);", &[("1", 128), ("2", 168)]);
    let arguments = ["run", "program.scamp", "--image", "frames", "--size", "8", "--compare"];
    let ideal = folder.cain(&arguments);
    assert!(ideal.bad()[0].starts_with("--compare: an ideal array has no errors; choose a model"));
    let shown = folder.cain(&[&arguments[..], &["--model", "level1"]].concat()).good();
    let row: Vec<_> = shown.lines().find(|line| line.starts_with("B ")).unwrap().split("  ").collect();
    assert_eq!(row.last().map(|cell| cell.trim()), Some("-32 to 32 DN"), "{shown}");
    // Three pictures of 8 × 8 pixels are in a row, with borders of 4 between them; the last is the inverse of 40 DN
    // with an offset of 20.
    let compared = image::open(folder.path("planes/B-compared/2.png")).unwrap().to_rgb8();
    assert_eq!(compared.dimensions(), (3 * 12 + 4, 16));
    let [result, wanted] = [8, 20].map(|x| i32::from(compared.get_pixel(x, 8).0[0]));
    assert_eq!(wanted, 88);
    assert!((result - 108).abs() <= 1, "{result}");
    let error = compared.get_pixel(32, 8).0;
    assert!(error[0] > error[2], "too bright is orange: {error:?}");

    save(&shade(128), &folder.path("one.png"));
    folder
        .cain(&["run", "program.scamp", "--image", "one.png", "--size", "8", "--compare", "--model", "level1"])
        .good();
    assert!(folder.path("planes/B-compared.png").is_file());
}

#[test]
fn pictures_that_do_not_fit_leave_nothing() {
    let folder = frames("mov(B,A);", &[("1", 1), ("2", 2)]);
    fs::create_dir(folder.path("none")).unwrap();
    gif(&[1, 2, 3], &folder.path("three.gif"));
    let whole = fs::read(folder.path("three.gif")).unwrap();
    fs::write(folder.path("cut.gif"), &whole[..whole.len() - 40]).unwrap();
    let mut huge = whole.clone();
    huge[6..10].fill(0xff);
    fs::write(folder.path("huge.gif"), huge).unwrap();
    folder.write("kernels.toml", "[f]\ninputs = [\"A\", \"B\"]\noutputs.C = [{ input = \"A\", kernel = [[1]] }]\n");
    let run = |arguments: &[&str]| folder.cain(&[&["run"], arguments, &["--size", "8"]].concat());
    for (arguments, expected) in [
        (&["program.scamp", "--image", "none"][..], "none: no pictures; expected files of the type png"),
        (&["program.scamp", "--image", "cut.gif"], "cut.gif: cannot be read: "),
        (&["program.scamp", "--image", "huge.gif"], "huge.gif: its pictures have 65535×65535 pixels, too many"),
        (
            &["program.scamp", "--image", "three.gif", "--image", "B=frames"],
            "`three.gif` has 3 pictures and `frames` has 2; give as many of each",
        ),
        (&["program.scamp", "--image", "B=three.gif", "--image", "B=frames"], "--image: two pictures for register `B`"),
        (&["program.scamp", "--image", "three.gif", "--steps"], "--steps shows what one picture becomes"),
        (&["program.scamp", "--image", "G=three.gif"], "--image: `G` is not an analogue register of this machine"),
        (&["kernels.toml", "--image", "A=frames"], "--image: there is no picture for input `B`; add `--image B=FILE`"),
        (&["kernels.toml", "--image", "C=frames"], "--image: `C` is no input of the filter, which has `A`, `B`"),
    ] {
        let run = run(arguments);
        let lines = run.bad();
        assert!(lines.len() == 1 && lines[0].starts_with(expected), "{arguments:?}: {lines:?}");
        assert!(!folder.path("planes").exists());
    }
    fs::copy(folder.path("frames/1.png"), folder.path("frames/1.PNG")).unwrap();
    assert_eq!(run(&["program.scamp", "--image", "frames"]).bad(), ["frames: two pictures are called `1`; rename one"]);
}
