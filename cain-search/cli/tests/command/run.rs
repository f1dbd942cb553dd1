//! `cain run`.

use std::fs;
use std::path::Path;

use image::{GrayImage, ImageFormat, Luma};

use crate::Folder;

/// The program printed as Table 2 of the Cain paper (Stow et al. 2022) for AnalogNet2, as a vendor kernel.
const ANALOGNET2: &str = "\
// AnalogNet2
scamp5_kernel_begin();
    diva(A,D,E); div(D,E,C,A); movx(E,D,west); movx(C,E,north); neg(F,E); subx(B,F,east,A); addx(E,E,D,south);
    add2x(D,F,D,north,north); sub2x(F,D,south,south,C); add2x(D,C,D,east,south); add(E,E,D); movx(D,A,north);
    add2x(A,C,A,east,east); movx(C,B,east); add(D,F,D); add2x(F,F,E,east,south); movx(E,B,south); addx(A,B,A,south);
    addx(A,B,A,west); /* nearly there */ add2x(B,F,B,north,west); add(C,D,C,E);
scamp5_kernel_end();
";

/// Grey pictures without any symmetry.
fn picture() -> GrayImage {
    GrayImage::from_fn(256, 256, |x, y| Luma([u8::try_from((x * 7 + y * 13 + x * y / 31) % 40 + 110).unwrap()]))
}

fn folder(program: &str) -> Folder {
    let folder = Folder::new("");
    fs::write(folder.0.path().join("program.scamp"), program).unwrap();
    picture().save_with_format(folder.0.path().join("in.png"), ImageFormat::Png).unwrap();
    folder
}

fn read(path: &Path) -> GrayImage {
    image::open(path).unwrap().to_luma8()
}

/// A 3×3 kernel with row 0 north over the picture, in quarters, as a byte.
fn convolved(image: &GrayImage, kernel: [[i32; 3]; 3], x: u32, y: u32) -> f64 {
    let mut sum = 0;
    for (row, dy) in kernel.iter().zip(0..) {
        for (weight, dx) in row.iter().zip(0..) {
            sum += weight * (i32::from(image.get_pixel(x + dx - 1, y + dy - 1).0[0]) - 128);
        }
    }
    f64::from(sum) / 4.0 + 128.0
}

#[test]
fn the_printed_program_of_analognet2_gives_its_kernels() {
    let folder = folder(ANALOGNET2);
    let shown = folder.cain(&["run", "program.scamp", "--image", "in.png", "-o", "out"]).good();
    assert!(shown.contains("21 macro instructions, 48 control words, about 9.12 µs"), "{shown}");
    let kernels = [
        ("A", [[0, 0, 0], [-3, 1, 0], [-3, 0, 2]]),
        ("B", [[-4, -1, 1], [-1, 2, 0], [1, 1, 0]]),
        ("C", [[-1, 2, 0], [-1, 1, -3], [0, -3, 0]]),
    ];
    let input = picture();
    for (name, kernel) in kernels {
        let output = read(&folder.0.path().join(format!("out/{name}.png")));
        for (x, y) in (4..252).flat_map(|y| (4..252).map(move |x| (x, y))) {
            let error = f64::from(output.get_pixel(x, y).0[0]) - convolved(&input, kernel, x, y);
            assert!(error.abs() <= 0.5, "{name} at {x}, {y}: {error}");
        }
    }
}

#[test]
fn what_show_prints_runs() {
    let folder = Folder::new("[shift]\ninputs = [\"A\"]\nkeep = [\"A\"]\noutputs.B = { kernel = [[0, 0, 1]] }\n");
    let program = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    fs::write(folder.0.path().join("program.scamp"), program).unwrap();
    folder.cain(&["run", "program.scamp"]).good();
    let [a, b] = ["A", "B"].map(|name| folder.0.path().join(format!("planes/{name}.png")));
    let (a, b) = (read(&a), read(&b));
    assert!((0..255).all(|x| a.get_pixel(x + 1, 50) == b.get_pixel(x, 50)));
}

#[test]
fn digital_planes_the_sensor_and_steps() {
    let folder = folder("get_image(B); where(B,A); MOV(R5,FLAG); all(); sub(C,B,A);");
    let args = ["run", "program.scamp", "--image", "in.png", "-o", "new/out", "--signed", "--steps", "--input", "A"];
    let shown = folder.cain(&args).good();
    assert!(shown.ends_with("4 planes in `new/out`\n"), "{shown}");
    let out = folder.0.path().join("new/out");
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["A.png", "B.png", "C.png", "bits-R5.png", "steps.png"]);
    let bits = read(&out.join("bits-R5.png"));
    for (pixel, bit) in picture().pixels().zip(bits.pixels()) {
        // B has the light, 127 DN for white, and A what the byte stands for.
        let sum = f32::from(pixel.0[0]) * 127.0 / 255.0 + f32::from(pixel.0[0]) - 128.0;
        assert_eq!(bit.0[0] == 255, sum > 0.0);
    }
    let steps = fs::read(out.join("steps.png")).unwrap();
    assert!(steps.windows(4).any(|chunk| chunk == b"acTL"));
    assert_eq!(steps.windows(4).filter(|chunk| chunk == b"fcTL").count(), 5);
}

#[test]
fn errors_have_places_and_leave_nothing() {
    for (program, expected) in [
        ("mov(B,A);\n  movx(B,A,up);", "program.scamp:2:12: `up`: expected"),
        ("mov(B,A);\nadd(B,A,C);", "program.scamp:2:1: register `C` is read before anything is written to it"),
        ("mov(B,A)\n", "program.scamp:1:9: expected `;` after an instruction"),
        ("bus(A,A);", "program.scamp:1:1: `bus`: register `A` is connected twice"),
    ] {
        let folder = folder(program);
        let run = folder.cain(&["run", "program.scamp", "--image", "in.png"]);
        let lines = run.bad();
        assert!(lines.len() == 1 && lines[0].starts_with(expected), "{lines:?}");
        assert!(!folder.0.path().join("planes").exists());
    }
    let folder = folder("mov(B,A);");
    assert!(folder.cain(&["run", "none.scamp"]).bad()[0].starts_with("none.scamp: cannot be read: "));
    let no_image = folder.cain(&["run", "program.scamp", "--image", "program.scamp"]);
    assert!(no_image.bad()[0].ends_with("expected a PNG, JPEG, PGM or PPM file"));
    let taken = folder.cain(&["run", "program.scamp", "-o", "in.png"]);
    assert!(taken.bad()[0].starts_with("in.png: cannot be made: "));
}
