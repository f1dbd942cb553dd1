//! Tests of digital filters: `search = { isa = "digital" }`.

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
    // The values are −4 to 4.
    assert_eq!(object["output_bits"]["gx"].as_array().unwrap().len(), 4);
    let listing = object["parts"][0]["listing"].as_array().unwrap();
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
    let message = "kernels.toml:1:2: filter `sobel`: expected a filter on analogue registers, which digital filters are not; \
                   `cain compile` and `cain show` take all of them";
    assert_eq!(folder.cain(&["bench", "kernels.toml"]).bad(), [message]);
    // Inputs become parameters whatever their names, unless two of them would coincide.
    let odd = Folder::new(SOBEL.replace("\"image\"", "\"type\"")).cain(&["generate", "kernels.toml"]).good();
    assert!(odd.contains("    r#type: ::cain_runtime::BitPlane<"), "{odd}");
    for command in ["compile", "generate"] {
        let bad = Folder::new(SOBEL.replace("\"image\"", "\"Scratch\""));
        let message = "kernels.toml:2:11: the generated function has another parameter `scratch`; rename the input";
        assert_eq!(bad.cain(&[command, "kernels.toml"]).bad(), [message]);
    }
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
        "kernels.toml:4:8: the inputs need 14 registers and a PE has 13; inputs of up to 13 bits would fit",
    );
    expect(
        &with("bits = 1", "bits = 11"),
        "kernels.toml:4:8: the outputs need 14 registers and a PE has 13; inputs of up to 10 bits would fit",
    );
    expect(
        &with("bits = 1", "bits = 2").replace("[-2, 0, 2]", "[-2000, 0, 2000]"),
        "kernels.toml:4:8: the outputs need 14 registers and a PE has 13; inputs of one bit would fit",
    );
    expect(&with("bits = 1\n", ""), "kernels.toml:1:2: a digital filter needs the bits of its inputs; add `bits = 1`");
    expect(
        &with("bits = 1", "bits = { image = 1, mask = 1 }"),
        "kernels.toml:4:21: `sobel.bits`: unknown input `mask`; expected `image`",
    );
    expect(
        &with("-2, 0, 2", "-2, 0, 2.5"),
        "kernels.toml:3:9: the weight 5/2 is not whole, so the result would not be exact; scale the kernel to whole weights",
    );
    let scaled = with("outputs.gx.kernel = ", "outputs.gx.scale = \"1/2\"\noutputs.gx.kernel = ");
    Folder::new(scaled.replace("[-1, 0, 1]", "[-2, 0, 2]")).cain(&["compile", "kernels.toml"]).good();
}

const EDGE: &str = "\
[edge]
inputs = [\"image\"]
outputs.out = \"image & !(image@north & image@south & image@east & image@west)\"
bits = 1
search = { isa = \"digital\", nodes = 500 }
";

#[test]
fn expressions_are_shown_word_by_word() {
    let folder = Folder::new(EDGE);
    let text = folder.cain(&["show", "kernels.toml"]).good();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "edge: 5 control words, exact for all inputs");
    assert_eq!(lines[1], "  in image: R5, lowest bit first");
    assert!(lines.contains(&"   1  NOT(R0,R5);        R0 = !image"), "{text}");
    assert!(lines[6].starts_with("   2  SET(R1,R2,R3,R4);  R1 = 1; R2 = 1; R3 = 1; R4 = 1"), "{text}");
    let not_all = "R5 = 1111111111111110 of image@south, image@west, image@east, image@north";
    assert!(lines[7].ends_with(not_all), "{text}");
    assert!(lines[9].ends_with("= a function of 5 bits"), "{text}");
    let listing = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    assert!(listing.ends_with("SET(R1,R2,R3,R4);\nDNEWS1(R5,R0);\nNOT(R1,R5);\nNOR(R2,R0,R1);\n"), "{listing}");
    let picture = folder.cain(&["show", "kernels.toml", "--format", "svg"]);
    assert!(picture.bad()[0].ends_with("digital filters are shown as `--format text` and `--format scamp5` only"));
    expect(&EDGE.replace("image@south", "imag@south"), "kernels.toml:3:40: unknown name `imag`; did you mean `image`?");
}

#[test]
fn digital_filters_have_plans() {
    let folder = Folder(tempfile::tempdir().unwrap());
    folder.write("Cargo.toml", "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let source = |bits: u32| {
        let search = format!("#[search(isa = digital, bits = {bits}, nodes = 500)]");
        format!("cain_runtime::scamp_kernels! {{ {search} fn row(image) -> count = [[1, 1, 1]]; }}")
    };
    folder.write("src/lib.rs", &source(1));
    let check = folder.cain(&["pin", "--check"]);
    assert_eq!(check.bad(), ["src/lib.rs:1:83: filter `row`: there is no plan `plans/row.scamp`; run `cain pin`"]);
    let pinned = folder.cain(&["pin"]).good();
    assert!(pinned.lines().nth(2).is_some_and(|row| row.starts_with("row") && row.ends_with("new")), "{pinned}");
    let plan = folder.read("plans/row.scamp");
    let start = "\
        # cain plan v2, written by `cain pin`: change the declaration, not this file\n\
        declaration: row(image: 1) -> (count) { count = [1 1 1] * image; }\n\
        isa: digital\n\
        cost: words=12\n\
        search: version=11 budget=500 ";
    assert!(plan.starts_with(start), "{plan}");
    assert_eq!(folder.cain(&["pin", "--check"]).good(), "1 of 1 plans are valid\n");
    assert!(folder.cain(&["pin"]).good().lines().nth(2).unwrap().ends_with("kept"));
    assert_eq!(folder.read("plans/row.scamp"), plan);

    for (wrong, message) in [
        (plan.replace("words=12", "words=11"), "plans/row.scamp:4:1: these are not the costs of the program"),
        (
            plan.replacen("NOT(", "MOV(", 1),
            "plans/row.scamp:12:1: `DNEWS1(R6,R0);` reads something wrong at the border",
        ),
        (plan.replace("inputs: R5", "inputs: A"), "plans/row.scamp:6:1: expected `inputs: ..`"),
        (plan.replace("v2", "v7"), "plans/row.scamp:1:14: the plan has format 7"),
    ] {
        folder.write("plans/row.scamp", &wrong);
        let check = folder.cain(&["pin", "--check"]);
        assert!(check.bad()[0].starts_with(message), "{}", check.stderr);
    }
    // The plan is for another width.
    folder.write("plans/row.scamp", &plan);
    folder.write("src/lib.rs", &source(2));
    let check = folder.cain(&["pin", "--check"]);
    let message = "plans/row.scamp:2:25: the plan is for another filter or other options: ";
    assert!(check.bad()[0].starts_with(message), "{}", check.stderr);
    assert!(folder.cain(&["pin"]).good().lines().nth(2).unwrap().ends_with("renewed"));
    folder.write("src/lib.rs", &source(2).replace("fn row", "fn other"));
    folder.cain(&["pin", "--prune"]).good();
    assert!(!folder.path("plans/row.scamp").exists());
}

const BLOCKS: &str = "\
[sum]
inputs = [\"a\", \"b\"]
outputs.c = [{ input = \"a\", kernel = [[1]] }, { input = \"b\", kernel = [[1]] }]
superpixel = { order = [[1, 2], [4, 3]], dac = { c = { register = \"B\" } } }
search = { isa = \"superpixel\" }
";

#[test]
fn programs_on_super_pixels_are_shown_with_the_bits_of_a_block() {
    let folder = Folder::new(BLOCKS);
    let text = folder.cain(&["show", "kernels.toml"]).good();
    let given = "the rows of a block with a = 5, b = 7, where all other blocks hold 0";
    for part in ["once:", "each time:", "conversion of outputs:", given, "  out c: R", ", bank 0, B\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The value is 12, with the highest bit in the south-west.
    let last = text
        .lines()
        .take_while(|line| !line.starts_with("conversion of outputs"))
        .filter(|line| line.contains(" = "))
        .last();
    assert!(last.is_some_and(|line| line.ends_with("= 00/11")), "{text}");
    let listing = folder.cain(&["show", "kernels.toml", "--format", "scamp5"]).good();
    assert!(listing.contains("\n// sum: once, before the first call\nscamp5_select_pattern("), "{listing}");
    assert!(listing.contains("scamp5_load_in(-128);\nbus(NEWS,IN);\nbus(B,NEWS);\n"), "{listing}");
    let svg = folder.cain(&["show", "kernels.toml", "--format", "svg"]).bad().join("\n");
    assert!(svg.contains("`--format text` and `--format scamp5` only"), "{svg}");
}

#[test]
fn filters_over_super_pixels_have_plans() {
    let folder = Folder::new(BLOCKS);
    folder.write("Cargo.toml", "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let missing = "kernels.toml:1:2: filter `sum`: there is no plan `plans/sum.scamp`; run `cain pin`";
    assert_eq!(folder.cain(&["pin", "--check", "kernels.toml"]).bad(), [missing]);
    let pinned = folder.cain(&["pin", "kernels.toml"]).good();
    assert!(pinned.starts_with("name  macros   words  before"), "{pinned}");
    let plan = folder.read("plans/sum.scamp");
    let declaration =
        "declaration: sum(a, b) -> (c to B as bits 1 to 4) over [1 2; 4 3] by prop { c = [1] * a + [1] * b; }\n";
    assert!(plan.contains(declaration), "{plan}");
    assert!(folder.cain(&["pin", "kernels.toml"]).good().ends_with("kept\n"));
    let code = folder.cain(&["generate", "kernels.toml"]).good();
    for part in [
        "pub fn sum<'r, H: ::cain_runtime::io::ArrayIo>(",
        "Step::Select(Selection {",
        "Step::Level(-128)",
        "/// | `c` | `R",
        "to `B`, bits 1 to 4 |",
    ] {
        assert!(code.contains(part), "{part}: {code}");
    }
    for (right, wrong, message) in [
        ("isa: superpixel", "isa: digital", "plans/sum.scamp:3:6: the plan is for another filter"),
        (
            "scamp5_load_in(-128)",
            "scamp5_load_in(-127)",
            "plans/sum.scamp:11:1: the program does not convert an output",
        ),
        ("scamp5_load_in(-128)", "scamp5_load_in(-129)", "expected a level such as `scamp5_load_in(-64);`"),
        ("// after\n", "", "plans/sum.scamp:"),
        ("reserved: ", "reserved: A ", "plans/sum.scamp:8:1: expected `reserved: ..`"),
    ] {
        assert!(plan.contains(right), "{right}: {plan}");
        folder.write("plans/sum.scamp", &plan.replace(right, wrong));
        let found = folder.cain(&["pin", "--check", "kernels.toml"]).bad().join("\n");
        assert!(found.contains(message), "{message}: {found}");
    }
}
