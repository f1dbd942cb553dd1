//! Whole programs as C++, run against a stand-in for the vendor's library that computes, beside the command's own array.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use image::{GrayImage, ImageFormat, Luma};

use crate::Folder;

/// The stand-in.
const LIBRARY: &str = include_str!("scamp5.hpp");

/// What prints results as `cain run --json` does.
const PRINTING: &str = r#"
// The stand-in has no errors.
#define CAIN_WITHOUT_ERRORS
#include <fstream>
#include <string>
#include "programs.hpp"

static void see(int frame)
{
    std::ifstream file("raw/" + std::to_string(frame), std::ios::binary);
    file.read(reinterpret_cast<char *>(chip::all().picture.data()), chip::PES);
    chip::check(bool(file), "no picture");
}
static void number(const char *name, long long value) { std::printf(",\"%s\":%lld", name, value); }
static void plane(const char *name, chip::dreg of)
{
    long ones = 0;
    for (int pe = 0; pe < chip::PES; ++pe) ones += chip::all().bits[of.number][pe];
    std::printf(",\"%s\":{\"ones\":%ld}", name, ones);
}
template <class Box> void box(const char *name, const Box &of)
{
    if (of.found) std::printf(",\"%s\":[%d,%d,%d,%d]", name, int(of.top), int(of.left), int(of.bottom), int(of.right));
    else std::printf(",\"%s\":null", name);
}
template <class Point> void point(const char *name, const Point &of)
{
    if (of.found) std::printf(",\"%s\":[%d,%d]", name, int(of.row), int(of.column));
    else std::printf(",\"%s\":null", name);
}
template <class Number, int COUNT> void numbers(const char *name, const Number (&of)[COUNT])
{
    std::printf(",\"%s\":", name);
    for (int at = 0; at < COUNT; ++at) std::printf("%c%lld", at == 0 ? '[' : ',', (long long)(of[at]));
    std::printf("]");
}
template <int MOST, int COUNT> void list(const char *name, int count, const int32_t (&of)[MOST][COUNT])
{
    std::printf(",\"%s\":[", name);
    for (int entry = 0; entry < count; ++entry)
    {
        std::printf(entry == 0 ? "" : ",");
        for (int at = 0; at < COUNT; ++at)
        {
            std::printf("%s%d", COUNT == 1 ? "" : at == 0 ? "[" : ",", int(of[entry][at]));
        }
        std::printf(COUNT == 1 ? "" : "]");
    }
    std::printf("]");
}
"#;

/// Frames with two squares that move over a gradient, one of them bright and one dark.
const FRAMES: u32 = 4;

fn picture(frame: u32) -> GrayImage {
    GrayImage::from_fn(256, 256, |x, y| {
        let is_in = |top: u32, left: u32, side: u32| (top..top + side).contains(&y) && (left..left + side).contains(&x);
        Luma([if is_in(40 + 3 * frame, 60 + 9 * frame, 24) {
            230
        } else if is_in(150, 180 - 7 * frame, 12) || is_in(90, 20, 3 + frame) {
            15
        } else {
            u8::try_from(90 + x / 8 + y / 16 + (x * 7 + y * 13 + frame) % 3).unwrap()
        }])
    })
}

/// A folder with the frames, and the stand-in.
fn folder() -> Folder {
    let folder = Folder::new("");
    fs::create_dir(folder.path("frames")).unwrap();
    fs::create_dir(folder.path("raw")).unwrap();
    for frame in 0..FRAMES {
        let picture = picture(frame);
        picture.save_with_format(folder.path(&format!("frames/{frame}.png")), ImageFormat::Png).unwrap();
        fs::write(folder.path(&format!("raw/{frame}")), picture.into_raw()).unwrap();
    }
    folder.write("scamp5.hpp", LIBRARY);
    folder
}

/// A program, the arguments of its function behind the results, the same for the command, and what prints its results.
struct Case {
    name: &'static str,
    arguments: &'static str,
    parameters: &'static [&'static str],
    printed: &'static str,
    /// Arguments that are out of their range.
    outside: &'static [&'static str],
}

/// A network whose windows are sums of levels.
const NETWORK: &str = "\
[network.halves]
input = { size = 32, levels = \"-100..100\" }

[[network.halves.layer]]
name = \"smooth\"
op = \"convolution\"
scale = \"1/4\"
kernels = [[[1, 2, 1]]]

[[network.halves.layer]]
name = \"sums\"
op = \"windows\"
size = [32, 15]

[[network.halves.layer]]
name = \"half\"
op = \"argmax\"

[[network.halves.layer]]
name = \"scores\"
op = \"dense\"
from = \"sums\"
weights = [[1, -1], [-1, 2]]
";

const PROGRAMS: &str = "\
use \"network.toml\";

/// What is brighter than a threshold.
program bright(image, threshold: -127..=127 = 60) -> (mask, pixels, area) {
    let mask = image > threshold;
    let pixels = count(mask);
    let area = bounds(mask);
}

/// States in an analogue register, in bits and in the controller; a switch.
program movement(image, threshold: 0..=100 = 24, learn: bool = true) -> (mask, pixels, next ages, next seen, east) {
    state background = image;
    state ages: -5..=1000 = -5;
    state seen: bits = false;
    let mask = open(abs(image - background) > threshold, cross);
    next background = background + 1/8 * (image - background) where !mask & learn;
    let pixels = count(mask);
    next ages = if pixels > 50 { ages / 2 - 3 } else { min(ages + 40, 1000) };
    next seen = seen | mask@west;
    let east = (ages % 7, -pixels / 3);
}

/// Loops of all kinds, within each other.
program shapes(image, threshold: -127..=127 = -60, erosions: 0..=8, steps: 1..=64 = 10) -> (boxes, left, where_, rounds) {
    let dark = image <= threshold;
    let inner = dark & !flood(border(), dark, until stable);
    var left = erode(inner, cross, erosions);
    var rounds = 0;
    list boxes;
    let where_ = first(left);
    while any(left), at most 16 {
        let shape = flood(point(first(left)), left, steps);
        left = left & !shape;
        rounds = rounds + 1;
        boxes += (bounds(shape), count(shape));
    }
}

fn edges(x, threshold) { abs(x@west - x@east) > threshold | abs(x@north - x@south) > threshold }

/// A decision, numbers of the controller in pairs, and moves by them.
program steady(image, threshold: 1..=64 = 12, weakest: 0..=65_536 = 20) -> (moved, next at, strength, kept) {
    let seen = edges(image, threshold) & inside((8, 8, 240, 240));
    state key: bits = seen;
    state at: -20..=20 = (0, 0);
    let best = argmax(step in [(0, 0), (9, 0), (-9, 0), (0, 3), (9, -3)], count(key & shift(seen, at + step)));
    let place = (clamp(at[0] + best[0], -20, 20), clamp(at[1] + best[1], -20, 20));
    let moved = shift(seen, place);
    let strength = count(key & moved);
    var kept = false;
    if strength < weakest {
        next key = seen;
        next at = (0, 0);
    } else {
        next at = place;
        kept = true;
    }
}

/// Sums, regions of numbers, patterns, and numbers without a range.
program sums(image, part: region, by: -3..=3 = 2) -> (whole, of_part, next mean, odd, corner) {
    state mean = 0;
    let whole = sum(image);
    let of_part = sum(image, part);
    next mean = (3 * mean + 1000 * whole) / 4 / by;
    let odd = count(image > 0 & pattern(rows = (1, 0xFE), columns = (2, 0xF8)) & inside(part));
    let corner = first(inside((part.top - 3, part.left - 3, 5, by + 3)));
}

/// Numbers beyond those that are exact; names that C++ does not have, or that something else has.
program large(image, a: -2147483647..=2147483647 = 2147483647, my__x: 0..=3 = 3) -> (cube, rest, five, boxes, boxes_count) {
    let cube = a * a * a;
    let rest = (a * a) % 1000;
    var doubled = 1;
    repeat 1100 { doubled = doubled * 2; }
    let five = doubled - doubled + 5;
    list boxes;
    boxes += (bounds(image > 60), my__x);
    let boxes_count = doubled / 2 + my__x;
}

/// A network that reads levels.
program look(image) -> (half, scores) { let (half, scores) = halves(image, at = (36, 64)); }
";

/// Sums of levels, with the defaults of its parameters.
const SUMS: Case = Case {
    name: "sums",
    arguments: "",
    parameters: &[],
    printed: "number(\"whole\", r.whole); number(\"of_part\", r.of_part); number(\"mean\", r.mean); \
              number(\"odd\", r.odd); point(\"corner\", r.corner);",
    outside: &[", 256", ", 0, 0, 257", ", 0, 0, 0, 0, 4"],
};

/// Numbers that saturate.
const LARGE: Case = Case {
    name: "large",
    arguments: "",
    parameters: &[],
    printed: "number(\"cube\", r.cube); number(\"rest\", r.rest); number(\"five\", r.five); \
              list(\"boxes\", r.boxes_count, r.boxes); number(\"boxes_count\", r.boxes_count_);",
    outside: &[", 1, 4"],
};

const CASES: &[Case] = &[
    Case {
        name: "bright",
        arguments: ", 70",
        parameters: &["threshold=70"],
        printed: "plane(\"mask\", @mask); number(\"pixels\", r.pixels); box(\"area\", r.area);",
        outside: &[", 128", ", -128"],
    },
    Case {
        name: "bright",
        arguments: ", -30",
        parameters: &["threshold=-30"],
        printed: "plane(\"mask\", @mask); number(\"pixels\", r.pixels); box(\"area\", r.area);",
        outside: &[", 128", ", -128"],
    },
    Case {
        name: "bright",
        arguments: ", 127",
        parameters: &["threshold=127"],
        printed: "plane(\"mask\", @mask); number(\"pixels\", r.pixels); box(\"area\", r.area);",
        outside: &[", 128", ", -128"],
    },
    Case {
        name: "movement",
        arguments: "",
        parameters: &[],
        printed: "plane(\"mask\", @mask); number(\"pixels\", r.pixels); number(\"ages\", r.ages); plane(\"seen\", @seen); \
                  numbers(\"east\", r.east_);",
        outside: &[", 101", ", -1, false"],
    },
    Case {
        name: "movement",
        arguments: ", 3, false",
        parameters: &["threshold=3", "learn=false"],
        printed: "plane(\"mask\", @mask); number(\"pixels\", r.pixels); number(\"ages\", r.ages); plane(\"seen\", @seen); \
                  numbers(\"east\", r.east_);",
        outside: &[", 101", ", -1, false"],
    },
    Case {
        name: "shapes",
        arguments: ", -60, 1, 5",
        parameters: &["erosions=1", "steps=5"],
        printed: "list(\"boxes\", r.boxes_count, r.boxes); plane(\"left\", @left); point(\"where_\", r.where_); \
                  number(\"rounds\", r.rounds);",
        outside: &[", 0, 9", ", 0, 8, 0"],
    },
    Case {
        name: "steady",
        arguments: "",
        parameters: &[],
        printed: "plane(\"moved\", @moved); numbers(\"at\", r.at); number(\"strength\", r.strength); \
                  number(\"kept\", r.kept);",
        outside: &[", 1, 65537"],
    },
    Case {
        name: "steady",
        arguments: ", 20, 65536",
        parameters: &["threshold=20", "weakest=65536"],
        printed: "plane(\"moved\", @moved); numbers(\"at\", r.at); number(\"strength\", r.strength); \
                  number(\"kept\", r.kept);",
        outside: &[", 1, 65537"],
    },
    Case {
        name: "look",
        arguments: "",
        parameters: &[],
        printed: "number(\"half\", r.half); numbers(\"scores\", r.scores);",
        outside: &[],
    },
    LARGE,
    Case { arguments: ", -3, 0", parameters: &["a=-3", "my__x=0"], ..LARGE },
    SUMS,
    Case { arguments: ", 200, 100, 80, 120, -3", parameters: &["part=200,100,80,120", "by=-3"], ..SUMS },
    Case { arguments: ", 1, 2, 3, 4, 0", parameters: &["part=1,2,3,4", "by=0"], ..SUMS },
];

/// With `@name` the register of that result of the program, as the header tells it.
fn with_registers(printed: &str, name: &str, header: &str) -> String {
    let at = header.find(&format!("\n// {name}\n")).unwrap();
    let mut text = printed.to_owned();
    while let Some((before, after)) = text.split_once('@') {
        let (result, rest) = after.split_at(after.find(')').unwrap());
        let told = format!("// the result `{result}` is in ");
        let register = header[at..].split_once(told.as_str()).unwrap().1.lines().next().unwrap();
        text = format!("{before}SCAMP5_PE::{register}{rest}");
    }
    text
}

/// Compiles a C++ program and runs it, with this argument.
fn built(folder: &Folder, main: &str) {
    folder.write("main.cpp", main);
    let arguments = ["-std=c++11", "-O1", "-Wall", "-Werror", "-Wno-unused-variable", "-I.", "main.cpp", "-o", "main"];
    let built = Command::new("c++").args(arguments).current_dir(folder.path("")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}

#[test]
fn functions_do_what_the_command_does() {
    if super::has_no_compiler() {
        return;
    }
    let folder = folder();
    folder.write("programs.cain", PROGRAMS);
    folder.write("network.toml", NETWORK);
    folder.cain(&["generate", "programs.cain", "-o", "programs.hpp"]).good();
    let header = folder.read("programs.hpp");
    let mut main = format!("{PRINTING}\nint main()\n{{\n");
    for Case { name, arguments, printed, outside, .. } in CASES {
        let printed = with_registers(printed, name, &header);
        let prepared = if header.contains(&format!("void {name}_prepare()")) {
            format!("{name}_prepare();")
        } else {
            String::new()
        };
        // What is out of its range changes nothing.
        let refused: Vec<String> =
            outside.iter().map(|of| format!("chip::check(!{name}(r{of}), \"not refused\");")).collect();
        let refused = refused.join(" ");
        let called = if outside.is_empty() {
            format!("{name}(r{arguments});")
        } else {
            format!("chip::check({name}(r{arguments}), \"refused\");")
        };
        write!(
            main,
            "    {prepared}\n    for (int frame = 0; frame < {FRAMES}; ++frame)\n    {{\n        see(frame);\n        \
             {name}_results r = {name}_results();\n        {refused}{called}\n        \
             std::printf(\"{{\\\"frame\\\":%d\", frame);\n        {printed}\n        std::puts(\"}}\");\n    }}\n"
        )
        .unwrap();
    }
    built(&folder, &(main + "}\n"));
    let called = Command::new(folder.path("main")).current_dir(folder.path("")).output().unwrap();
    assert!(called.status.success(), "{}", String::from_utf8_lossy(&called.stderr));
    let mut wanted = String::new();
    for Case { name, parameters, .. } in CASES {
        let parameters = parameters.iter().flat_map(|of| ["--param", of]);
        let run: Vec<&str> =
            ["run", "programs.cain", name, "--frames", "frames", "--json"].into_iter().chain(parameters).collect();
        wanted += &folder.cain(&run).good();
    }
    assert_eq!(String::from_utf8(called.stdout).unwrap(), wanted);
    assert_eq!(wanted.lines().count(), CASES.len() * FRAMES as usize);
}
