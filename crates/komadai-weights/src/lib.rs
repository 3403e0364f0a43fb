#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

/// The network with which the engine plays by default: a file in the compact format of
/// `komadai-nnue`.
///
/// `Network::bundled` of `komadai-nnue` (feature `bundled`) reads it once for all callers.
///
/// # Examples
///
/// ```
/// assert!(komadai_weights::NETWORK.len() < 4 << 20);
/// ```
pub const NETWORK: &[u8] = include_bytes!("network.nnue");
