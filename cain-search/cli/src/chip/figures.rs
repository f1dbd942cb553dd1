//! What is told of the errors of a result.

use serde::Serialize;

use crate::share::percent;

/// From where on levels are at an end of the range, in DN: each transfer adds some 20, so that not all of what is beyond is kept.
pub(super) const END: f64 = 100.0;

/// The errors of a result; as JSON, the keys are those of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ResultRecord {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) of: Figures,
}

/// How large the errors are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Figures {
    /// In DN: the root of the mean square of the errors, their mean, and the standard deviation of the levels without errors; and
    /// the share of the squared errors in PEs whose level is beyond ±100 DN without errors.
    Levels {
        rms: f64,
        bias: f64,
        deviation: f64,
        ends: f64,
    },
    /// The share of wrong bits, that of ones without errors, and what is told of these.
    Bits {
        wrong: f64,
        ones: f64,
        #[serde(flatten)]
        found: Found,
    },
    Entries(Found),
    /// By how much numbers are off on the average, how large they are, and the share of frames in which they are there and should
    /// not be, or the other way round.
    Numbers {
        off: f64,
        size: f64,
        odd: f64,
    },
}

/// The share of what should be found and is not, and the share of what is found and should not be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Found {
    pub(super) missed: f64,
    pub(super) surplus: f64,
}

impl Figures {
    /// How large they are beside what the result can be, and the figure that tells it; nothing if there are none.
    pub(crate) fn in_short(&self) -> Option<(f64, String)> {
        let (share, told) = match self {
            Self::Levels { rms, deviation, .. } => (rms / deviation.max(1.0), format!("{rms:.1} DN")),
            Self::Bits { wrong, ones, .. } => (wrong / ones.min(1.0 - ones).max(*wrong), part(*wrong)),
            Self::Entries(Found { missed, surplus }) => (missed.max(*surplus), part(missed.max(*surplus))),
            Self::Numbers { off, size, odd } => ((off / size.max(1.0)).max(*odd), format!("{off:.1} of {size:.1}")),
        };
        (share > 0.0).then_some((share, told))
    }

    /// Why a result that never changes would be as near to that without errors, if that is so.
    pub(crate) fn is_lost(&self) -> Option<&'static str> {
        match self {
            Self::Levels { rms, deviation, .. } => {
                (*deviation > 0.0 && rms > deviation).then_some("its errors are larger than what it varies by")
            }
            Self::Bits { wrong, ones, .. } => {
                /// From which share on the scene shows what a program looks for.
                const SHOWN: f64 = 0.01;
                let fewer = ones.min(1.0 - ones);
                (fewer > SHOWN && *wrong > fewer).then_some("more of its bits are wrong than are 1, or than are 0")
            }
            Self::Entries(Found { missed, .. }) => {
                (*missed > 0.5).then_some("more of its entries are missed than found")
            }
            Self::Numbers { off, size, odd } => {
                (*size > 0.0 && off > size || *odd > 0.5).then_some("it is further from what it should be than 0 is")
            }
        }
    }

    /// In a few words.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Levels { rms, bias, deviation, ends } if *rms > 0.0 => {
                /// From which errors on, in DN, it is told where they are from.
                const LARGE: f64 = 4.0;
                let ends = (*rms > LARGE && *ends > 0.5).then(|| {
                    format!(
                        "; {} of their squares at levels beyond ±{END} DN, which a chip does not keep",
                        percent(*ends)
                    )
                });
                format!(
                    "errors of {rms:.1} DN, {bias:+.1} DN on the average, in levels that vary by {deviation:.1} DN{}",
                    ends.unwrap_or_default()
                )
            }
            Self::Bits { wrong, ones, found } if *wrong > 0.0 => {
                format!("{} of the bits wrong; {}; {} are 1", part(*wrong), found.told("ones"), part(*ones))
            }
            Self::Entries(found) if found.missed > 0.0 || found.surplus > 0.0 => found.told("entries"),
            Self::Numbers { off, size, odd } if *off > 0.0 || *odd > 0.0 => {
                let odd =
                    (*odd > 0.0).then(|| format!("; there or not there by mistake in {} of the frames", part(*odd)));
                format!("off by {off:.1} of {size:.1}{}", odd.unwrap_or_default())
            }
            _ => "as without errors".to_owned(),
        }
    }
}

impl Found {
    fn told(&self, what: &str) -> String {
        format!("{} of the {what} missed, {} of those found wrong", part(self.missed), part(self.surplus))
    }
}

/// A share in percent; a small one is told apart from none.
fn part(share: f64) -> String {
    const LEAST: f64 = 0.0005;
    if share > 0.0 && share < LEAST { "under 0.1 %".to_owned() } else { percent(share) }
}
