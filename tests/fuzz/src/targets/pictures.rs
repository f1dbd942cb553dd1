//! Image files.

use cain_runtime::pictures::{Image, Picture};

use crate::oracle::{ensure, printable};
use crate::{Corpus, Dice, Target, Verdict, mutate};

pub(super) const TARGET: Target = Target {
    name: "pictures",
    about: "PNG and PNM files as frames",
    ending: "bin",
    quick: 3_000,
    // This is the memory for reading a picture of the largest size.
    memory: 2_200,
    generate,
    check,
};

const WIDTH: usize = 12;
const HEIGHT: usize = 8;

fn generate(dice: &mut Dice, corpus: &Corpus) -> Vec<u8> {
    mutate::of_bytes(dice, corpus, |dice| {
        let (width, height) = (1 + dice.below(20), 1 + dice.below(20));
        let (kind, most) = (dice.below(7), dice.pick(&[1, 255, 256, 65_535]));
        if kind == 0 {
            let grey = Picture::from_fn(width, height, |_, _| [dice.byte(); 3]);
            return grey.png().unwrap_or_default();
        }
        let mut file = format!("P{kind}\n# made by a generator\n{width} {height}\n").into_bytes();
        // Bitmaps have no maximum value.
        if kind != 1 && kind != 4 {
            file.extend(format!("{most}\n").bytes());
        }
        for _ in 0..width * height * if kind % 3 == 0 { 3 } else { 1 } {
            if kind < 4 { file.extend(format!("{} ", dice.byte()).bytes()) } else { file.push(dice.byte()) }
        }
        file
    })
}

fn check(input: &[u8]) -> Result<Verdict, String> {
    let image = match Image::decode(input, "picture", WIDTH, HEIGHT) {
        Ok(image) => image,
        Err(error) => return printable(&error.to_string()).map(|()| Verdict::Refused),
    };
    ensure(image.bytes().len() == WIDTH * HEIGHT, || format!("{} pixels", image.bytes().len()))?;
    let picture = Picture::from_fn(WIDTH, HEIGHT, |column, row| [image.bytes()[row * WIDTH + column]; 3]);
    let file = picture.png().map_err(|error| error.to_string())?;
    let again = Image::decode(&file, "again", WIDTH, HEIGHT).map_err(|error| error.to_string())?;
    ensure(again == image, || "written as PNG, it is another picture".to_owned())?;
    Ok(Verdict::Accepted)
}
