//! The evaluation of self-play.

use std::path::Path;

use anyhow::Context as _;
use komadai::data::file_sha256;
use komadai::eval::Classical;
use komadai::nnue::{Network, Nnue, ScaleSource};

/// The evaluation that searches, with its name in the manifest.
pub(super) enum TeacherEvaluation {
    Classical(Box<Classical>),
    Network(Nnue, String),
}

impl TeacherEvaluation {
    /// Returns the bundled network, the network of a file, or, for `<classical>`, the evaluation
    /// without a network.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            let network = Network::bundled();
            let name = format!("{} bundled: {}", network.architecture(), network.description());
            return Ok(Self::Network(Nnue::new(network), name));
        };
        if path.as_os_str().eq_ignore_ascii_case("<classical>") {
            return Ok(Self::Classical(Box::default()));
        }
        let place = || format!("evaluation {}", path.display());
        let network = Network::open(path).with_context(place)?;
        let hash = file_sha256(path).with_context(place)?;
        let facts = network.facts();
        let mut name = format!("{} sha256 {hash}", facts.architecture);
        if facts.scale_source != ScaleSource::Default {
            // The values of the same file are others beside another `eval_options.txt`.
            name += &format!(" FV_SCALE {}", facts.fv_scale);
        }
        Ok(Self::Network(Nnue::new(network), name))
    }

    /// Returns the name and the hash. The signature of the search, which the manifest states too,
    /// changes with every change of the embedded evaluation.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Classical(_) => "classical",
            Self::Network(_, name) => name,
        }
    }
}
