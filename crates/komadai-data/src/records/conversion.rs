//! Conversion between the formats of records.

use komadai_core::{Hcp, PackedError, PackedSfen};

use super::hcpe::Hcpe;
use super::psv::PackedSfenValue;

impl PackedSfenValue {
    /// The same record as HCPE, which has no move number.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position. The rules are not checked; that does
    /// [`check`](Self::check).
    pub fn to_hcpe(&self) -> Result<Hcpe, PackedError> {
        let position = Hcp::from_setup(&self.position.to_setup()?)?;
        let Self { score, best_move, result, .. } = *self;
        Ok(Hcpe { position, score, best_move, result })
    }
}

impl Hcpe {
    /// The same record as PSV, with the number of the next move, which HCPE lacks. Programs write 0
    /// or 1 if they do not know it.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position. The rules are not checked; that does
    /// [`check`](Self::check).
    pub fn to_psv(&self, ply: u16) -> Result<PackedSfenValue, PackedError> {
        let position = PackedSfen::from_setup(&self.position.to_setup()?)?;
        let Self { score, best_move, result, .. } = *self;
        Ok(PackedSfenValue { position, score, best_move, ply, result })
    }
}
