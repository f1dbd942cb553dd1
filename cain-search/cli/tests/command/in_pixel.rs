//! Tests of networks in the pixels: `cain compile`, `cain eval`, `cain show` and `cain generate`.

use std::fs;

use serde_json::Value;

use super::Folder;
use super::eval::stripes;

/// A network that distinguishes vertical from horizontal stripes by both kinds of edges.
const NETWORK: &str = r#"
[in_pixel.edges]
input = { size = 8, block = 16, array = 32, binarise = 128 }

[[in_pixel.edges.layer]]
name = "filters"
op = "convolution"
size = 2
weights = ["-+-+", "--++", "++++", "----"]

[[in_pixel.edges.layer]]
name = "maxima"
op = "max_pool"
size = 4

[[in_pixel.edges.layer]]
name = "scores"
op = "dense"
classes = 2
weights = "dense.txt"
"#;

/// Weights for the 16 maxima of each block.
fn dense() -> String {
    ["+-\n", "-+\n", "00\n", "00\n"].map(|row| row.repeat(16)).concat()
}

fn folder() -> Folder {
    let folder = Folder::new(NETWORK);
    let (pictures, labels) = stripes(12);
    fs::create_dir(folder.path("data")).unwrap();
    fs::write(folder.path("data/t10k-images-idx3-ubyte"), pictures).unwrap();
    fs::write(folder.path("data/t10k-labels-idx1-ubyte"), labels).unwrap();
    folder.write("dense.txt", &dense());
    folder
}

const COMPONENTS: [&str; 5] = ["duplication", "convolution", "relu", "max pooling", "fully connected"];

#[test]
fn there_is_nothing_to_pin() {
    for args in [&["pin", "kernels.toml"][..], &["pin", "kernels.toml", "--check"]] {
        let run = folder().cain(args);
        assert!(run.succeeded, "{}", run.stderr);
        assert_eq!(run.stderr, "nothing to pin: networks in the pixels are compiled without a search\n");
    }
}

#[test]
fn tables_listings_and_json_have_all_components() {
    let folder = folder();
    let text = folder.cain(&["compile", "kernels.toml", "--listing"]).good();
    for component in COMPONENTS {
        assert!(text.contains(&format!("\nedges: {component} ")), "{text}");
        assert!(text.contains(&format!("\n// edges: {component}\n")), "{text}");
    }
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "kernels.toml", "--json"]).good()).unwrap();
    let components = record["parts"].as_array().unwrap();
    assert_eq!(components.iter().map(|component| &component["name"]).collect::<Vec<_>>(), COMPONENTS);
    let words: u64 = components.iter().map(|component| component["words"].as_u64().unwrap()).sum();
    let listed = components.iter().flat_map(|component| component["listing"].as_array().unwrap());
    let calls = |name: &str| listed.clone().filter(|line| line.as_str().unwrap().starts_with(name)).count();
    assert_eq!((record["words"].as_u64(), calls("scamp5_global_sum_fast")), (Some(words), 2));
    assert_eq!(words, (listed.clone().count() - calls("scamp5_")) as u64);
    assert_eq!(record["reserved"].as_array().unwrap().len(), 6);
}

#[test]
fn predictions_are_those_of_exact_sums_whatever_the_threads() {
    let folder = folder();
    let eval = |options: &[&str]| folder.cain(&[&["eval", "kernels.toml", "--data", "data"], options].concat());
    let text = eval(&["--json", "--threads", "2"]).good();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["network"], "edges");
    assert_eq!((report["images"].as_u64(), report["correct"].as_u64()), (Some(12), Some(12)));
    let wanted: Vec<u64> = (0..12).map(|i| u64::from(i % 3 != 0)).collect();
    let found: Vec<u64> =
        report["predictions"].as_array().unwrap().iter().map(|class| class.as_u64().unwrap()).collect();
    assert_eq!(found, wanted);
    let times: f64 = report["components"].as_object().unwrap().values().map(|time| time.as_f64().unwrap()).sum();
    assert!((times - report["total_us"].as_f64().unwrap()).abs() < 1e-6, "{text}");
    assert_eq!(eval(&["--json", "--threads", "1"]).good(), text);

    let text = eval(&["--limit", "6", "--model", "measured", "--seed", "2", "-o", "bad.png"]).good();
    assert!(text.contains("of 6 pictures are recognised") && text.contains("edges: max pooling"), "{text}");
    assert!(fs::read(folder.path("bad.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(eval(&["faces"]).bad(), ["kernels.toml: there is no network `faces`; the file has `edges`"]);
    assert_eq!(eval(&["--nodes", "5"]).bad(), ["networks in the pixels are not searched for; leave `--nodes` out"]);
}

/// The converter's steps are told, and are a warning where they choose other classes: here all sums are far below one step.
#[test]
fn coarse_steps_of_the_converter_are_told() {
    let folder = folder();
    let shown = folder.cain(&["show", "kernels.toml"]).good();
    let told =
        |text: &str, what: &str| text.contains(&format!("scores are read in steps of {what}; on synthetic pictures"));
    // 4096 DN for 16 PEs, each of which has half of 52 DN for a maximum of 1.
    assert!(shown.contains("a pixel of 1 counts 52 DN") && told(&shown, "9.8"), "{shown}");
    folder.write("kernels.toml", &NETWORK.replace("size = 4", "size = 2"));
    folder.write("dense.txt", &("-+\n".repeat(4) + &"00\n".repeat(252)));
    let run = folder.cain(&["compile", "kernels.toml", "--json"]);
    assert!(run.succeeded && run.stderr.starts_with("kernels.toml:16:1: network `edges`: "), "{}", run.stderr);
    assert!(told(&run.stderr, "39.4") && run.stderr.contains("even without errors; "), "{}", run.stderr);
    let record: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(record["resolution"]["changed"].as_f64().unwrap() > 0.1, "{record}");
}

#[test]
fn mistakes_name_the_file_with_the_weights() {
    let folder = folder();
    folder.write("dense.txt", &dense().replacen("-+", "-x", 1));
    let expected =
        "kernels.toml:20:11: `in_pixel.edges.layer.weights`: dense.txt:17:2: found 'x'; expected `-`, `0` or `+`";
    for command in ["compile", "generate", "show"] {
        assert_eq!(folder.cain(&[command, "kernels.toml"]).bad(), [expected]);
    }
    assert_eq!(folder.cain(&["eval", "kernels.toml", "--data", "data"]).bad(), [expected]);
}

/// Numbers that registers cannot hold are found before anything runs, and reported at the layer.
#[test]
fn networks_that_do_not_fit_are_told() {
    let folder = folder();
    let narrow = format!("{NETWORK}\n[machine]\nrange = {{ min = -8, max = 7 }}\n");
    fs::write(folder.file(), narrow).unwrap();
    let run = folder.cain(&["compile", "kernels.toml"]);
    let [message] = run.bad()[..] else { panic!("{}", run.stderr) };
    assert!(message.starts_with("kernels.toml:8:8: network `edges`: sums of 4 pixels leave the range"), "{message}");
}

#[test]
fn other_forms_are_refused() {
    let folder = folder();
    let show = folder.cain(&["show", "kernels.toml", "--format", "svg"]);
    let message = "kernels.toml:2:11: network `edges`: networks in the pixels are shown as `--format text`";
    assert!(show.bad()[0].starts_with(message), "{:?}", show.bad());
    let cpp = folder.cain(&["generate", "kernels.toml", "--lang", "cpp"]);
    let message = "kernels.toml:2:11: network `edges`: part `fully connected`: a function of C++ cannot return what the step \
                   `scamp5_global_sum_fast(D);` reads; generate Rust instead";
    assert_eq!(cpp.bad(), [message]);
}

/// All steps are shown in order, with the places where others may interrupt.
#[test]
fn networks_are_shown_component_after_component() {
    let interruptible = "interruptible = { registers = [\"E\", \"F\"] }\ninput = ";
    let folder = Folder::new(NETWORK.replacen("input = ", interruptible, 1));
    fs::write(folder.0.path().join("dense.txt"), dense()).unwrap();
    let shown = folder.cain(&["show", "kernels.toml"]).good();
    let record: Value = serde_json::from_str(&folder.cain(&["compile", "kernels.toml", "--json"]).good()).unwrap();
    let mut lines = shown.lines();
    let mut number = 0;
    for component in record["parts"].as_array().unwrap() {
        let title = format!("{}: ", component["name"].as_str().unwrap());
        assert!(lines.any(|line| line.starts_with(&title)), "{title}: {shown}");
        for line in component["listing"].as_array().unwrap() {
            number += 1;
            let step = format!("{number}  {}", line.as_str().unwrap());
            assert!(lines.any(|line| line.trim_start().starts_with(&step)), "{step}: {shown}");
        }
    }
    assert!(shown.contains("      < for E and F: "), "{shown}");
}
