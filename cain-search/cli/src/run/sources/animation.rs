//! Reads all frames of an animation.

use std::fmt::Display;
use std::io::{BufReader, Read as _, Seek as _};
use std::path::Path;

use cain_codegen::printable::Printable;
use cain_codegen::text_file;
use cain_runtime::io::Size;
use cain_runtime::pictures::Image;

use super::apng::Apng;
use super::canvas::Canvas;
use super::frames::{Frames, MOST_BYTES, MOST_PICTURES, Shown};
use super::gif::Gif;

/// The most PEs in all pictures of an animation together, one byte each.
const MOST_PES: usize = 1 << 28;
/// The most pixels in all pictures of an animation together, before they are scaled: half a minute of work.
const MOST_PIXELS: usize = 1 << 31;
/// What a frame takes for each of its pixels: itself, what is seen, and what was there before, of four bytes each.
const PIXEL_BYTES: usize = 12;

/// The frames of an APNG or GIF file, each with the milliseconds for which it is shown; `None` for any other file.
pub(super) fn read(path: &Path, size: Size) -> Result<Option<Vec<(Image, u16)>>, String> {
    let shown = Printable(path.display()).to_string();
    let failed = |error: &dyn Display| format!("{shown}: cannot be read: {}", Printable(error));
    let file = text_file::open(path).map_err(|error| failed(&error))?;
    let mut file = BufReader::new(file);
    let mut beginning = Vec::new();
    file.by_ref().take(8).read_to_end(&mut beginning).map_err(|error| failed(&error))?;
    file.rewind().map_err(|error| failed(&error))?;
    if beginning.starts_with(b"GIF87a") || beginning.starts_with(b"GIF89a") {
        let gif = Gif::open(file).map_err(|error| failed(&error))?;
        return all(gif, &shown, size).map(Some);
    }
    if beginning.starts_with(b"\x89PNG\r\n\x1a\n") {
        let apng = Apng::open(file).map_err(|error| failed(&error))?;
        return apng.map(|apng| all(apng, &shown, size)).transpose();
    }
    Ok(None)
}

/// All frames, cropped and scaled.
fn all(mut frames: impl Frames, shown: &str, size: Size) -> Result<Vec<(Image, u16)>, String> {
    let (width, height) = frames.size();
    let area = width.checked_mul(height).filter(|area| area.saturating_mul(PIXEL_BYTES) <= MOST_BYTES);
    let Some(area) = area else {
        return Err(format!(
            "{shown}: its pictures have {width}×{height} pixels, too many for an animation; scale it down"
        ));
    };
    let most = [MOST_PICTURES, MOST_PES / (size.width * size.height), MOST_PIXELS / area.max(1)];
    let most = most.into_iter().min().unwrap_or_default();
    let mut canvas = Canvas::new(width, height);
    let mut pictures = Vec::new();
    while let Some(Shown { milliseconds }) =
        frames.draw_next(&mut canvas).map_err(|error| format!("{shown}: cannot be read: {}", Printable(error)))?
    {
        if pictures.len() == most {
            return Err(format!(
                "{shown}: more than {most} pictures of {width}×{height} pixels for an array of {}×{} PEs; shorten the \
                 animation, or scale it down",
                size.width, size.height
            ));
        }
        // As a picture in a file, which is cropped, scaled and made grey like others.
        let mut ppm = format!("P6 {width} {height} 255\n").into_bytes();
        ppm.extend(canvas.colours().flatten());
        let image = Image::decode(&ppm, shown, size.width, size.height).map_err(|error| error.to_string())?;
        pictures.push((image, u16::try_from(milliseconds).unwrap_or(u16::MAX)));
    }
    if pictures.is_empty() { Err(format!("{shown}: an animation without pictures")) } else { Ok(pictures) }
}

#[cfg(test)]
mod tests {
    use super::{Image, Size, read};
    use image::codecs::gif::GifDecoder;
    use image::codecs::png::PngDecoder;
    use image::{AnimationDecoder as _, DynamicImage, Frame, Frames, ImageFormat, Rgba, RgbaImage};
    use std::fs;
    use std::io::Cursor;
    use std::path::Path;

    const WIDTH: u32 = 13;
    const HEIGHT: u32 = 11;

    /// Numbers below `limit` without any pattern.
    struct Dice(u32);

    impl Dice {
        fn below(&mut self, limit: u32) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) % limit
        }

        fn byte(&mut self, limit: u32) -> u8 {
            u8::try_from(self.below(limit)).unwrap()
        }

        /// Left, top, width and height.
        fn part(&mut self) -> [u32; 4] {
            let (left, top) = (self.below(WIDTH), self.below(HEIGHT));
            [left, top, 1 + self.below(WIDTH - left), 1 + self.below(HEIGHT - top)]
        }
    }

    fn shown(file: &[u8], folder: &Path) -> Result<Option<Vec<(Image, u16)>>, String> {
        let path = folder.join("moving");
        fs::write(&path, file).unwrap();
        read(&path, Size { width: 13, height: 11 }).map_err(|error| error.rsplit('/').next().unwrap().to_owned())
    }

    /// The frames as `image` reads them.
    fn expected(frames: Frames<'_>) -> Vec<(Image, u16)> {
        let one = |frame: Frame| {
            let (milliseconds, parts) = frame.delay().numer_denom_ms();
            let mut png = Cursor::new(Vec::new());
            DynamicImage::from(frame.into_buffer()).to_rgb8().write_to(&mut png, ImageFormat::Png).unwrap();
            (Image::decode(png.get_ref(), "", 13, 11).unwrap(), u16::try_from(milliseconds / parts).unwrap())
        };
        frames.map(|frame| one(frame.unwrap())).collect()
    }

    #[test]
    fn frames_of_gifs() {
        let folder = tempfile::tempdir().unwrap();
        let mut dice = Dice(1);
        let mut file = Vec::new();
        let palette: Vec<u8> = (0..12).map(|_| dice.byte(256)).collect();
        let mut encoder = gif::Encoder::new(&mut file, 13, 11, &palette).unwrap();
        for _ in 0..200 {
            let [left, top, width, height] = dice.part().map(|side| u16::try_from(side).unwrap());
            let pixels: Vec<u8> = (0..width * height).map(|_| dice.byte(4)).collect();
            let mut frame = gif::Frame::from_indexed_pixels(width, height, pixels, Some(3));
            // Some are beyond the edge.
            (frame.left, frame.top, frame.delay) = (left + u16::from(dice.byte(2)), top, u16::from(dice.byte(256)));
            frame.dispose = gif::DisposalMethod::from_u8(dice.byte(4)).unwrap();
            encoder.write_frame(&frame).unwrap();
        }
        drop(encoder);
        let expected = expected(GifDecoder::new(Cursor::new(&file)).unwrap().into_frames());
        assert!(shown(&file, folder.path()).unwrap().unwrap() == expected);
    }

    /// An animation of frames with their parts, each drawn over those before; only some have a cover.
    fn apng(
        colours: png::ColorType,
        has_cover: bool,
        frames: &[([u32; 4], Vec<u8>, png::DisposeOp, png::BlendOp)],
    ) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, WIDTH, HEIGHT);
        encoder.set_color(colours);
        encoder.set_animated(u32::try_from(frames.len()).unwrap(), 0).unwrap();
        encoder.set_sep_def_img(has_cover).unwrap();
        let mut writer = encoder.write_header().unwrap();
        if has_cover {
            writer.write_image_data(&vec![9; 13 * 11 * colours.samples()]).unwrap();
        }
        for ([left, top, width, height], pixels, dispose, blend) in frames {
            writer.reset_frame_position().unwrap();
            writer.set_frame_dimension(*width, *height).unwrap();
            writer.set_frame_position(*left, *top).unwrap();
            writer.set_frame_delay(u16::try_from(30 + left).unwrap(), u16::try_from(7 * top).unwrap()).unwrap();
            writer.set_dispose_op(*dispose).unwrap();
            writer.set_blend_op(*blend).unwrap();
            writer.write_image_data(pixels).unwrap();
        }
        writer.finish().unwrap();
        file
    }

    #[test]
    fn frames_of_pngs() {
        use png::{BlendOp, ColorType, DisposeOp};
        let folder = tempfile::tempdir().unwrap();
        let mut dice = Dice(2);
        for colours in [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba] {
            for has_cover in [false, true] {
                let mut last = DisposeOp::None;
                let mut frame = |place: u32| {
                    let part @ [.., width, height] = if place == 0 { [0, 0, WIDTH, HEIGHT] } else { dice.part() };
                    let count = width * height * u32::try_from(colours.samples()).unwrap();
                    let pixels = (0..count).map(|_| dice.byte(256)).collect();
                    let blend = if dice.below(2) == 0 { BlendOp::Source } else { BlendOp::Over };
                    // After a cleared part, `image` restores what was in it before.
                    last = match dice.below(3) {
                        0 if last != DisposeOp::Background => DisposeOp::Previous,
                        1 => DisposeOp::Background,
                        _ => DisposeOp::None,
                    };
                    (part, pixels, last, blend)
                };
                let file = apng(colours, has_cover, &(0..60).map(&mut frame).collect::<Vec<_>>());
                let decoder = PngDecoder::new(Cursor::new(&file)).unwrap();
                let expected = expected(decoder.apng().unwrap().into_frames());
                assert!(shown(&file, folder.path()).unwrap().unwrap() == expected, "{colours:?} {has_cover}");
            }
        }
    }

    /// What is restored is what was there when the frame was drawn.
    #[test]
    fn a_cleared_part_is_restored_as_cleared() {
        use png::{BlendOp, ColorType, DisposeOp};
        let folder = tempfile::tempdir().unwrap();
        let frame = |part: [u32; 4], grey: u8, dispose| {
            let count = usize::try_from(part[2] * part[3]).unwrap();
            (part, [grey, 255].repeat(count), dispose, BlendOp::Source)
        };
        let frames = [
            frame([0, 0, WIDTH, HEIGHT], 50, DisposeOp::Background),
            frame([0, 0, WIDTH, HEIGHT], 100, DisposeOp::Previous),
            frame([0, 0, 1, 1], 150, DisposeOp::None),
        ];
        let shown = shown(&apng(ColorType::GrayscaleAlpha, false, &frames), folder.path()).unwrap().unwrap();
        let levels = |(image, _): &(Image, u16)| [image.bytes()[0], image.bytes()[1]];
        assert_eq!(shown.iter().map(levels).collect::<Vec<_>>(), [[50; 2], [100; 2], [150, 0]]);
    }

    #[test]
    fn bad_animations() {
        let folder = tempfile::tempdir().unwrap();
        let wide = {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 1, 1);
            encoder.set_depth(png::BitDepth::Sixteen);
            encoder.set_animated(1, 0).unwrap();
            encoder.write_header().unwrap().write_image_data(&[0; 2]).unwrap();
            file
        };
        let frame = ([0, 0, WIDTH, HEIGHT], vec![7; 13 * 11], png::DisposeOp::None, png::BlendOp::Source);
        let whole = apng(png::ColorType::Grayscale, false, &[frame.clone(), frame]);
        let cut = &whole[..whole.len() - 30];
        for (file, expected) in [
            (&wide[..], "moving: cannot be read: it is an animation with 16 bits for each colour; expected at most 8"),
            (cut, "moving: cannot be read: the file ends too early"),
        ] {
            assert_eq!(shown(file, folder.path()).unwrap_err(), expected);
        }
        let still = {
            let mut png = Cursor::new(Vec::new());
            RgbaImage::from_pixel(2, 2, Rgba([1; 4])).write_to(&mut png, ImageFormat::Png).unwrap();
            png.into_inner()
        };
        assert!(shown(&still, folder.path()).unwrap().is_none());
    }
}
