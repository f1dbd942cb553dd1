//! Digital filters: `search = { isa = "digital" }`.

use crate::Folder;
use serde_json::{Value, json};

const SOBEL: &str = "\
[sobel]
inputs = [\"image\"]
outputs.gx.kernel = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
bits = 1
search = { isa = \"digital\", nodes = 2000 }
";

#[test]
fn the_object_has_the_program_and_the_registers_of_its_numbers() {
    let stdout = Folder::new(SOBEL).cain(&["compile", "kernels.toml", "--json"]).good();
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&object["name"], &object["isa"]), (&json!("sobel"), &json!("digital")));
    assert_eq!(object["verified"], json!(true));
    assert_eq!(object["signed"], json!({ "image": false, "gx": true }));
    assert_eq!(object["input_bits"]["image"].as_array().unwrap().len(), 1);
    // -4 to 4.
    assert_eq!(object["output_bits"]["gx"].as_array().unwrap().len(), 4);
    let listing = object["listing"].as_array().unwrap();
    assert_eq!(object["words"], listing.len());
    assert!(listing.len() < 39, "{listing:?}");
    assert!(listing.iter().all(|word| word.as_str().unwrap().ends_with(");")), "{listing:?}");
}

#[test]
fn filters_of_both_kinds_stand_in_one_file() {
    let file = format!("{SOBEL}[mean]\ninputs = [\"A\"]\noutputs.A = {{ scale = \"1/2\", kernel = [[0, 1, 1]] }}\n");
    let folder = Folder::new(&file);
    let stdout = folder.cain(&["compile", "kernels.toml", "--json", "--nodes", "500"]).good();
    let names: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["name"].clone()).collect();
    assert_eq!(names, ["sobel", "mean"]);
    let table = folder.cain(&["compile", "kernels.toml", "sobel", "--listing", "--nodes", "500"]).good();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("digital filter"), "{table}");
    assert!(lines.contains(&"// in image: R5, lowest bit first"), "{table}");
}

#[test]
fn functions_are_generated_for_filters_of_both_kinds() {
    let file = format!("{SOBEL}[copy]\ninputs = [\"A\"]\nkeep = [\"A\"]\noutputs.B.kernel = [[1]]\nscratch = []\n");
    let folder = Folder::new(&file);
    let code = folder.cain(&["generate", "kernels.toml"]).good();
    for part in [
        "pub fn sobel<'r, H: ::cain_runtime::HostController>(",
        "    image: ::cain_runtime::BitPlane<'r, ::cain_runtime::reg::digital::R5>,\n    scratch: sobel::Scratch<'r>,\n",
        "            listing: &[\n                clr(&[R1, R3, R4]),\n",
        "declaration: \"sobel(image: 1) -> (gx) { gx = [-1 0 1; -2 0 2; -1 0 1] * image; }\",",
        "name: \"gx\",",
        "pub fn copy<'b, H: ::cain_runtime::HostController>(",
    ] {
        assert!(code.contains(part), "{part}\nis not in\n{code}");
    }
    // Commands for analogue programs say so, at the place.
    let message = "kernels.toml:5:18: digital filters are taken by `cain compile`, `cain generate` and builds only";
    assert_eq!(folder.cain(&["show", "kernels.toml"]).bad(), [message]);
    let bad = SOBEL.replace("\"image\"", "\"type\"");
    assert_eq!(
        Folder::new(&bad).cain(&["generate", "kernels.toml"]).bad(),
        [
            "kernels.toml:1:2: filter `sobel`: no parameter of a function can be called `type`; use letters, digits and `_`"
        ]
    );
}

/// Expects one message.
#[track_caller]
fn expect(file: &str, message: &str) {
    assert_eq!(Folder::new(file).cain(&["compile", "kernels.toml"]).bad(), [message]);
}

#[test]
fn mistakes_are_reported_at_their_place() {
    let with = |from: &str, to: &str| SOBEL.replace(from, to);
    expect(
        &with("bits = 1", "bits = 14"),
        "kernels.toml:4:8: the inputs need 14 registers and a PE has 13; up to `bits = 13` would fit",
    );
    expect(
        &with("bits = 1", "bits = 11"),
        "kernels.toml:4:8: the outputs need 14 registers and a PE has 13; up to `bits = 10` would fit",
    );
    expect(
        &with("bits = 1", "bits = 0"),
        "kernels.toml:4:8: `sobel.bits`: a number has 1 to 24 bits, or -1 to -24 if it is signed; found `0`",
    );
    expect(&with("bits = 1\n", ""), "kernels.toml:1:2: a digital filter needs the bits of its inputs; add `bits = 1`");
    expect(
        &with("bits = 1", "bits = { image = 1, mask = 1 }"),
        "kernels.toml:4:21: `sobel.bits`: unknown key `mask`; expected `image`",
    );
    expect(
        &with("-2, 0, 2", "-2, 0, 2.5"),
        "kernels.toml:3:9: the weight 5/2 is not whole, so the result would not be exact; scale the kernel to whole weights",
    );
    expect(
        &with("nodes = 2000", "offset = \"any\""),
        "kernels.toml:5:38: `offset` means nothing for digital filters, which are exact; remove it",
    );
    expect(
        &with("isa = \"digital\", ", ""),
        "kernels.toml:4:8: only digital filters have `bits`; add `search = { isa = \"digital\" }`",
    );
    let scaled = with("outputs.gx.kernel = ", "outputs.gx.scale = \"1/2\"\noutputs.gx.kernel = ");
    Folder::new(scaled.replace("[-1, 0, 1]", "[-2, 0, 2]")).cain(&["compile", "kernels.toml"]).good();
}
