//! The hint of a fault that the text is one of another format.

use crate::error::KifuError;
use crate::kifu_format::{Detected, KifuFormat};
use crate::text::encoding::{Decoder, Encodings};

/// Adds the format of a text to its first fault, if it resembles another format than `own`. `start`
/// is the start of the text, empty if it is not to be examined.
pub(crate) fn with_format_hint(fault: KifuError, own: KifuFormat, start: &[u8]) -> KifuError {
    if start.is_empty() || fault.is_final() || matches!(fault, KifuError::GameTooLong { .. }) {
        return fault;
    }
    let mut decoder = Decoder::new(Encodings::Japanese);
    let Some(Detected { format, is_certain }) = KifuFormat::detect_with(start, &mut decoder) else {
        return fault;
    };
    // A header without moves may be that of KI2 as well.
    if format == own || (own == KifuFormat::Ki2 && !is_certain) {
        return fault;
    }
    let encoding = decoder.decided().or((!start.is_ascii()).then_some("UTF-8"));
    KifuError::OtherFormat { fault: Box::new(fault), format, encoding }
}
