//! Tests of `cain run`.

use std::fs;
use std::path::Path;

use image::{GrayImage, ImageFormat, Luma};
use serde_json::Value;

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

/// A kernel: a common denominator, and weights with row 0 north.
type Kernel = (i32, &'static [&'static [i32]]);

/// The result of a kernel at a pixel, as a byte.
fn convolved(image: &GrayImage, (denominator, rows): Kernel, x: u32, y: u32) -> f64 {
    let reach = u32::try_from(rows.len() / 2).unwrap();
    let mut sum = 0;
    for (row, dy) in rows.iter().zip(0..) {
        for (weight, dx) in row.iter().zip(0..) {
            sum += weight * (i32::from(image.get_pixel(x + dx - reach, y + dy - reach).0[0]) - 128);
        }
    }
    f64::from(sum) / f64::from(denominator) + 128.0
}

/// Asserts that a plane in a file is the kernel applied to the picture.
#[track_caller]
fn assert_convolved(file: &Path, kernel: Kernel) {
    let (input, output) = (picture(), read(file));
    for (x, y) in (8..248).flat_map(|y| (8..248).map(move |x| (x, y))) {
        let error = f64::from(output.get_pixel(x, y).0[0]) - convolved(&input, kernel, x, y).clamp(0.0, 255.0);
        assert!(error.abs() <= 0.51, "{} at {x}, {y}: {error}", file.display());
    }
}

#[test]
fn the_printed_program_of_analognet2_gives_its_kernels() {
    let folder = folder(ANALOGNET2);
    let shown = folder.cain(&["run", "program.scamp", "--image", "in.png", "-o", "out"]).good();
    assert!(shown.contains("21 macro instructions, 48 control words, about 9.12 µs"), "{shown}");
    let kernels: [(&str, &[&[i32]]); 3] = [
        ("A", &[&[0, 0, 0], &[-3, 1, 0], &[-3, 0, 2]]),
        ("B", &[&[-4, -1, 1], &[-1, 2, 0], &[1, 1, 0]]),
        ("C", &[&[-1, 2, 0], &[-1, 1, -3], &[0, -3, 0]]),
    ];
    for (name, rows) in kernels {
        assert_convolved(&folder.path(&format!("out/{name}.png")), (4, rows));
    }
}

/// The texts are those with which the exact prover is tested.
#[test]
fn texts_of_programs_give_their_kernels() {
    const GAUSS3: Kernel = (16, &[&[1, 2, 1], &[2, 4, 2], &[1, 2, 1]]);
    const GAUSS5: Kernel =
        (64, &[&[0, 1, 2, 1, 0], &[1, 4, 6, 4, 1], &[2, 6, 10, 6, 2], &[1, 4, 6, 4, 1], &[0, 1, 2, 1, 0]]);
    let texts: [(&str, &[(&str, Kernel)]); 5] = [
        ("gauss3", &[("A", GAUSS3)]),
        ("gauss3_words", &[("A", GAUSS3)]),
        ("gauss5", &[("A", GAUSS5)]),
        ("gauss3_gauss5", &[("A", GAUSS3), ("B", GAUSS5)]),
        ("sobel", &[("B", (1, &[&[-1, 0, 1], &[-2, 0, 2], &[-1, 0, 1]]))]),
    ];
    let folder = folder("");
    for (name, kernels) in texts {
        let text = format!("{}/../../cain-runtime/analysis/tests/listings/{name}.scamp", env!("CARGO_MANIFEST_DIR"));
        folder.cain(&["run", &text, "--image", "in.png"]).good();
        for (plane, kernel) in kernels {
            assert_convolved(&folder.path(&format!("planes/{plane}.png")), *kernel);
        }
    }
}

/// The comparison is with an ideal array and the same picture: two inversions lose contrast twice, and their offsets
/// cancel; a single one adds its offset.
#[test]
fn errors_are_told_in_figures() {
    let folder = folder("mov(B,A); bus(C,A);");
    let shown = folder.cain(&["run", "program.scamp", "--image", "in.png", "--model", "level1"]).good();
    let line = |plane: &str| shown.lines().find(|line| line.starts_with(plane)).unwrap().split_whitespace();
    let figures = |plane: &str| line(plane).rev().take(4).map(str::to_owned).collect::<Vec<_>>();
    let [b, c] = ["B", "C"].map(figures);
    assert_eq!((b[0].as_str(), b[1].as_str()), ("%", "98.6"), "{shown}");
    assert_eq!((c[0].as_str(), c[1].as_str()), ("%", "99.3"), "{shown}");
    let bias = |figures: &[String]| figures[2].parse::<f64>().unwrap();
    assert!(bias(&b).abs() < 1.0 && (bias(&c) - 20.0).abs() < 1.0, "{shown}");

    // Titles end where the cells below them do.
    let [head, row] = ["plane", "B"].map(|first| shown.lines().find(|line| line.starts_with(first)).unwrap());
    assert_eq!(head.find("from").map(|at| at + 4), row.find("DN").map(|at| at + 2), "{shown}");

    let ideal = folder.cain(&["run", "program.scamp", "--image", "in.png"]).good();
    assert!(!ideal.contains("rms"), "{ideal}");
}

/// The prediction is for PEs that have all their neighbours.
#[test]
fn figures_of_filters_are_those_within_the_border() {
    let folder = folder("");
    folder.write(
        "kernels.toml",
        "[far]\ninputs = [\"A\"]\noutputs.B = { scale = \"1/16\", kernel = [[-2], [-2], [4], [0], [-1]] }\n\
         search = { nodes = 600, isa = \"macro\", objective = \"icws\" }\n",
    );
    let rms = |arguments: &[&str], path: &[&str]| {
        let object: Value = serde_json::from_str(&folder.cain(arguments).good()).unwrap();
        path.iter().fold(&object, |object, key| &object[key]).as_f64().unwrap()
    };
    let predicted = rms(&["compile", "kernels.toml", "--json"], &["rms"]);
    let run = ["run", "kernels.toml", "--model", "measured", "--json"];
    let found = rms(&run, &["planes", "B", "rms"]);
    assert!((found / predicted - 1.0).abs() < 0.15, "{found} {predicted}");
}

/// The figures equal those of the tables, with more digits, and there is no other output.
#[test]
fn figures_are_told_as_json() {
    let folder = folder("mov(B,A); bus(C,A); MOV(R5,FLAG);");
    let args = ["run", "program.scamp", "--image", "in.png", "--model", "level1", "--compare"];
    let table = folder.cain(&args).good();
    let shown = folder.cain(&[&args[..], &["--json"]].concat()).good();
    assert_eq!(shown.lines().count(), 1, "{shown}");
    let object: Value = serde_json::from_str(&shown).unwrap();
    let keys: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["frame", "icws", "macros", "planes", "us"]);
    assert_eq!(["frame", "macros", "icws"].map(|key| object[key].as_u64()), [Some(0), Some(1), Some(4)]);
    assert_eq!(object["us"].as_f64(), Some(0.76));
    let planes = object["planes"].as_object().unwrap();
    assert_eq!(planes.keys().collect::<Vec<_>>(), ["A", "B", "C", "bits-R5"]);
    for (name, plane) in planes {
        let row: Vec<_> =
            table.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap().split_whitespace().collect();
        let number = |key: &str| plane[key].as_f64().unwrap();
        let figures = ["least", "mean", "largest"].map(|key| format!("{:.2}", number(key)));
        assert_eq!(row[1..4], figures, "{name}: {table}");
        if name == "bits-R5" {
            assert!(["rms", "bias", "contrast", "errors"].iter().all(|key| plane[key].is_null()), "{plane}");
            assert_eq!(plane["colours"], serde_json::json!([0.0, 1.0]));
        } else {
            assert_eq!(row[8..10], [format!("{:.2}", number("rms")), format!("{:+.2}", number("bias"))], "{table}");
            assert_eq!(plane["colours"], serde_json::json!([-128.0, 127.0]));
            assert!(plane["errors"][1].as_f64().unwrap() > 0.0, "{plane}");
        }
    }
    assert!(folder.path("planes/B-compared.png").is_file());
}

#[test]
fn costs_are_told_kernel_by_kernel() {
    let folder = folder(
        "scamp5_kernel_begin(); mov(B,A); diva(A,C,D); scamp5_kernel_end();
         scamp5_kernel_begin(); SET(R5,R6); NOT(R5); scamp5_kernel_end();",
    );
    let shown = folder.cain(&["run", "program.scamp"]).good();
    let costs: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    let line = |name: &str| costs.iter().find(|words| words.starts_with(&["kernel", name])).unwrap()[2..].to_vec();
    assert_eq!(line("1"), ["1", "7", "0", "0", "0", "1.33", "2.66"]);
    // There are three words at high speed.
    assert_eq!(line("2"), ["1", "0", "3", "0", "0", "0.30", "0.60"]);
    assert!(shown.contains("frame: 1.63 µs, 3.26 µJ, 613497 frames per second"), "{shown}");
    assert!(shown.contains("3 macro instructions, 10 control words, about 1.63 µs on the chip"), "{shown}");
}

#[test]
fn a_level_comes_from_the_controller() {
    let folder = folder("bus(NEWS,IN); bus(A,NEWS);");
    let shown = folder.cain(&["run", "program.scamp", "--in", "-28"]).good();
    assert!(
        shown.lines().any(|line| line.split_whitespace().take(4).eq(["A", "-28.00", "-28.00", "-28.00"])),
        "{shown}"
    );
    assert!(
        shown.ends_with("0 macro instructions, 2 control words, about 0.38 µs on the chip; 1 plane in `planes`\n"),
        "{shown}"
    );
    assert_eq!(read(&folder.path("planes/A.png")).get_pixel(7, 9).0, [100]);
}

#[test]
fn arrays_of_other_sizes_machines_and_models() {
    let folder = folder("mov(G,A); gauss(B,A,2); sq(A); mov(C,A); bus(D,XE,XW); MOV(R5,FLAG);");
    let args =
        ["run", "program.scamp", "--size", "48x20", "--registers", "7", "--square", "0.01", "--diffusion", "0.25"];
    let program = folder.cain(&args);
    // Nothing spreads if no register allows it.
    assert!(
        program.bad()[0].starts_with("program.scamp:1:11: digital register `R1` is read before"),
        "{}",
        program.stderr
    );
    folder.write("program.scamp", "SET(R1,R2); mov(G,A); gauss(B,A,2); sq(A); mov(C,A); bus(D,XE,XW); MOV(R5,FLAG);");
    for model in ["ideal", "saturating", "cain", "measured", "level0", "level1", "level2", "level3"] {
        folder.cain(&[&args[..], &["--model", model, "--seed", "3", "-o", model, "--steps"]].concat()).good();
        for plane in ["A", "B", "C", "D", "G", "bits-R5"] {
            let plane = read(&folder.path(&format!("{model}/{plane}.png")));
            assert_eq!(plane.dimensions(), (48, 20), "{model}");
        }
    }
    let bytes = |model: &str| fs::read(folder.path(&format!("{model}/G.png"))).unwrap();
    assert_eq!(bytes("ideal"), bytes("level0"));
    assert_eq!(bytes("measured"), bytes("level3"));
    assert_ne!(bytes("level1"), bytes("level2"));
    assert_ne!(bytes("ideal"), bytes("level1"));
}

#[test]
fn the_machine_of_a_kernel_file() {
    let folder = folder("mov(H,A); add(B,A,H);");
    let on = |machine: &str| {
        folder.write("chip.toml", machine);
        folder.cain(&["run", "program.scamp", "--size", "8", "--machine", "chip.toml"])
    };
    let table = on("[machine]\nregisters = 18\nnanoseconds = { analogue = 100 }\n").good();
    assert!(table.lines().any(|line| line.split_whitespace().any(|cell| cell == "0.40")), "{table}");
    assert!(
        on("[machine]\nregisters = 7\n").bad()[0].starts_with("program.scamp:1:5: `H` is not an analogue register")
    );
    assert_eq!(
        on("[machine]\nregisters = 18\ninstructions = [\"mov\"]\n").bad(),
        ["program.scamp:1:11: the machine has no instruction `add`"]
    );
    assert_eq!(
        on("[machine]\nregister = 18\n").bad(),
        ["chip.toml:2:1: `machine`: unknown key `register`; did you mean `registers`?"]
    );
}

/// A filter says for which machine it is, and a chip has errors of its own.
#[test]
fn the_errors_of_a_chip() {
    let folder = Folder::new("[same]\ninputs = [\"A\"]\noutputs.B = { kernel = [[0, 0, 1]] }\n");
    let on = |machine: &str| {
        folder.write("chip.toml", machine);
        let args =
            ["run", "kernels.toml", "--size", "8", "--seed", "1", "--model", "measured", "--machine", "chip.toml"];
        folder.cain(&args)
    };
    let [published, worse] = ["[machine.errors]\n", "[machine.errors]\ngain = 0.5\n"].map(|machine| on(machine).good());
    assert_ne!(published, worse);
    let other = on("[machine]\nregisters = 18\n");
    let problem = other.bad()[0];
    assert!(problem.starts_with("chip.toml: describes another machine than the one that is compiled for"), "{problem}");
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
        // B has the light, 127 DN for white, and A the value of the byte.
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
        ("bus(A,XE,B,XW);", "program.scamp:1:1: `bus`: `XE` and `XW` are both NEWS"),
        ("mov(B,\n  H);", "program.scamp:2:3: `H` is not an analogue register of this machine, which has `A` to `F`"),
        ("where(A);\nbus(PIX,A);", "program.scamp:2:1: `bus`: `PIX` cannot be written"),
        ("MOV(R5,R5);", "program.scamp:1:1: `MOV`: register `R5` is read and written by one digital word"),
        (
            "SET(R1,R2); gauss(B,A);",
            "program.scamp:1:13: how far `blur` spreads is not published; choose it with --diff",
        ),
        ("sq(A);", "program.scamp:1:1: the scale of `sq` is not published; choose it with --square"),
        ("bus(NEWS,IN);", "program.scamp:1:1: the level of `IN` is not set; choose it with --in 20"),
        ("scamp5_in(B,20);", "program.scamp:1:1: this is a function of the controller"),
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
    for (option, value, expected) in [
        ("--size", "0", "expected two numbers from 1 to 4096"),
        ("--size", "20x9999", "expected two numbers from 1 to 4096"),
        ("--diffusion", "NaN", "expected a number from 0 to 0.5"),
        ("--square", "inf", "expected a number such as"),
        ("--registers", "0", "0 is not in 1..=256"),
        ("--input", "G", "--input: `G` is not an analogue register of this machine"),
    ] {
        let run = folder.cain(&["run", "program.scamp", option, value]);
        assert!(!run.succeeded && run.stderr.contains(expected), "{}", run.stderr);
    }
    let taken = folder.cain(&["run", "program.scamp", "-o", "in.png"]);
    assert!(taken.bad()[0].starts_with("in.png: cannot be written to: "));
}

/// There are endless programs, pictures too large for memory, and files that are not text.
#[test]
#[cfg(target_os = "linux")]
fn more_than_can_be_kept() {
    let folder = Folder::new("");
    folder.write("endless.scamp", &" ".repeat((4 << 20) + 1));
    let run = folder.cain(&["run", "endless.scamp"]);
    assert_eq!(run.bad(), ["endless.scamp: the program is larger than 4194304 bytes; split it"]);
    folder.write("long.scamp", &"neg(B,A);\n".repeat(6));
    let run = folder.cain(&["run", "long.scamp", "--steps", "--size", "4096"]);
    assert_eq!(
        run.bad(),
        [
            "long.scamp: an animation of 6 steps has 301989888 pixels, and 268435456 can be kept; choose a smaller array with \
             --size, or leave out --steps"
        ]
    );
    folder.write("marked.scamp", "\u{feff}mov(B,A);\nmul(B,A);");
    assert_eq!(folder.cain(&["run", "marked.scamp"]).bad(), ["marked.scamp:2:1: `mul`: no such instruction"]);
    fs::write(folder.path("latin.scamp"), b"mov(B,A);\n// \xfc").unwrap();
    let run = folder.cain(&["run", "latin.scamp"]);
    assert_eq!(run.bad(), ["latin.scamp:2:4: the file is not UTF-8 from here on; save it as UTF-8"]);
    assert!(!folder.path("planes").exists());
}
