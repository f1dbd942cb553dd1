//! Tests of whole programs.

use std::fs;

use image::{GrayImage, ImageFormat, Luma};
use serde_json::{Value, json};

use crate::Folder;

const MOTION: &str = "\
/// What moves in front of a slowly learned background.
pub program movement(image, threshold: 0..=127 = 24, learn: bool = true) -> (mask, pixels, area, next background) {
    state background = image;
    let change = abs(image - background);
    let mask = change > threshold;
    next background = background + 1/8 * (image - background) where !mask & learn;
    let pixels = count(mask);
    let area = bounds(mask);
}

/// The brightest parts, at most four of them.
program blobs(image) -> (boxes, left) {
    var rest = image > 100;
    list boxes;
    while any(rest), at most 4 {
        let blob = flood(point(first(rest)), rest, until stable);
        rest = rest & !blob;
        boxes += bounds(blob);
    }
    let left = count(rest);
}
";

/// Where a bright square is in each frame: its first row and column, of 16 PEs.
const SQUARES: [(u32, u32); 3] = [(40, 50), (40, 58), (100, 200)];

/// A folder with programs, and with frames in which a square moves over a dark gradient.
fn folder() -> Folder {
    let folder = Folder::new("");
    folder.write("motion.cain", MOTION);
    fs::create_dir(folder.path("frames")).unwrap();
    for (number, (top, left)) in SQUARES.into_iter().enumerate() {
        let picture = GrayImage::from_fn(256, 256, |x, y| {
            let is_inside = (top..top + 16).contains(&y) && (left..left + 16).contains(&x);
            Luma([if is_inside { 250 } else { u8::try_from(x / 4 + 20).unwrap() }])
        });
        picture.save_with_format(folder.path(&format!("frames/{number}.png")), ImageFormat::Png).unwrap();
    }
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn frames_follow_each_other() {
    let folder = folder();
    let run =
        folder.cain(&["run", "motion.cain", "movement", "--frames", "frames", "--json", "--planes", "out"]).good();
    let frames = lines(&run);
    let area = |frame: usize| frames[frame]["area"].clone();
    assert_eq!(frames.iter().map(|frame| frame["frame"].clone()).collect::<Vec<_>>(), [json!(0), json!(1), json!(2)]);
    assert_eq!(
        frames.iter().map(|frame| frame["pixels"].clone()).collect::<Vec<_>>(),
        [json!(0), json!(256), json!(512)]
    );
    // The background keeps the square of the first frame, which was never a movement.
    assert_eq!([area(0), area(1), area(2)], [json!(null), json!([40, 50, 55, 73]), json!([40, 50, 115, 215])]);
    let mask = image::open(folder.path("out/mask-0001.png")).unwrap().to_luma8();
    assert_eq!(mask.get_pixel(50, 40).0, [255]);
    assert_eq!(mask.get_pixel(60, 45).0, [0]);
    let background = image::open(folder.path("out/background-0000.png")).unwrap().to_luma8();
    assert_eq!(background.get_pixel(50, 40).0, [250]);
    assert_eq!(background.get_pixel(200, 9).0, [70]);
    assert!(!folder.path("out/pixels-0000.png").exists());
}

#[test]
fn parameters_are_set_and_runs_checked() {
    let folder = folder();
    let args =
        ["run", "motion.cain", "movement", "--frames", "frames", "--param", "threshold=127", "--param", "learn=false"];
    let run = folder.cain(&[&args[..], &["--check"]].concat());
    assert!(run.succeeded, "{}", run.stderr);
    assert_eq!(run.stderr, "check: all results of 3 frames are what they mean\n");
    assert!(run.stdout.starts_with("frame"), "{}", run.stdout);
    assert!(run.stdout.contains("the longest frame: "), "{}", run.stdout);
    let measured = folder.cain(&[&args[..], &["--model", "measured", "--seed", "3", "--check"]].concat());
    assert!(measured.succeeded, "{}", measured.stderr);
}

/// Whatever is on the way to a multiple of a sum leaves the range of registers only where the result does.
#[test]
fn multiples_saturate_only_where_they_leave_the_range() {
    let folder = Folder::new("");
    let ramp = GrayImage::from_fn(64, 64, |x, _| Luma([u8::try_from(28 + 3 * x).unwrap()]));
    ramp.save_with_format(folder.path("ramp.png"), ImageFormat::Png).unwrap();
    for (what, below) in [("2 * (image + 48)", -60), ("2 * image - 62", -100), ("4 * (image - image@(2, 0))", -20)] {
        folder.write(
            "p.cain",
            &format!("program p(image) -> (n) {{ let z = {what}; let n = count(z < {below} & !border()); }}"),
        );
        let count = |model: &str| {
            let args = ["run", "p.cain", "--frames", "ramp.png", "--size", "64", "--json", "--model", model];
            lines(&folder.cain(&args).good())[0]["n"].as_u64().unwrap()
        };
        let wanted = count("ideal");
        assert!(wanted > 200, "{what}: {wanted}");
        assert_eq!(count("saturating"), wanted, "{what}");
    }
}

/// The standard input may be a file of whole programs.
#[test]
fn programs_are_read_from_the_standard_input() {
    let folder = folder();
    for args in
        [&["compile", "-"][..], &["show", "-", "blobs"], &["generate", "-", "--lang", "cpp"], &["run", "-", "blobs"]]
    {
        let run = folder.cain_reads(args, MOTION);
        assert!(run.succeeded, "{args:?}: {}", run.stderr);
    }
    let broken = folder.cain_reads(&["compile", "-"], "program p(image) -> (m) { let m = image >; }");
    assert!(broken.stderr.starts_with("-:1:"), "{}", broken.stderr);
}

/// `--output` is the folder of the planes that are results; where none is a plane, nothing is searched or run.
#[test]
fn planes_go_to_the_output() {
    let folder = folder();
    let run = ["run", "motion.cain", "movement", "--frames", "frames", "-o", "out"];
    folder.cain(&run).good();
    assert_eq!(image::open(folder.path("out/mask-0002.png")).unwrap().to_luma8().dimensions(), (256, 256));
    folder.write("count.cain", "program many(image) -> (n) { let n = count(image > 0); }");
    for (option, what) in [
        ("-o", "--output: no result"),
        ("--planes", "--planes: no result"),
        ("--animate", "--animate: neither a state nor a result"),
    ] {
        let wanted = format!("count.cain: {what} of `many` is a plane, so that there is no picture; leave it out");
        assert_eq!(folder.cain(&["run", "count.cain", option, "none"]).bad(), [wanted]);
    }
    assert!(!folder.path("none").exists());
}

/// Where a run differs from what it means, the place of the first value is told, and both values.
#[test]
fn differences_are_told_with_their_place() {
    let folder = folder();
    folder.write(
        "dark.cain",
        "program dark(image) -> (mask, found) { let mask = image > -80; let found = bounds(mask); }",
    );
    let args = ["run", "dark.cain", "--frames", "frames", "--model", "measured", "--seed", "3", "--check", "--json"];
    let run = folder.cain(&args);
    assert!(run.succeeded, "{}", run.stderr);
    let first = "check: `mask` differs from its meaning in ";
    let line = run.stderr.lines().find(|line| line.starts_with(first)).unwrap();
    assert!(line.contains("; first in frame 0, row "), "{line}");
    assert!(
        line.ends_with(" on the array, 0 in the reference") || line.ends_with(" on the array, 1 in the reference"),
        "{line}"
    );
    assert!(line.contains(" of 196608 values; "), "{line}");
}

/// What is told of the errors of a chip is what the pictures of both arrays show.
#[test]
fn errors_of_a_chip_are_told() {
    let folder = folder();
    folder.write(
        "p.cain",
        "program p(image) -> (far, bright) { let far = 1/2 * image@(0, 3); let bright = image > -85; }",
    );
    let run = |model: &str, more: &[&str]| {
        let args = ["run", "p.cain", "--frames", "frames", "--model", model, "--planes", model];
        folder.cain(&[&args[..], more].concat()).good()
    };
    let lines = lines(&run("measured", &["--json"]));
    let told = run("measured", &[]);
    assert!(told.contains("\nbeside an ideal array with the same frames:\n  `far`: errors of "), "{told}");
    assert!(!run("ideal", &[]).contains("beside") && !run("ideal", &["--json"]).contains("errors"));
    let grey = |model: &str, name: &str, frame: usize| {
        image::open(folder.path(&format!("{model}/{name}-{frame:04}.png"))).unwrap().into_luma8().into_raw()
    };
    for (frame, line) in lines.iter().enumerate() {
        let apart = |name: &str| {
            let pairs = grey("measured", name, frame).into_iter().zip(grey("ideal", name, frame));
            pairs.map(|(found, wanted)| f64::from(found) - f64::from(wanted)).collect::<Vec<f64>>()
        };
        let mean = |of: &[f64], power: i32| of.iter().map(|apart| apart.powi(power)).sum::<f64>() / 65536.0;
        let [far, bright] = ["far", "bright"].map(|name| {
            let errors = line["errors"].as_array().unwrap();
            errors.iter().find(|result| result["name"] == name).unwrap()
        });
        let levels = apart("far");
        let (rms, bias) = (far["rms"].as_f64().unwrap(), far["bias"].as_f64().unwrap());
        // Pictures have whole levels, halves rounded up, and the noise of the converter.
        let (of_pictures, mean) = (mean(&levels, 2).sqrt(), mean(&levels, 1));
        assert!((rms - of_pictures).abs() < 0.4 && (bias - mean).abs() < 0.4, "{of_pictures} {mean} {line}");
        let wrong = u32::try_from(apart("bright").into_iter().filter(|bit| bit.abs() > 0.0).count()).unwrap();
        let wrong = f64::from(wrong) / 65536.0;
        assert!((bright["wrong"].as_f64().unwrap() - wrong).abs() < 1e-6 && wrong > 0.0, "{line}");
    }
    let shown = folder.cain(&["show", "p.cain"]).good();
    assert!(shown.contains("  expected on a chip, in frames of an example scene:\n    `far`: errors of "), "{shown}");
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "p.cain", "--json"]).good()).unwrap();
    assert!(record["errors"][0]["rms"].as_f64().unwrap() > 0.0, "{record}");
    assert!(folder.cain(&["compile", "p.cain"]).good().contains("  far: "));
}

/// A result of which nothing is left on a chip is told, at the program.
#[test]
fn lost_results_are_told() {
    let folder = Folder::new("");
    // What is near the end of the range comes nearer to 0 with each copy.
    let text =
        "program p(image) -> (next age) {\n    state age: levels = -127;\n    next age = min(age + 1, 127);\n}\n";
    folder.write("p.cain", text);
    let run = folder.cain(&["compile", "p.cain"]);
    let expected =
        "p.cain:1:9: program `p`: `age` is expected to be lost on a chip: in frames of an example scene its errors";
    assert!(run.succeeded && run.stderr.starts_with(expected), "{}", run.stderr);
}

#[test]
fn kernel_files_have_programs_too() {
    let folder = folder();
    let program = "program part(image, part: region) -> (mask, next seen) {\n    state seen = 0;\n    let mask = image > 100 & \
                   inside(part);\n    next seen = seen + count(mask);\n}";
    let text = format!(
        "program = \"\"\"\n{program}\n\"\"\"\n[gauss]\ninputs = [\"A\"]\noutputs.A = {{ scale = \"1/4\", kernel = [[1, 2, 1]] }}\n"
    );
    folder.write("kernels.toml", &text);
    let run = [
        "run",
        "kernels.toml",
        "part",
        "--frames",
        "frames",
        "--json",
        "--param",
        "part=44,0,256,256",
        "--animate",
        "out",
    ];
    let seen: Vec<_> = lines(&folder.cain(&run).good()).iter().map(|frame| frame["seen"].clone()).collect();
    assert_eq!(seen, [json!(192), json!(384), json!(640)]);
    assert_eq!(image::open(folder.path("out/mask.png")).unwrap().to_luma8().dimensions(), (256, 256));
    assert!(!folder.path("out/seen.png").exists());
    for (setting, problem) in [
        (
            "part=4",
            "--param: `part` is a region; set it with `part=TOP,LEFT,HEIGHT,WIDTH`, or a part of it as in `part.top=8`",
        ),
        ("part=0,0,9,257", "--param: `part.width` is 257; expected a number from 0 to 256"),
        ("part.top=1,2,3,4", "--param: `part.top` is given 4 numbers, which only regions have"),
    ] {
        assert_eq!(folder.cain(&["run", "kernels.toml", "part", "--param", setting]).bad(), [problem]);
    }
    folder.write("kernels.toml", &text.replace("inside", "insde"));
    let run = folder.cain(&["run", "kernels.toml", "part"]);
    assert_eq!(run.bad(), ["kernels.toml:4:30: unknown function `insde`; did you mean `inside`?"]);
}

#[test]
fn lists_are_told() {
    let folder = folder();
    let frames = lines(&folder.cain(&["run", "motion.cain", "blobs", "--frames", "frames", "--json"]).good());
    let boxes: Vec<_> = frames.iter().map(|frame| frame["boxes"].clone()).collect();
    assert_eq!(boxes, [json!([[40, 50, 55, 65]]), json!([[40, 58, 55, 73]]), json!([[100, 200, 115, 215]])]);
    assert!(frames.iter().all(|frame| frame["left"] == 0));
}

#[test]
fn wrong_arguments_are_told() {
    let folder = folder();
    for (args, problem) in [
        (&["movement", "--param", "threshold=128"][..], "--param: `threshold` is 128; expected a number from 0 to 127"),
        (&["movement", "--param", "treshold=1"], "--param: unknown parameter `treshold`; did you mean `threshold`?"),
        (&["movement", "--param", "threshold=true"], "--param: `threshold` is true; expected a number from 0 to 127"),
        (&["movement", "--param", "learn=2"], "--param: `learn` is 2; expected `true` or `false`"),
        (&["movement", "--param", "learn=true", "--param", "learn=1"], "--param: `learn` is set twice"),
        (&["movement", "--frames", "imag=frames"], "--frames: unknown input `imag`; did you mean `image`?"),
        (&["movement", "--image", "frames"], "motion.cain: `--image` is for filters; a whole program takes `--frames`"),
        (&["blobs", "--param", "x=1"], "--param: program `blobs` has no parameters"),
        (&["move"], "motion.cain: unknown program `move`; expected `movement` or `blobs`"),
        (&[], "motion.cain: a run is of one program; name one of `movement`, `blobs`"),
    ] {
        let run = folder.cain(&[&["run", "motion.cain"], args].concat());
        assert_eq!(run.bad(), [problem]);
    }
}

#[test]
fn programs_are_compiled_and_shown() {
    let folder = folder();
    let table = folder.cain(&["compile", "motion.cain"]).good();
    assert!(table.starts_with("program"), "{table}");
    assert!(
        table.contains("movement: frame") && table.contains("blobs: frame: loop, each of at most 4 passes"),
        "{table}"
    );
    let record: Value =
        serde_json::from_str(&folder.cain(&["compile", "motion.cain", "movement", "--json"]).good()).unwrap();
    assert_eq!(record["parameters"][0], json!({ "name": "threshold", "range": [0, 127], "default": 24 }));
    assert_eq!(record["states"][0]["kind"], "levels");
    assert_eq!(record["verified"], true);
    let shown = folder.cain(&["show", "motion.cain", "movement"]).good();
    assert!(shown.contains("What moves in front of a slowly learned background."), "{shown}");
    assert!(shown.contains("states: background (levels, "), "{shown}");
    let generated = folder.cain(&["generate", "motion.cain"]).good();
    assert!(generated.contains("pub struct Movement(") && generated.contains("pub struct Parameters"), "{generated}");
}

/// What is not defined at the border does not come in with the frames: everything is what it means.
#[test]
fn recurrent_states_are_defined() {
    let folder = folder();
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/programs/recurrent.cain")).unwrap();
    folder.write("recurrent.cain", &text);
    let run = folder.cain(&["run", "recurrent.cain", "--frames", "frames", "--check"]);
    assert_eq!(run.stderr, "check: all results of 3 frames are what they mean\n");
}

/// A flood without a limit counts with one pass.
#[test]
fn open_loops_count_once() {
    let folder = Folder::new("");
    folder.write("flooding.cain", "program flooding(image) -> (p) { let p = flood(border(), image > 0); }\n");
    let table = folder.cain(&["compile", "flooding.cain"]).good();
    let number =
        |line: &str| line.split("  ").filter(|cell| !cell.is_empty()).nth(1).unwrap().trim().parse::<u64>().unwrap();
    let words: Vec<u64> = table.lines().skip(2).map(number).collect();
    assert!(table.contains("passes, their number is open"), "{table}");
    assert!(table.contains("flooding, one pass of open loops"), "{table}");
    assert_eq!(words[2], words[0] + words[1], "{table}");
}

/// What searches found is in plans, and not searched for again.
#[test]
fn programs_have_plans() {
    let folder = folder();
    folder.cain(&["pin", "motion.cain"]);
    let plan = folder.read("plans/movement.scamp");
    assert!(plan.contains("\nwhole: movement\n") && plan.contains("\nsearches: "), "{plan}");
    let shown = folder.cain(&["show", "motion.cain", "movement"]).good();
    assert!(shown.contains("the longest frame"), "{shown}");
    // Another program has other searches.
    folder.write("motion.cain", &MOTION.replace("1/8", "1/4"));
    let shown = folder.cain(&["show", "motion.cain", "movement"]);
    assert!(shown.stderr.contains("its plan is not used"), "{}", shown.stderr);
}

/// A plan that was changed by hand is no bug of the compiler.
#[test]
fn changed_plans_are_told() {
    let folder = folder();
    folder.write("one.cain", "program one(image) -> (n) { let b = image > 3; let n = count(b & b@east@east); }");
    folder.cain(&["pin", "one.cain"]);
    let plan = folder.read("plans/one.scamp");
    let changed = plan.replacen("\nNOR(", "\nOR(", 1);
    assert_ne!(plan, changed);
    folder.write("plans/one.scamp", &changed);
    let wanted = "plans/one.scamp:2:1: the programs in the plan do not compute what is declared; run `cain pin` to write the plan anew";
    assert_eq!(folder.cain(&["pin", "--check", "one.cain"]).bad().last(), Some(&wanted));
}

/// A file without programs is told as that.
#[test]
fn empty_files_are_told() {
    let folder = folder();
    folder.write("none.cain", "// Nothing.\n");
    let wanted =
        "none.cain: the file has no program; one is `program bright(image) -> (mask) { let mask = image > 40; }`";
    assert_eq!(folder.cain(&["compile", "none.cain"]).bad(), [wanted]);
}

/// The picture of a program: names, and the planes in the column of each register, from their first to their last row.
struct Picture {
    text: String,
    /// For each plane its column, its top, its bottom and its name; lengths in tenths.
    planes: Vec<(i64, i64, i64, String)>,
}

impl Picture {
    fn of(folder: &Folder, name: &str) -> Self {
        let text = folder.cain(&["show", "motion.cain", name, "--format", "svg"]).good();
        let attribute = |line: &str, name: &str| -> i64 {
            let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.replace('.', "").parse().unwrap()
        };
        let lines: Vec<&str> = text.lines().collect();
        let planes = lines.windows(2).filter(|pair| pair[0].contains(" fill-opacity="));
        let plane = |pair: &[&str]| {
            let [x, y, height] = ["x", "y", "height"].map(|name| attribute(pair[0], name));
            let (_, name) = pair[1].split_once('>').unwrap();
            (x, y, y + height, name.split_once('<').unwrap().0.to_owned())
        };
        Self { planes: planes.map(plane).collect(), text }
    }

    /// The planes of that name.
    fn named(&self, name: &str) -> Vec<&(i64, i64, i64, String)> {
        self.planes.iter().filter(|(.., other)| other == name).collect()
    }
}

#[test]
fn pictures_show_what_registers_hold() {
    let folder = folder();
    let movement = Picture::of(&folder, "movement");
    let rows = movement.planes.iter().map(|(_, _, bottom, _)| *bottom).max().unwrap();
    // No register holds two planes at a time.
    for (number, (x, top, bottom, name)) in movement.planes.iter().enumerate() {
        let others = movement.planes.iter().skip(number + 1).filter(|(other, ..)| other == x);
        for (_, other_top, other_bottom, other) in others {
            assert!(bottom <= other_top || other_bottom <= top, "{name} and {other}");
        }
    }
    // The state is there at the beginning and at the end, in the same register.
    let [before, after] = ["background", "next background"].map(|name| movement.named(name));
    assert!(before.len() == 1 && after.len() == 1, "{:?}", movement.planes);
    assert_eq!((before[0].0, after[0].2), (after[0].0, rows), "{:?}", movement.planes);
    // The picture is read by what the state becomes, the mask is a result.
    let (_, _, read, _) = movement.named("image")[0];
    let (_, made, kept, _) = movement.named("mask")[0];
    assert!(read > made && *kept == rows, "{:?}", movement.planes);
    let blobs = Picture::of(&folder, "blobs");
    assert!(blobs.text.contains(">at most 4 times:<") && blobs.text.contains(">in each pass:<"), "{}", blobs.text);
    // What the next pass reads is held to the end of the loop.
    let ends: Vec<i64> = blobs.named("rest").iter().map(|(_, _, bottom, _)| *bottom).collect();
    let blob = blobs.named("blob").iter().map(|(_, _, bottom, _)| *bottom).max().unwrap();
    assert!(ends.iter().any(|end| *end > blob), "{:?}", blobs.planes);
    let both = folder.cain(&["show", "motion.cain", "--format", "svg"]);
    assert_eq!(both.bad(), ["motion.cain: a picture shows one filter; name one of `movement`, `blobs`"]);
    let page = folder.cain(&["show", "motion.cain", "blobs", "--format", "html"]).bad().concat();
    assert!(
        page.contains("whole programs are shown as `--format text`, `--format scamp5` and `--format svg` only"),
        "{page}"
    );
}

/// A network that a program calls, with a state that is alive meanwhile: the array tells what the network computes by itself.
#[test]
fn networks_are_called() {
    let layers = "\
        input = { size = [20, 24], levels = '-64..63.5', range = '0..255' }\n\
        [[network.look.layer]]\nname = 'sums'\nop = 'convolution'\nscale = '1/8'\npadding = 1\n\
        kernels = [[[1, 2, 1], [2, 4, 2], [1, -2, 1]], [[-1, 0, 2], [-2, 0, 3], [-1, 0, 1]]]\nbias = [3, -8]\n\
        [[network.look.layer]]\nname = 'rectified'\nop = 'relu'\n\
        [[network.look.layer]]\nname = 'pooled'\nop = 'max_pool'\nsize = 2\n\
        [[network.look.layer]]\nname = 'mixed'\nop = 'convolution'\nscale = '1/4'\n\
        kernels = [[[[1, 0], [0, 1]], [[-1, 0], [0, 2]]], [[[0, 0], [1, 0]], [[0, -1], [0, 0]]]]\n\
        [[network.look.layer]]\nname = 'bits'\nop = 'threshold'\nat = [41.3, 22.2]\n\
        [[network.look.layer]]\nname = 'counts'\nop = 'windows'\nsize = [4, 5]\n\
        [[network.look.layer]]\nname = 'scores'\nop = 'dense'\n\
        weights = [[1, 2, 3, 4, -5, 6, 7, -8], [-3, 2, -1, 0, 9, 8, 7, 6]]\nbias = [1, 40]\n\
        [[network.look.layer]]\nname = 'class'\nop = 'argmax'\n\
        [[network.look.layer]]\nname = 'told'\nop = 'affine'\nscale = 1\nfrom = 'scores'\n";
    let file = format!(
        "program = '''
        pub program watch(image) -> (class, scores, kept) {{
            state before: bits = image > 100;
            let now = image > 100;
            let (class, scores) = look(1/2 * image, at = (36, 44));
            let kept = count(before ^ now);
            next before = now;
        }}
        '''
        [network.look]\n{layers}"
    );
    let folder = folder();
    folder.write("look.toml", &file);
    let run = folder.cain(&["run", "look.toml", "watch", "--frames", "frames", "--json", "--check"]);
    assert_eq!(run.stderr, "check: all results of 3 frames are what they mean\n");
    let networks = cain_codegen::kernel_file::parse_networks(&file, &mut |_| Err(String::new())).unwrap();
    let network = &networks[0].of.network;
    let pictures: Vec<GrayImage> =
        (0..3).map(|number| image::open(folder.path(&format!("frames/{number}.png"))).unwrap().to_luma8()).collect();
    for (number, line) in lines(&run.stdout).iter().enumerate() {
        let greys: Vec<u8> =
            (0..20 * 24).map(|place| pictures[number].get_pixel(44 + place % 24, 36 + place / 24).0[0]).collect();
        let values = network.evaluate(&greys).unwrap();
        let [cain_network::Value::Numbers(class), cain_network::Value::Numbers(scores)] = &values[7..] else {
            panic!("{values:?}")
        };
        let told = |of: &Value| of.as_f64().unwrap();
        assert_eq!(vec![told(&line["class"])], *class, "frame {number}");
        assert_eq!(line["scores"].as_array().unwrap().iter().map(told).collect::<Vec<_>>(), *scores, "frame {number}");
        assert_eq!(line["kept"], json!([0, 256, 512][number]));
    }
}

/// What is needed later is told with its places in the kernel file.
#[test]
fn places_are_those_of_the_kernel_file() {
    let folder = folder();
    let text = "program = '''
program full(image) -> (r) {
    let a = abs(image);
    let b = abs(image@(3 east));
    let c = abs(image@(5 south));
    let d = abs(image@(7 north));
    let e = abs(image@(9 west));
    let f = abs(a - b@(4 east) + abs(c@(2 west) - a@(6 north)));
    let r = max(f, a, b, c, d, e, min(a, b), min(d, e), abs(f - d - e));
}
'''
";
    folder.write("full.toml", text);
    let expected = "full.toml:9:13: program `full`: no analogue register is left: 7 planes of levels are needed at once, one more than fit; those that \
                    are needed later are made at 2:14, 3:13, 4:13, 5:13, 8:13, 9:13";
    assert_eq!(folder.cain(&["compile", "full.toml"]).bad(), [expected]);
}

/// Filters of a kernel file, called by a program in the file itself, in a file of programs and in a source file.
#[test]
fn kernel_files_are_used() {
    const SMOOTH: &str = "[smooth]\ninputs = ['A']\noutputs.A = { scale = '1/4', kernel = [[1, 2, 1]] }\n";
    let folder = folder();
    let program = "pub program edges(image) -> (pixels) {\n    let pixels = count(smooth(image) > 10);\n}\n";
    folder.write("edges.toml", &format!("program = \"\"\"\n{program}\"\"\"\n{SMOOTH}"));
    folder.write("filters.toml", SMOOTH);
    folder.write("edges.cain", &format!("use \"filters.toml\";\n{program}"));
    folder.write(
        "edges.rs",
        &format!("cain_runtime::scamp_program! {{ use smooth from \"filters.toml\"; {program} }}\n"),
    );
    let run = |file: &str| folder.cain(&["run", file, "edges", "--frames", "frames", "--json"]).good();
    let counts: Vec<u64> = lines(&run("edges.toml")).iter().map(|frame| frame["pixels"].as_u64().unwrap()).collect();
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
    let generated = |file: &str| {
        let text = folder.cain(&["generate", file]).good();
        text.split_once("pub struct Edges").unwrap().1.to_owned()
    };
    let [inside, beside] = ["edges.toml", "edges.cain"].map(generated);
    assert_eq!(inside, beside);
    for file in ["edges.cain", "edges.rs"] {
        assert_eq!(run(file), run("edges.toml"));
        let shown = folder.cain(&["show", file, "edges"]).good();
        assert!(shown.contains("the longest frame"), "{shown}");
    }
    // The plan is that of the filter as it was.
    folder.cain(&["pin", "edges.cain"]);
    assert!(folder.path("plans/edges.scamp").exists());
    let table = folder.cain(&["compile", "edges.cain"]);
    assert!(table.succeeded && !table.stderr.contains("its plan is not used"), "{}", table.stderr);
    folder.write("filters.toml", &SMOOTH.replace("[1, 2, 1]", "[1, 1, 2]"));
    let shown = folder.cain(&["show", "edges.cain", "edges"]);
    assert!(shown.stderr.contains("its plan is not used"), "{}", shown.stderr);
    folder.write("filters.toml", &SMOOTH.replace("smooth", "smoth"));
    let wrong = folder.cain(&["compile", "edges.cain"]);
    assert_eq!(wrong.bad(), ["edges.cain:3:24: unknown function `smooth`; did you mean `smoth`?"]);
    fs::remove_file(folder.path("filters.toml")).unwrap();
    let missing = "cannot read `filters.toml`: No such file or directory (os error 2); the path is relative to the file with the programs";
    for (file, place) in [("edges.cain", "1:5"), ("edges.rs", "1:48")] {
        for command in ["compile", "run", "show", "generate", "pin"] {
            if (command, file) != ("generate", "edges.rs") {
                assert_eq!(folder.cain(&[command, file]).bad(), [format!("{file}:{place}: {missing}")], "{command}");
            }
        }
    }
}

/// A program in a file of its own, or in a kernel file, that others may interrupt tells how long they wait for it.
#[test]
fn others_wait_for_programs() {
    const CHANGES: &str = "\
        #[interruptible(registers = [E, F, R5], latency <= 4 us)]\n\
        program changes(image, threshold: 0..=127 = 24) -> (mask, pixels) {\n    \
            state before = image;\n    \
            let mask = open(abs(image - before) > threshold, cross);\n    \
            next before = image;\n    \
            let pixels = count(mask);\n\
        }\n";
    let folder = Folder::new(format!("program = '''\n{CHANGES}'''\n"));
    folder.write("changes.cain", CHANGES);
    for file in ["changes.cain", "kernels.toml"] {
        let run = folder.cain(&["compile", file, "--json"]).good();
        let programs = lines(&run);
        let [program] = programs.as_slice() else { panic!("one program: {run}") };
        let [latency] = program["latency"].as_array().unwrap().as_slice() else { panic!("one table: {program}") };
        let latency = latency.as_u64().unwrap();
        assert!((1..=21).contains(&latency), "{latency}");
        assert!(program["states"].as_array().unwrap().iter().all(|state| state["register"] != "E"), "{program}");
        let told = format!("may be left for others on E, F and R5 within {latency} control words");
        for args in [["compile", file, "--listing"], ["show", file, "changes"]] {
            let text = folder.cain(&args).good();
            assert!(text.contains(&told), "{text}");
        }
    }
    // What was found for a program that keeps out of the way of others is pinned, too.
    folder.cain(&["pin", "changes.cain"]).good();
    folder.cain(&["pin", "changes.cain", "--check"]).good();
    folder.write("changes.cain", &CHANGES.replace("4 us", "190 ns"));
    let run = folder.cain(&["compile", "changes.cain"]);
    assert!(
        run.stderr.contains("changes.cain:1:52: others may have to wait for `changes` for up to "),
        "{}",
        run.stderr
    );
}

/// Where a number of a wide range needs a plane for each comparison, the message says so at the comparison.
#[test]
fn wide_ranges_are_told() {
    let folder = Folder::new("");
    let text = |range: &str| {
        format!(
            "program p(image, t: {range}) -> (r) {{
    let r = run(4, [image@d - image > t for d in [north, northeast, east, southeast, south, southwest, west, northwest]]);
}}"
        )
    };
    folder.write("p.cain", &text("0..=255"));
    let message = "p.cain:2:37: program `p`: no analogue register is left: 7 planes of levels are needed at once, one more \
                   than fit: the controller sets levels from -128 to 127, so that with `t` from 0 to 255, a plane is kept for each sum here; declare it with the \
                   range `0..=128`";
    assert_eq!(folder.cain(&["compile", "p.cain"]).bad(), [message]);
    folder.write("p.cain", &text("0..=128"));
    folder.cain(&["compile", "p.cain"]).good();
}

/// What is found out while a program is compiled is told where it is written.
#[test]
fn what_does_not_compile_is_told_at_its_place() {
    let folder = Folder::new("");
    for (text, wanted) in [
        (
            "program p(image) -> (l) {\n  list l;\n  repeat 5000 { l += 7; }\n}\n",
            "3:22: program `p`: a list may have at most 4096 numbers, and this one has room for 5000; lower the limits of the loops \
             around it",
        ),
        (
            "program p(image) -> (l) {\n  list l;\n  repeat 1024 { l += (1, 2, 3, 4, 5); }\n}\n",
            "3:22: program `p`: a list may have at most 4096 numbers, and this one has room for 5120; lower the limits of the loops \
             around it",
        ),
        (
            "program p(image) -> (x) {\n  let y = image > 3;\n  let x = 0.1 * image;\n}\n",
            "3:15: program `p`: a weight of this sum is 1/10, whose denominator is not made of twos and threes; control words divide \
             by nothing else; 13/128 is near",
        ),
    ] {
        folder.write("p.cain", text);
        assert_eq!(folder.cain(&["compile", "p.cain"]).bad(), [format!("p.cain:{wanted}")]);
    }
}
