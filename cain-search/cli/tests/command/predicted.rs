//! Tests of the predicted errors of networks.

use std::fs;

use serde_json::Value;

use super::Folder;
use super::eval::stripes;

/// A network whose first threshold divides means, which take many words, and whose second one differences of two pixels.
const NETWORK: &str = r#"
[network.edges]
input = { size = [8, 8], levels = "-60..60", binarise = 128 }
search = { nodes = 50 }

[[network.edges.layer]]
name = "blurred"
op = "mean_pool"
size = 4
stride = 1

[[network.edges.layer]]
name = "faint"
op = "threshold"
at = 5

[[network.edges.layer]]
name = "counts"
op = "windows"
windows = [[0, 0, 5, 2], [0, 3, 5, 2]]

[[network.edges.layer]]
name = "slopes"
op = "convolution"
from = "image"
kernels = [[[-1, 1], [0, 0]]]

[[network.edges.layer]]
name = "clear"
op = "threshold"
at = 60

[[network.edges.layer]]
name = "clear_counts"
op = "windows"
size = [7, 7]
"#;

const WARNING: &str =
    "kernels.toml:12:1: layer `faint` of network `edges`: half of the values that its threshold divides are within ";

#[test]
fn compile_tells_errors_and_warns() {
    let folder = Folder::new(NETWORK);
    let run = folder.cain(&["compile", "kernels.toml", "--json"]);
    assert!(run.succeeded && run.stderr.lines().all(|line| line.starts_with(WARNING)), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let errors: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors = &errors["errors"];
    let of = |part: &str, key: &str| {
        let maps = errors["maps"].as_array().unwrap();
        maps.iter().find(|map| map["part"] == part).unwrap()[key].as_f64().unwrap()
    };
    assert!(of("faint[0]", "wrong") > 0.05 && of("faint[0]", "margin") > 0.0, "{errors}");
    assert!(of("clear[0]", "wrong") < 0.001 && of("clear[0]", "margin") > 10.0, "{errors}");
    assert!(of("blurred[0]", "rms") > 5.0, "{errors}");
    assert_eq!(errors["read_outs"].as_array().unwrap().len(), 2);
    assert!(errors["scores"]["spread"].as_f64().unwrap() > 0.0, "{errors}");

    let table = folder.cain(&["compile", "kernels.toml"]).stdout;
    assert!(table.lines().next().unwrap().ends_with("DN    used    bias     rms   wrong"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("edges: clear[0]") && line.ends_with("0.0 %")), "{table}");
}

#[test]
fn show_tells_errors() {
    let folder = Folder::new(NETWORK);
    let text = folder.cain(&["show", "kernels.toml"]).good();
    assert!(
        text.contains("clear[0], bits, 0.0 % wrong") && text.contains("slopes[0], -120 to 120 DN, errors of "),
        "{text}"
    );
    assert!(text.contains("  the scores `counts` err by "), "{text}");
}

/// The errors are those for the data.
#[test]
fn eval_warns() {
    let folder = Folder::new(NETWORK);
    let (pictures, labels) = stripes(30);
    fs::create_dir(folder.path("data")).unwrap();
    fs::write(folder.path("data/t10k-images-idx3-ubyte"), pictures).unwrap();
    fs::write(folder.path("data/t10k-labels-idx1-ubyte"), labels).unwrap();
    let run = folder.cain(&["eval", "kernels.toml", "--data", "data"]);
    assert!(run.succeeded && run.stderr.starts_with(WARNING), "{}", run.stderr);
}

/// Sums of many weights that are all positive go as far as they could.
#[test]
fn sums_beyond_the_registers_are_told() {
    let network = |share: &str| {
        format!(
            "[network.sums]\ninput = {{ size = [9, 9], levels = \"-60..60\", largest_sums = {share} }}\nsearch = {{ nodes = 1 }}\n\
             [[network.sums.layer]]\nname = \"first\"\nop = \"convolution\"\nkernels = [[[1, 1], [1, 1]]]\n\
             [[network.sums.layer]]\nname = \"second\"\nop = \"convolution\"\nkernels = [[[1, 1, 1], [1, 1, 1]]]\n\
             [[network.sums.layer]]\nname = \"read\"\nop = \"plane\"\n"
        )
    };
    let told = |share| Folder::new(network(share)).cain(&["compile", "kernels.toml"]).stderr;
    let saturated = told("\"1/64\"");
    let expected = "layer `second` of network `sums`: its values are from ";
    assert!(
        saturated.contains(expected) && saturated.contains("saturates, so make `largest_sums` larger"),
        "{saturated}"
    );
    assert!(!told("1").contains("saturates"));
    let wrong = told("\"3/2\"");
    assert!(
        wrong.starts_with("kernels.toml:2:9: network `sums`: `largest_sums` is 3/2; expected a share from 1/64 to 1"),
        "{wrong}"
    );
}
