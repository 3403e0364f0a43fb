//! The conditions of a search.

use std::ops::{ControlFlow, RangeInclusive};

use komadai_core::{Color, Move, Position, Setup};
use komadai_kifu::Outcome;
use komadai_kifu::formation::{BoardPattern, Formation};

use crate::date::GameDate;
use crate::lead::MaterialLead;
use crate::summary::GameSummary;

/// The conditions of a search, all of which hold in a game that is found.
///
/// [`position`](Self::position), [`patterns`](Self::patterns) and [`leads`](Self::leads) hold in one
/// and the same position of the game, and with [`lasting`](Self::lasting) in several that follow each
/// other; the others are conditions on the game. The default finds every game.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_games::{GameQuery, GameSummary};
/// use komadai_kifu::{FilePlace, Tolerance, parse_usi_games};
///
/// let game = "startpos moves 7g7f 3c3d 2g2f 8c8d";
/// let record = parse_usi_games(game, Tolerance::Strict)?.records.remove(0);
/// let place = FilePlace { path: "a.usi".into(), entry: None, game: 1 };
/// let game = GameSummary::new(place, &record);
///
/// // The position after the same moves in another order.
/// let mut position = Position::hirate();
/// for text in ["2g2f", "3c3d", "7g7f"] {
///     position.do_move(text.parse()?);
/// }
/// let query = GameQuery { position: Some(position), ..GameQuery::default() };
/// assert_eq!(query.find(&game).and_then(|hit| hit.ply), Some(3));
/// let query = GameQuery { opening: vec!["2g2f".parse()?], ..GameQuery::default() };
/// assert_eq!(query.find(&game), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameQuery {
    /// A position of the game: board, hands and side to move, however it was reached.
    pub position: Option<Position>,
    /// Partial positions that one position of the game fits.
    pub patterns: Vec<BoardPattern>,
    /// Leads in material.
    pub leads: Vec<MaterialLead>,
    /// True if the position, patterns and leads may hold with the colours exchanged and the board turned
    /// as well.
    pub mirrored: bool,
    /// The number of successive positions in which patterns and leads hold; 0 is the same as 1.
    pub lasting: usize,
    /// The first moves of a game from the even position.
    pub opening: Vec<Move>,
    /// Parts of names, each of which a player has. Two of them are for two players.
    pub players: Vec<String>,
    /// Parts of the names of Black and White.
    pub sides: [Option<String>; 2],
    /// A part of the name of the winner.
    pub winner: Option<String>,
    /// A part of the event.
    pub event: Option<String>,
    /// The first date. Games without a date are not found with a first or last one.
    pub since: Option<GameDate>,
    /// The last date.
    pub until: Option<GameDate>,
    /// The outcomes, one of which the game has; all if there is none.
    pub outcomes: Vec<Outcome>,
    /// The numbers of moves that the game may have.
    pub moves: RangeInclusive<usize>,
    /// Castles and strategies, each reached by this side, or by any. A refinement counts as well:
    /// 高美濃囲い is a 美濃囲い.
    pub formations: Vec<(Formation, Option<Color>)>,
}

/// A game that a search has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The number of moves before the first position that fits, or that after which a castle or
    /// strategy of the query was reached, or that of the opening; `None` if the query is about the game only.
    pub ply: Option<usize>,
    /// True if the position fits with the colours exchanged.
    pub is_mirrored: bool,
}

impl Default for GameQuery {
    fn default() -> Self {
        Self {
            position: None,
            patterns: Vec::new(),
            leads: Vec::new(),
            mirrored: false,
            lasting: 1,
            opening: Vec::new(),
            players: Vec::new(),
            sides: [None, None],
            winner: None,
            event: None,
            since: None,
            until: None,
            outcomes: Vec::new(),
            moves: 0..=usize::MAX,
            formations: Vec::new(),
        }
    }
}

impl GameQuery {
    /// Returns true if the query needs the names of castles and strategies.
    pub fn needs_formations(&self) -> bool {
        !self.formations.is_empty()
    }

    /// Returns the place where a game fits, or `None` if it does not.
    pub fn find(&self, game: &GameSummary) -> Option<Hit> {
        let fits = self.fits_header(game) && self.fits_opening(game);
        let formed = if fits { self.formed(game)? } else { return None };
        if self.position.is_some() || !self.patterns.is_empty() || !self.leads.is_empty() {
            return self.find_position(game);
        }
        let opening = (!self.opening.is_empty()).then_some(self.opening.len());
        Some(Hit { ply: formed.or(opening), is_mirrored: false })
    }

    fn fits_header(&self, game: &GameSummary) -> bool {
        let name = |color: Color| game.players[color.index()].as_str();
        let winner = match game.outcome {
            Outcome::Win(color) => name(color),
            Outcome::Draw | Outcome::Unknown => "",
        };
        let sides = Color::ALL.into_iter().all(|color| {
            self.sides[color.index()].as_ref().is_none_or(|part| contains(name(color), part))
        });
        sides
            && self.fits_players(game)
            && self.winner.as_ref().is_none_or(|part| contains(winner, part))
            && self.event.as_ref().is_none_or(|part| contains(&game.event, part))
            && (self.outcomes.is_empty() || self.outcomes.contains(&game.outcome))
            && self.moves.contains(&game.moves.len())
            && self
                .since
                .is_none_or(|since| game.date.is_some_and(|date| date.compare(since).is_ge()))
            && self
                .until
                .is_none_or(|until| game.date.is_some_and(|date| date.compare(until).is_le()))
    }

    /// Returns whether each name is a player's, and two names are those of two players.
    fn fits_players(&self, game: &GameSummary) -> bool {
        let has = |color: Color, part: &str| contains(&game.players[color.index()], part);
        match self.players.as_slice() {
            [one, other] => {
                Color::ALL.into_iter().any(|color| has(color, one) && has(!color, other))
            }
            all => all.iter().all(|part| Color::ALL.into_iter().any(|color| has(color, part))),
        }
    }

    fn fits_opening(&self, game: &GameSummary) -> bool {
        self.opening.is_empty()
            || game.moves.starts_with(&self.opening) && game.setup == Setup::hirate()
    }

    /// Returns the ply at which all castles and strategies had been reached; the inner `None` if there
    /// are none to reach.
    fn formed(&self, game: &GameSummary) -> Option<Option<usize>> {
        let first = |&(formation, side): &(Formation, Option<Color>)| {
            let fits = game.formations.iter().filter(|named| {
                side.is_none_or(|side| named.side == side)
                    && (named.formation == formation || named.formation.refines(formation))
            });
            fits.map(|named| named.ply).min()
        };
        self.formations.iter().try_fold(None, |last: Option<usize>, wanted| {
            let ply = first(wanted)?;
            Some(Some(last.map_or(ply, |last| last.max(ply))))
        })
    }

    /// Finds the first position in which the position, the patterns and the leads hold.
    fn find_position(&self, game: &GameSummary) -> Option<Hit> {
        let mut start = None;
        let lasting = self.lasting.max(1);
        let turned = self.position.as_ref().filter(|_| self.mirrored).map(Position::flipped);
        // By view: the number of successive positions in which everything holds.
        let mut held = [0; 2];
        let mut hit = None;
        let views = if self.mirrored { &Color::ALL[..] } else { &Color::ALL[..1] };
        game.visit(|ply, position, _| {
            let start = start.get_or_insert_with(|| position.clone());
            for &view in views {
                let wanted =
                    if view == Color::Black { self.position.as_ref() } else { turned.as_ref() };
                let held = &mut held[view.index()];
                let holds = self.holds(start, position, wanted, view);
                *held = if holds { *held + 1 } else { 0 };
                // A position never stands twice in a row.
                let enough = if self.position.is_some() { 1 } else { lasting };
                if *held == enough {
                    let is_mirrored = view == Color::White;
                    hit = Some(Hit { ply: Some(ply + 1 - enough), is_mirrored });
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        hit
    }

    fn holds(
        &self,
        start: &Position,
        position: &Position,
        wanted: Option<&Position>,
        view: Color,
    ) -> bool {
        wanted
            .is_none_or(|wanted| wanted.key() == position.key() && wanted.same_placement(position))
            && self.leads.iter().all(|lead| lead.holds(start, position, view))
            && self.patterns.iter().all(|pattern| pattern.fits(position, view))
    }
}

/// Returns whether a text has a part, whatever the case of the letters.
fn contains(text: &str, part: &str) -> bool {
    text.contains(part) || text.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use komadai_kifu::{FilePlace, Tolerance, parse_csa, parse_usi_games};

    use super::*;

    fn summary(record: &komadai_kifu::Record) -> GameSummary {
        let place = FilePlace { path: "a".into(), entry: None, game: 1 };
        GameSummary::with_formations(place, record)
    }

    fn usi(moves: &str) -> GameSummary {
        let text = format!("startpos moves {moves}");
        summary(&parse_usi_games(&text, Tolerance::Strict).unwrap().records[0])
    }

    fn header(text: &str) -> GameSummary {
        let text = format!("{text}\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
        summary(&parse_csa(&text, Tolerance::Strict).unwrap().records[0])
    }

    #[test]
    fn headers_are_compared_without_case() {
        let game = header("N+Suzuki Ichiro\nN-SATO\n$EVENT:Club\n$START_TIME:2005/05/03");
        type Change = fn(&mut GameQuery);
        let found: [(Change, bool); 20] = [
            (|query| query.players = vec!["suzuki".into()], true),
            (|query| query.players = vec!["sato".into(), "ichiro".into()], true),
            (|query| query.players = vec!["suzuki".into(), "ichiro".into()], false),
            (|query| query.players = vec!["tanaka".into()], false),
            (|query| query.sides[0] = Some("suzuki".into()), true),
            (|query| query.sides[1] = Some("suzuki".into()), false),
            (|query| query.winner = Some("SATO".into()), true),
            (|query| query.winner = Some("suzuki".into()), false),
            (|query| query.event = Some("club".into()), true),
            (|query| query.event = Some("league".into()), false),
            (|query| query.outcomes = vec![Outcome::Win(Color::White)], true),
            (|query| query.outcomes = vec![Outcome::Draw, Outcome::Unknown], false),
            (|query| query.moves = 2..=2, true),
            (|query| query.moves = 3..=9, false),
            (|query| query.since = "2005".parse().ok(), true),
            (|query| query.since = "2005-06".parse().ok(), false),
            (|query| query.until = "2005-05-03".parse().ok(), true),
            (|query| query.until = "2004".parse().ok(), false),
            (|query| query.opening = vec!["7g7f".parse().unwrap()], true),
            (|query| query.opening = vec!["2g2f".parse().unwrap()], false),
        ];
        for (number, (change, expected)) in found.into_iter().enumerate() {
            let mut query = GameQuery::default();
            change(&mut query);
            assert_eq!(query.find(&game).is_some(), expected, "{number}");
        }
        let undated = header("N+A");
        let query = GameQuery { since: "1900".parse().ok(), ..GameQuery::default() };
        assert_eq!(query.find(&undated), None);
    }

    #[test]
    fn positions_are_found_with_exchanged_colours_only_on_request() {
        let game = usi("7g7f 3c3d 2g2f 8c8d");
        // White opened the diagonal of the bishop, and Black is to move.
        let mut turned = Position::hirate();
        turned.do_move("7g7f".parse().unwrap());
        let turned = turned.flipped();
        let query = |mirrored| GameQuery {
            position: Some(turned.clone()),
            mirrored,
            ..GameQuery::default()
        };
        // The turned position is the one after 3c3d without 7g7f, which does not occur.
        assert_eq!(query(true).find(&game), Some(Hit { ply: Some(1), is_mirrored: true }));
        assert_eq!(query(false).find(&game), None);
    }

    #[test]
    fn conditions_on_the_board_hold_in_one_position() {
        // Black's horse takes the bishop, and White takes it back.
        let game = usi("7g7f 3c3d 8h2b+ 3a2b");
        let query = |pattern: &str, lead: &str, lasting| GameQuery {
            patterns: vec![pattern.parse().unwrap()],
            leads: vec![lead.parse().unwrap()],
            lasting,
            ..GameQuery::default()
        };
        let ply = |query: GameQuery| query.find(&game).and_then(|hit| hit.ply);
        assert_eq!(ply(query("+B2b", "black:B", 1)), Some(3));
        assert_eq!(ply(query("+B2b", "black:B", 2)), None, "the bishop is taken back");
        assert_eq!(ply(query("s2b", "black:B", 1)), None);
        let mut mirrored = query("+b8h", "white:B", 1);
        assert_eq!(mirrored.find(&game), None);
        mirrored.mirrored = true;
        assert_eq!(mirrored.find(&game), Some(Hit { ply: Some(3), is_mirrored: true }));
        let lasting = GameQuery {
            patterns: vec!["P7f p3d".parse().unwrap()],
            lasting: 3,
            ..GameQuery::default()
        };
        assert_eq!(ply(lasting), Some(2));
    }

    #[test]
    fn castles_are_found_by_side_and_refinement() {
        let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h \
                     3c3d 6g6f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
        let game = usi(moves);
        let ply = |name: &str, side| {
            let formations = vec![(Formation::by_name(name).unwrap(), side)];
            let query = GameQuery { formations, ..GameQuery::default() };
            query.find(&game).and_then(|hit| hit.ply)
        };
        assert_eq!(ply("美濃囲い", None), Some(19));
        assert_eq!(ply("美濃囲い", Some(Color::White)), None);
        // 片美濃囲い is there first; 美濃囲い refines it.
        assert_eq!(ply("片美濃囲い", Some(Color::Black)), Some(15));
        assert_eq!(ply("居飛車穴熊", None), None);
    }
}
