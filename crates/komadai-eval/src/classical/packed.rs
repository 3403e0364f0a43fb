//! Early and late value packed in one number.

use super::groups::Weight;

/// The early and the late value of a weight in one number, so that one addition adds both.
///
/// The early value is in the upper half. Each value of every sum must fit 16 bits; the
/// [limits](crate::Group::limit) of the weights ensure that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub(crate) struct Packed(i32);

/// The early and the late value of a sum, in separate numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Unpacked {
    pub(crate) early: i32,
    pub(crate) late: i32,
}

impl From<Weight> for Packed {
    fn from(weight: Weight) -> Self {
        Self::new(i32::from(weight.early), i32::from(weight.late))
    }
}

impl Packed {
    /// Packs two values. Bits beyond 16 are cut off.
    pub(crate) const fn new(early: i32, late: i32) -> Self {
        Self((early << 16).wrapping_add(late as i16 as i32))
    }

    #[inline(always)]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    pub(crate) const fn unpack(self) -> Unpacked {
        // A negative late value has borrowed one from the upper half; the subtraction returns it.
        let late = self.0 as i16 as i32;
        Unpacked { early: self.0.wrapping_sub(late) >> 16, late }
    }
}

impl Unpacked {
    #[inline(always)]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { early: self.early + other.early, late: self.late + other.late }
    }

    #[inline(always)]
    pub(crate) const fn minus(self, other: Self) -> Self {
        Self { early: self.early - other.early, late: self.late - other.late }
    }

    #[inline(always)]
    pub(crate) const fn times(self, factor: i32) -> Self {
        Self { early: self.early * factor, late: self.late * factor }
    }

    /// Interpolates: early at `phase` 0, late at `phase` = `whole`.
    #[inline(always)]
    pub(crate) const fn at(self, phase: i32, whole: i32) -> i32 {
        (self.early * (whole - phase) + self.late * phase) / whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_are_unpacked_unchanged() {
        for early in [-16_000, -1, 0, 1, 5, 16_000] {
            for late in [-16_000, -7, -1, 0, 1, 16_000] {
                let packed = Packed::new(early, late);
                assert_eq!(packed.unpack(), Unpacked { early, late });
                let sum = packed.plus(Packed::new(-3, 9));
                assert_eq!(sum.unpack(), Unpacked { early: early - 3, late: late + 9 });
            }
        }
    }
}
