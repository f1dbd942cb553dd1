//! Pictures for training, as files.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use fastrand::Rng;

use crate::labels::Sample;
use crate::renderer::SIDE;

/// Writes random views and their labels in the format of MNIST: `images`, `right` and `stop`.
pub(crate) fn write(folder: &Path, seed: u64, pictures: u32) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut random = Rng::with_seed(seed);
    let side = u32::try_from(SIDE)?;
    let mut images = create(folder, "images-idx3-ubyte", &[pictures, side, side])?;
    let mut right = create(folder, "right-idx1-ubyte", &[pictures])?;
    let mut stop = create(folder, "stop-idx1-ubyte", &[pictures])?;
    let mut light = vec![0.0; SIDE * SIDE];
    for _ in 0..pictures {
        let Sample { scene, pose, label } = Sample::random(&mut random);
        scene.render(&pose, &mut light);
        images.write_all(&light.iter().map(|&light| byte(light)).collect::<Vec<_>>())?;
        right.write_all(&[label.right.into()])?;
        stop.write_all(&[label.stop.into()])?;
    }
    for mut file in [images, right, stop] {
        file.flush()?;
    }
    Ok(())
}

/// A file of bytes with its head.
fn create(folder: &Path, name: &str, size: &[u32]) -> Result<BufWriter<File>, Box<dyn Error>> {
    let path = folder.join(name);
    let mut file = BufWriter::new(File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?);
    file.write_all(&[0, 0, 8, u8::try_from(size.len())?])?;
    for length in size {
        file.write_all(&length.to_be_bytes())?;
    }
    Ok(file)
}

/// The grey of light from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn byte(light: f32) -> u8 {
    (light * 255.0).round() as u8
}
