//! Tests of `cain eval`.

use std::fs;

use serde_json::Value;

use super::Folder;

/// The report if rounding and the array change nothing.
const SAME: &str = "compared with the network of the file in floating point: the same class in 100.00 %, all numbers from the \
                    array in 100.00 %";

/// A network that distinguishes pictures with more vertical edges from those with more horizontal ones.
const NETWORK: &str = r#"
[network.edges]
input = { size = [8, 8], levels = "-60..60", binarise = 128 }
search = { nodes = 400 }

[[network.edges.layer]]
name = "slopes"
op = "convolution"
kernels = [[[[-1, 1], [0, 0]]], [[[-1, 0], [1, 0]]]]

[[network.edges.layer]]
name = "edges"
op = "threshold"
at = 60

[[network.edges.layer]]
name = "counts"
op = "windows"
size = [7, 7]
"#;

/// Stripes: vertical ones are of class 0, horizontal ones of class 1.
pub(super) fn stripes(count: u8) -> (Vec<u8>, Vec<u8>) {
    let head = |magic: u32, sizes: &[u32]| {
        std::iter::once(magic).chain(sizes.to_vec()).flat_map(u32::to_be_bytes).collect::<Vec<u8>>()
    };
    let (mut pictures, mut labels) = (head(0x803, &[count.into(), 8, 8]), head(0x801, &[count.into()]));
    for i in 0..count {
        let vertical = i % 3 == 0;
        for row in 0..8 {
            let across = |column: u8| if vertical { column } else { row };
            let pixel = |column: u8| if (across(column) + i) % 4 < 2 { 0 } else { 200 };
            pictures.extend((0..8).map(pixel));
        }
        labels.push(u8::from(!vertical));
    }
    (pictures, labels)
}

fn folder() -> Folder {
    let folder = Folder::new(NETWORK);
    let (pictures, labels) = stripes(30);
    fs::create_dir(folder.path("data")).unwrap();
    fs::write(folder.path("data/t10k-images-idx3-ubyte"), pictures).unwrap();
    fs::write(folder.path("data/t10k-labels-idx1-ubyte"), labels).unwrap();
    folder
}

#[test]
fn stages_are_compiled_without_pictures() {
    let folder = folder();
    let text = folder.cain(&["compile", "kernels.toml", "--listing"]).good();
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "kernels.toml", "--json"]).good()).unwrap();
    assert_eq!((record["name"].as_str(), record["isa"].as_str()), (Some("edges"), Some("network")));
    let stages = record["parts"].as_array().unwrap();
    for stage in stages {
        let name = stage["name"].as_str().unwrap();
        assert!(
            text.contains(&format!("\nedges: {name} ")) && text.contains(&format!("\n// edges: {name}\n")),
            "{text}"
        );
        let listing = stage["listing"].as_array().unwrap();
        let is_word =
            |line: &&Value| !line.as_str().unwrap().starts_with("scamp5_") && !line.as_str().unwrap().starts_with("//");
        assert_eq!(stage["words"].as_u64(), Some(listing.iter().filter(is_word).count() as u64), "{name}: {listing:?}");
    }
    let report = folder.cain(&["eval", "kernels.toml", "--data", "data", "--json"]).good();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(record["words"], report["words"]);
}

#[test]
fn predictions_are_those_of_the_network_whatever_the_threads() {
    let folder = folder();
    let text = folder.cain(&["eval", "kernels.toml", "--data", "data", "--json", "--threads", "2"]).good();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["network"], "edges");
    assert_eq!((report["images"].as_u64(), report["correct"].as_u64()), (Some(30), Some(30)));
    let wanted: Vec<u64> = (0..30).map(|i| u64::from(i % 3 != 0)).collect();
    let found: Vec<u64> =
        report["predictions"].as_array().unwrap().iter().map(|class| class.as_u64().unwrap()).collect();
    assert_eq!(found, wanted);
    for key in ["accuracy", "words", "array_us", "fps", "macs"] {
        assert!(report[key].as_f64().unwrap() > 0.0, "{key}: {text}");
    }
    assert_eq!(folder.cain(&["eval", "kernels.toml", "--data", "data", "--json", "--threads", "1"]).good(), text);
}

/// The evaluated program is the one that a build would use.
#[test]
fn the_plan_of_a_network_is_used() {
    let folder = folder();
    let eval = ["eval", "kernels.toml", "--data", "data", "--json"];
    let own = folder.cain(&eval).good();
    folder.cain(&["pin", "kernels.toml"]).good();
    assert_eq!(folder.cain(&eval).good(), own);

    let plan = folder.path("plans/edges.scamp");
    let text = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, text.replace("-60..60", "-50..50")).unwrap();
    let stale = folder.cain(&eval);
    assert!(stale.bad().concat().contains("edges.scamp:2:1:"), "{:?}", stale.bad());
    assert_eq!(folder.cain(&[&eval[..], &["--nodes", "400"]].concat()).good(), own);
    assert_eq!(folder.cain(&[&eval[..], &["--plans", "data"]].concat()).good(), own);
}

#[test]
fn tables_and_a_picture_of_what_is_misread() {
    let folder = folder();
    let args =
        ["eval", "kernels.toml", "edges", "--data", "data", "--limit", "20", "--model", "measured", "-o", "bad.png"];
    let text = folder.cain(&args).good();
    assert!(text.contains("of 20 pictures are recognised"), "{text}");
    assert!(fs::read(folder.path("bad.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn errors_name_the_file_and_the_layer() {
    let folder = folder();
    let missing = folder.cain(&["eval", "kernels.toml", "faces", "--data", "data"]);
    assert_eq!(missing.bad(), ["kernels.toml: there is no network `faces`; the file has `edges`"]);

    let pooled =
        NETWORK.replace("op = \"threshold\"\nat = 60", "op = \"mean_pool\"\nsize = 2\npadding = 1\nstride = 1");
    fs::write(folder.file(), pooled).unwrap();
    let unsupported = folder.cain(&["eval", "kernels.toml", "--data", "data"]);
    let message = unsupported.bad().concat();
    assert!(message.starts_with("kernels.toml:") && message.contains("layer `edges` of network `edges`"), "{message}");
    assert!(
        message.contains(
            "the compiler does not do means over fewer pixels at the border, where padding does not count; count it"
        ),
        "{message}"
    );
}

/// If all windows have the same number of pixels, it makes no difference whether padding counts: the first pooling
/// reads none, and the only window of the second has all nine pixels.
#[test]
fn means_that_do_not_depend_on_padding_are_computed() {
    let folder = folder();
    let pooled = NETWORK.replace(
        "[[network.edges.layer]]\nname = \"edges\"",
        r#"[[network.edges.layer]]
name = "means"
op = "mean_pool"
size = 3
stride = 2
padding = [0, 0, 1, 1]

[[network.edges.layer]]
name = "mean"
op = "mean_pool"
size = 4
padding = [1, 1, 0, 0]

[[network.edges.layer]]
name = "edges""#,
    );
    fs::write(folder.file(), pooled.replace("at = 60", "at = 7").replace("size = [7, 7]", "size = 1")).unwrap();
    // On a chip, such means would err by much, of which a warning tells.
    let run = folder.cain(&["eval", "kernels.toml", "--data", "data"]);
    assert!(run.succeeded && run.stdout.contains(SAME), "{}{}", run.stdout, run.stderr);
}

/// Values outside of the array are 0 DN, so 0 has to be 0 DN where padding reads them.
#[test]
fn padding_around_a_picture_that_fills_the_array() {
    let network = NETWORK
        .replace("[8, 8]", "[256, 256]")
        .replace("[[[[-1, 1], [0, 0]]], [[[-1, 0], [1, 0]]]]", "[[[-1, 0, 1]]]\npadding = [0, 1]")
        .replace("[7, 7]", "128");
    let folder = Folder::new(&network);
    fs::create_dir_all(folder.path("data/0")).unwrap();
    let mut picture = b"P5\n256 256\n255\n".to_vec();
    picture.extend((0..=255_u8).flat_map(|row| (0..=255_u8).map(move |column| row.wrapping_mul(3) ^ column)));
    fs::write(folder.path("data/0/a.pgm"), picture).unwrap();
    let text = folder.cain(&["eval", "kernels.toml", "--data", "data"]).good();
    assert!(text.contains(SAME), "{text}");

    fs::write(folder.file(), network.replace("\"-60..60\"", "\"0..100\", range = \"-1..1\"")).unwrap();
    let message = folder.cain(&["eval", "kernels.toml", "--data", "data"]).bad().concat();
    let expected = "layer `slopes` of network `edges`: reads beyond the border of the array, where values are 0 DN, but needs \
                    50.000 DN there";
    assert!(message.contains(expected), "{message}");
}

/// An automaton whose cells count the brightness to their west and east.
const AUTOMATON: &str = r#"
[machine]
registers = 10

[automaton.sides]
size = 8
alive = 26
classes = 2
denominator = 4
layers = [
    [
        [[[1, 0, 0]], [[0, 0, 0]], [[0, 0, 0]]],
        [[[0, 0, 1]], [[0, 0, 0]], [[0, 0, 0]]],
    ],
    [[[[2]], [[-1]]], [[[-1]], [[2]]]],
]
search = { nodes = 400, isa = "macro" }
"#;

#[test]
fn automata_are_evaluated_exactly_whatever_the_threads() {
    let folder = folder();
    fs::write(folder.file(), AUTOMATON).unwrap();
    let evaluated = |threads| {
        let args =
            ["eval", "kernels.toml", "--data", "data", "--limit", "6", "--json", "--threads", threads, "-o", "a.png"];
        let mut report: Value = serde_json::from_str(&folder.cain(&args).good()).unwrap();
        // This is the only figure that depends on the speed of this machine.
        assert!(report.as_object_mut().unwrap().remove("steps_per_second").unwrap().as_f64().unwrap() > 0.0);
        (report, fs::read(folder.path("a.png")).unwrap())
    };
    let (report, animation) = evaluated("2");
    assert_eq!((report["automaton"].as_str(), report["images"].as_u64()), (Some("sides"), Some(6)));
    assert_eq!(report["exact"].as_f64(), Some(1.0));
    let steps: Vec<u64> =
        report["at"].as_array().unwrap().iter().map(|moment| moment["steps"].as_u64().unwrap()).collect();
    assert_eq!(steps, [20, 50, 100, 200]);
    // The file is an animation.
    assert!(animation.windows(4).any(|name| name == b"acTL"));
    assert_eq!(evaluated("1"), (report, animation));
    let text = folder.cain(&["eval", "kernels.toml", "sides", "--data", "data", "--limit", "2"]).good();
    assert!(text.contains("in 100.00 % of the runs every state is that of exact arithmetic"), "{text}");
}

/// How long others wait for a step is told, also after evaluation; a function of Rust cannot be left.
#[test]
fn steps_of_automata_may_be_left() {
    let folder = folder();
    let text = AUTOMATON.replace("registers = 10", "registers = 12").replace(
        "denominator = 4",
        "denominator = 4\ninterruptible = { registers = [\"K\", \"L\", \"R5\"], latency = \"9 us\" }",
    );
    fs::write(folder.file(), text).unwrap();
    let latency = |args: &[&str]| {
        let record: Value = serde_json::from_str(&folder.cain(args).good()).unwrap();
        record["latency"].as_array().unwrap().iter().map(|words| words.as_u64().unwrap()).collect::<Vec<_>>()
    };
    let waits = latency(&["compile", "kernels.toml", "--json"]);
    assert!((1..=47).contains(&waits[0]) && waits.len() == 1, "{waits:?}");
    assert_eq!(latency(&["eval", "kernels.toml", "--data", "data", "--limit", "2", "--json"]), waits);
    assert!(folder.cain(&["show", "kernels.toml"]).good().contains("may be left for others on K, L and R5"));
    let run = folder.cain(&["generate", "kernels.toml"]);
    let [refused] = run.bad()[..] else { panic!("{}", run.stderr) };
    let message = "kernels.toml:10:59: automaton `sides`: arrays of integers run no tasks, so that its function cannot be left; \
                   remove `interruptible`";
    assert_eq!(refused, message);
}

/// The costs of a step are those of the pinned and shown program.
#[test]
fn automata_are_compiled_shown_and_pinned() {
    let folder = folder();
    fs::write(folder.file(), AUTOMATON).unwrap();
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "kernels.toml", "--json"]).good()).unwrap();
    assert_eq!((record["name"].as_str(), record["isa"].as_str()), (Some("sides"), Some("automaton")));
    let parts = record["parts"].as_array().unwrap();
    let names: Vec<_> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random bits", "layer 1", "rectifier 1", "layer 2", "update"]);
    let words: u64 = parts.iter().map(|part| part["words"].as_u64().unwrap()).sum();
    assert_eq!(record["words"].as_u64(), Some(words));

    let shown = folder.cain(&["show", "kernels.toml"]).good();
    let listing = parts[1]["listing"].as_array().unwrap();
    assert!(listing.iter().all(|line| shown.contains(line.as_str().unwrap())), "{shown}");
    let picture = folder.cain(&["show", "kernels.toml", "--format", "svg"]).bad().concat();
    assert!(picture.contains("automaton `sides`: automata are shown as"), "{picture}");
    let cpp = folder.cain(&["generate", "kernels.toml", "--lang", "cpp"]).bad().concat();
    let message = "automaton `sides`: part `rectifier 1`: the vendor's library has no call for the step `";
    assert!(cpp.contains(message) && cpp.ends_with("; generate Rust instead"), "{cpp}");

    folder.cain(&["pin", "kernels.toml", "--plans", "plans"]).good();
    let plan = fs::read_to_string(folder.path("plans/sides.scamp")).unwrap();
    assert!(listing.iter().all(|line| plan.contains(line.as_str().unwrap())), "{plan}");
    folder.cain(&["pin", "kernels.toml", "--plans", "plans", "--check"]).good();
}

/// A plan of which the program of the first layer is executed twice, which changes nothing but its length; and the words of
/// that.
fn twice(plan: &str) -> (String, u64) {
    let mut parts: Vec<String> = plan.split("\n\n").map(str::to_owned).collect();
    let costs = |part: &str| part.lines().find(|line| line.starts_with("cost: ")).unwrap().to_owned();
    let number =
        |line: &str, key: &str| -> u64 { line.split_once(key).unwrap().1.split(' ').next().unwrap().parse().unwrap() };
    let (whole, layer) = (costs(&parts[0]), costs(&parts[1]));
    let (macros, words) = (number(&layer, "macros="), number(&layer, "icws="));
    parts[0] = parts[0].replace(&whole, &format!("cost: words={}", number(&whole, "words=") + words));
    let doubled = layer.replace(&format!("={macros} "), &format!("={} ", 2 * macros));
    let doubled = doubled.replace(&format!("icws={words} "), &format!("icws={} ", 2 * words));
    // It is no longer the shortest.
    parts[1] = parts[1].replace(&layer, &doubled).replace("stop=proved", "stop=nodes");
    parts[2] = format!("{}\n{}", parts[2], parts[2]);
    (parts.join("\n\n"), words)
}

/// Like filters and networks, automata are shown and evaluated with the programs that a build uses.
#[test]
fn automata_have_the_programs_of_their_plans() {
    let folder = folder();
    fs::write(folder.file(), AUTOMATON).unwrap();
    folder.cain(&["pin", "kernels.toml"]).good();
    let plan = folder.read("plans/sides.scamp");
    let eval = ["eval", "kernels.toml", "--data", "data", "--limit", "1", "--json"];
    let words = |args: &[&str]| {
        let shown = folder.cain(&["show", "kernels.toml"]).good();
        let evaluated: Value = serde_json::from_str(&folder.cain(&[&eval, args].concat()).good()).unwrap();
        let shown = shown.lines().find_map(|line| line.trim().strip_prefix("a step: ")?.split(' ').next()).unwrap();
        (shown.parse::<u64>().unwrap(), evaluated["words"].as_u64().unwrap())
    };
    let before = words(&[]).0;
    let (longer, layer) = twice(&plan);
    folder.write("plans/sides.scamp", &longer);
    assert_eq!(words(&[]), (before + layer, before + layer));
    assert_eq!(words(&["--nodes", "400"]).1, before);
    let again = folder.cain(&["show", "kernels.toml", "--nodes", "400"]).good();
    assert!(again.contains(&format!("a step: {before} control words")), "{again}");

    let (start, _) = plan.trim_end().rsplit_once('\n').unwrap();
    folder.write("plans/sides.scamp", &format!("{start}\n"));
    let problem = folder.cain(&eval).bad().concat();
    let start = "kernels.toml:5:12: automaton `sides`: plans/sides.scamp:";
    assert!(problem.starts_with(start), "{problem}");
    let shown = folder.cain(&["show", "kernels.toml"]);
    let told = "its plan is not used: plans/sides.scamp:";
    assert!(shown.succeeded && shown.stderr.contains(told), "{}", shown.stderr);
}

#[test]
fn automata_that_do_not_fit_are_told_with_their_place() {
    let folder = folder();
    let refused = |right: &str, wrong: &str, options: &[&str]| {
        fs::write(folder.file(), AUTOMATON.replace(right, wrong)).unwrap();
        folder.cain(&[&["eval", "kernels.toml", "--data", "data"], options].concat()).bad().concat()
    };
    let few = refused("registers = 10", "registers = 5", &[]);
    let expected = "the machine has 5 registers; the state, the results of two layers and a sum need 8";
    assert_eq!(few, format!("kernels.toml:5:12: {expected}"));
    let error = refused("", "", &["--model", "measured"]);
    assert_eq!(error, "automata compute with exact integers; leave `--model` out");
}

/// The numbers of a file in the format of `NumPy`.
fn array(folder: &Folder, file: &str) -> Vec<f64> {
    let bytes = fs::read(folder.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let head = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00") && (10 + head) % 64 == 0, "{file}");
    bytes[10 + head..].as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

#[test]
fn a_trace_has_what_every_layer_makes() {
    let folder = folder();
    let eval = ["eval", "kernels.toml", "--data", "data", "--trace", "out/trace", "--pictures", "5,0"];
    folder.cain(&eval).good();
    let [float, ideal, measured] =
        ["float", "ideal", "measured"].map(|kind| array(&folder, &format!("out/trace/5/slopes.{kind}.npy")));
    // The fifth picture has horizontal stripes; its pixels are those of the file, 60 DN where they are white.
    let (pictures, _) = stripes(30);
    let pixel = |row: usize, column: usize| if pictures[16 + 5 * 64 + row * 8 + column] >= 128 { 60.0 } else { -60.0 };
    let across = (0..49).map(|place| pixel(place / 7, place % 7 + 1) - pixel(place / 7, place % 7));
    let down = (0..49).map(|place| pixel(place / 7 + 1, place % 7) - pixel(place / 7, place % 7));
    assert_eq!(float, across.chain(down).collect::<Vec<f64>>());
    let largest = |values: &[f64]| values.iter().zip(&float).map(|(a, b)| (a - b).abs()).fold(0.0_f64, f64::max);
    assert!(largest(&ideal) < 1e-3, "{}", largest(&ideal));
    assert!((0.2..40.0).contains(&largest(&measured)), "{}", largest(&measured));
    for kind in ["float", "ideal", "measured"] {
        let bits = array(&folder, &format!("out/trace/5/edges.{kind}.npy"));
        let counts: Vec<f64> = bits.chunks(49).map(|bits| bits.iter().sum()).collect();
        assert_eq!(array(&folder, &format!("out/trace/5/counts.{kind}.npy")), counts);
    }
    let record: Value = serde_json::from_slice(&fs::read(folder.path("out/trace/trace.json")).unwrap()).unwrap();
    assert_eq!((&record["pictures"], &record["images"]), (&[0, 5].into(), &30.into()));
    let compiled: Value =
        serde_json::from_str(&folder.cain(&["eval", "kernels.toml", "--data", "data", "--json"]).good()).unwrap();
    let layers = record["layers"].as_array().unwrap();
    assert_eq!(
        layers.iter().map(|layer| layer["words"].as_u64().unwrap()).sum::<u64>(),
        compiled["words"].as_u64().unwrap()
    );
    assert_eq!(
        layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["slopes", "edges", "counts"]
    );
    assert!(layers[0]["measured"]["rms"].as_f64().unwrap() > layers[0]["ideal"]["rms"].as_f64().unwrap());
    assert!(layers[1]["measured"]["wrong"].is_number() && layers[2]["place"] == "read out", "{layers:?}");
    // If nothing later has errors, the last layer has those of the array as a whole.
    let right = layers[2]["accuracy"].as_f64().unwrap() * 30.0;
    assert!((right - record["correct"]["measured"].as_f64().unwrap()).abs() < 1e-6, "{record}");
    let page = fs::read_to_string(folder.path("out/trace/report.html")).unwrap();
    assert!(
        page.contains("<td>slopes</td>") && page.contains("<h2>Picture 5</h2>") && page.ends_with("</html>\n"),
        "{page}"
    );
    assert!(!page.contains("http") && !page.contains("<script"), "the page needs nothing else");
    assert!(fs::read(folder.path("out/trace/contact-sheet.png")).unwrap().starts_with(b"\x89PNG"));
    // All files are listed, and the next trace replaces them.
    for file in record["files"].as_array().unwrap() {
        assert!(folder.path("out/trace").join(file.as_str().unwrap()).is_file(), "{file}");
    }
    folder.cain(&[&eval[..6], &["--pictures", "1"]].concat()).good();
    assert!(!folder.path("out/trace/5").exists() && folder.path("out/trace/1").exists());
    fs::write(folder.path("out/trace/notes.txt"), "mine").unwrap();
    let run = folder.cain(&eval);
    let refused = run.bad();
    assert!(
        refused[0].contains("out/trace: holds `notes.txt`, which no trace wrote; name another folder"),
        "{refused:?}"
    );
    assert!(folder.path("out/trace/1").exists() && !folder.path("out/trace/5").exists());
    assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1);
    let run = folder.cain(&[&eval[..5], &["new", "--pictures", "0,30"]].concat());
    let refused = run.bad();
    assert!(
        refused[0].contains("`--pictures`: there is no picture 30; the data has 30, numbered from 0"),
        "{refused:?}"
    );
    assert!(!folder.path("new").exists());
}
