//! Arrows for moves.

use core::fmt;

use komadai_core::{Move, PieceKind};

use super::board::{SvgArrow, SvgBoard};

impl SvgBoard {
    pub(super) fn write_arrow(
        &self,
        (m, arrow): (Move, SvgArrow),
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        const HEAD: f64 = 18.0;
        let start = match (m.from(), m.dropped()) {
            (Some(from), _) => self.center(from),
            (None, kind) => self.stand_place(self.setup.side, kind.unwrap_or(PieceKind::Pawn)),
        };
        let end = self.center(m.to());
        let (dx, dy) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
        // The squares of a move differ and a stand lies beside the board: the length is not 0.
        let length = dx.hypot(dy);
        let degrees = dy.atan2(dx).to_degrees();
        let neck = length - HEAD;
        let (class, half) = match arrow {
            SvgArrow::Plain => ("", 4),
            SvgArrow::Good => (" kd-arrow-good", 4),
            SvgArrow::Bad => (" kd-arrow-bad", 4),
            SvgArrow::Minor => (" kd-arrow-minor", 2),
        };
        writeln!(
            f,
            r#"<path class="kd-arrow{class}" transform="translate({} {})rotate({degrees:.1})" d="M8-{half}H{neck:.1}V-10L{length:.1} 0 {neck:.1} 10V{half}H8z"/>"#,
            start.0, start.1
        )
    }
}
