//! The frames of a run: a picture for each input.

use cain_isa::Reg;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;

use super::Run;
use super::args::PictureOf;
use super::sources::{self, Source};

/// The pictures of all inputs.
pub(crate) struct Frames {
    sources: Vec<Source>,
    /// The inputs, each with the number of its source.
    inputs: Vec<(Reg, usize)>,
    size: Size,
}

/// The form in which the pictures were given, and thus that of the results.
pub(crate) enum Kind {
    /// A single picture.
    Single,
    /// A folder of pictures with these names.
    Folder(Vec<String>),
    /// An animation, each of whose pictures is shown for so many milliseconds.
    Animation(Vec<u16>),
}

impl Frames {
    /// Opens the pictures given in the arguments for these inputs.
    pub(crate) fn open(args: &Run, inputs: &[Reg]) -> Result<Self, String> {
        let size = args.size;
        let mut sources =
            args.images.iter().map(|image| Source::open(&image.path, size)).collect::<Result<Vec<_>, _>>()?;
        let inputs =
            inputs.iter().map(|&reg| Ok((reg, source_of(reg, &args.images)?))).collect::<Result<_, String>>()?;
        if sources.is_empty() {
            sources.push(Source::Picture(Image::example(size.width, size.height)));
        }
        let mut several = args.images.iter().zip(&sources).filter_map(|(image, source)| Some((image, source.count()?)));
        if let Some((first, count)) = several.next()
            && let Some((other, found)) = several.find(|(_, found)| *found != count)
        {
            let [first, other] = [first, other].map(|image| image.path.display());
            return Err(format!("`{first}` has {count} pictures and `{other}` has {found}; give as many of each"));
        }
        Ok(Self { sources, inputs, size })
    }

    /// The number of frames.
    pub(crate) fn count(&self) -> usize {
        self.sources.iter().find_map(Source::count).unwrap_or(1)
    }

    /// The form in which the pictures were given; with several sources, that of the first one with several pictures.
    pub(crate) fn kind(&self) -> Kind {
        let several = self.sources.iter().find(|source| source.count().is_some());
        match several {
            None | Some(Source::Picture(_)) => Kind::Single,
            Some(Source::Folder(files)) => Kind::Folder(files.iter().map(|file| sources::name(file)).collect()),
            Some(Source::Animation(frames)) => {
                Kind::Animation(frames.iter().map(|(_, milliseconds)| *milliseconds).collect())
            }
        }
    }

    /// The frame with this number.
    pub(crate) fn frame(&self, number: usize) -> Result<Frame, String> {
        let images = self.sources.iter().map(|source| source.image(number, self.size));
        Ok(Frame { images: images.collect::<Result<_, _>>()?, inputs: self.inputs.clone() })
    }
}

/// The source of an input: its own, or else the one for all inputs.
fn source_of(reg: Reg, images: &[PictureOf]) -> Result<usize, String> {
    let own = images.iter().position(|image| image.register == Some(reg));
    let common = images.iter().position(|image| image.register.is_none());
    match own.or(common) {
        Some(source) => Ok(source),
        None if images.is_empty() => Ok(0),
        None => Err(format!("--image: there is no picture for input `{reg}`; add `--image {reg}=FILE`")),
    }
}

/// Fails if a picture is for a register that is not an input, or if two are for the same register.
pub(crate) fn check(images: &[PictureOf], inputs: &[Reg]) -> Result<(), String> {
    for (i, image) in images.iter().enumerate() {
        if images.iter().take(i).any(|earlier| earlier.register == image.register) {
            return Err(match image.register {
                Some(reg) => format!("--image: two pictures for register `{reg}`; leave out one"),
                None => "--image: two pictures for the same inputs; say which is for which, as in `--image B=FILE`"
                    .to_owned(),
            });
        }
        if let Some(reg) = image.register.filter(|reg| !inputs.contains(reg)) {
            let inputs: Vec<_> = inputs.iter().map(|input| format!("`{input}`")).collect();
            return Err(format!("--image: `{reg}` is no input of the filter, which has {}", inputs.join(", ")));
        }
    }
    Ok(())
}

/// The pictures of one moment.
pub(crate) struct Frame {
    images: Vec<Image>,
    inputs: Vec<(Reg, usize)>,
}

impl Frame {
    /// The pictures that the input registers hold at the beginning.
    pub(crate) fn planes(&self) -> impl Iterator<Item = (Reg, &Image)> {
        self.inputs.iter().filter_map(|(reg, source)| Some((*reg, self.images.get(*source)?)))
    }

    /// The picture that the photo-sensors see.
    pub(crate) fn scene(&self) -> Option<&Image> {
        self.images.first()
    }
}
