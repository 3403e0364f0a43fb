//! The model of a rival: by games, by values, by books or by the probability of moves.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use komadai::book::FileKind;
use komadai::book::store::Store;
use komadai::bookgraph::frontier::{OpponentReplies, Rival, RivalBook};
use komadai::bookgraph::{BookGraph, PlayableMove};
use komadai::movegen::MoveGen as _;
use komadai::search::{MoveProbability as _, SoftmaxMoves};
use komadai::{Move, Position};

use crate::book::files::source::{read_graph, read_store};

/// The arguments about the moves of a rival, in orders by probability.
#[derive(Debug, Args)]
pub(crate) struct RivalArgs {
    /// For probabilities: the model by which a rival chooses moves, without `--rival`.
    #[arg(long, value_enum, default_value_t = Replies::Games, conflicts_with = "rival")]
    replies: Replies,
    /// For probabilities: book of a rival; may be given several times. Where it ends, rivals choose
    /// by the values of the own book.
    #[arg(long)]
    rival: Vec<PathBuf>,
    /// For `--rival` and `--replies values`: loss that divides the weight of a rival's move by e, in
    /// centipawns; 0 for best moves only.
    #[arg(long, default_value_t = 20.0, value_parser = not_negative)]
    temperature: f64,
    /// For `--replies games`: number of games added to each move that is followed.
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    smoothing: f64,
}

/// The model by which a rival chooses moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Replies {
    /// As often as in the games that `book match` has played with a working book, and in other books
    /// as often as the games counted in them.
    Games,
    /// By the values of the book.
    Values,
    /// By the bundled model of the probability of moves, which knows no values. Moves that the book
    /// does not contain are played as well.
    Model,
}

/// The books of the rivals, read.
pub(crate) struct Rivals<'a> {
    arguments: &'a RivalArgs,
    graphs: Vec<BookGraph>,
    model: Option<MoveModel>,
    /// The replies in games of matches, if rivals choose by them and there are any.
    played: Option<OpponentReplies>,
}

impl RivalArgs {
    /// Returns whether rivals choose moves by the games counted in the book.
    pub(crate) fn is_by_games(&self) -> bool {
        self.replies == Replies::Games && self.rival.is_empty()
    }

    /// Reads the books of the rivals. `own` is the book of the own side.
    pub(crate) fn read(&self, own: &Path) -> anyhow::Result<Rivals<'_>> {
        let is_store = || matches!(FileKind::of_file(own), Ok(FileKind::Store));
        let store = if self.is_by_games() && is_store() { Some(read_store(own)?) } else { None };
        self.read_beside(store.as_ref())
    }

    /// Reads the books of the rivals. `own` is the book of the own side, if it is a working book.
    pub(crate) fn read_beside(&self, own: Option<&Store>) -> anyhow::Result<Rivals<'_>> {
        let graphs = self.rival.iter().map(|path| read_graph(path)).collect::<Result<_, _>>()?;
        let model = (self.replies == Replies::Model).then(|| MoveModel(SoftmaxMoves::default()));
        let mut played = OpponentReplies::default();
        if let Some(store) = own.filter(|_| self.is_by_games()) {
            for game in store.games()? {
                played.add(&game?.1);
            }
        }
        let played = Some(played).filter(|played| !played.is_empty());
        Ok(Rivals { arguments: self, graphs, model, played })
    }
}

impl Rivals<'_> {
    /// Returns the books in the form in which a model refers to them.
    pub(crate) fn books(&self) -> Vec<&dyn RivalBook> {
        let graphs = self.graphs.iter().map(|graph| graph as &dyn RivalBook);
        let model = self.model.iter().map(|model| model as &dyn RivalBook);
        let played = self.played.iter().map(|played| played as &dyn RivalBook);
        graphs.chain(model).chain(played).collect()
    }

    /// Returns the number of games of matches in which a rival made this reply.
    pub(crate) fn games(&self, position: &Position, reply: Move) -> u32 {
        self.played.as_ref().map_or(0, |played| played.games(position, reply))
    }

    /// Returns the model of the rivals. `books` are those of [`books`](Self::books).
    pub(crate) fn model<'b>(&self, books: &'b [&'b dyn RivalBook]) -> Rival<'b> {
        let RivalArgs { replies, temperature, smoothing, .. } = *self.arguments;
        match (replies, books) {
            (Replies::Games, []) => Rival::Games { smoothing },
            _ => Rival::Books { books, temperature_cp: temperature },
        }
    }
}

/// The bundled model of the probability of moves as a book that contains every position.
///
/// Positions of a book have no history, so the features of the last two moves are absent.
#[derive(Debug)]
struct MoveModel(SoftmaxMoves);

/// The number of games that a move of probability 1 has in the model's book.
const GAMES: f32 = 1e6;

impl RivalBook for MoveModel {
    fn moves(&self, position: &Position) -> Vec<PlayableMove> {
        let moves = position.legal_moves();
        let probabilities = self.0.probabilities(position, &moves);
        let of = |(&m, probability): (_, f32)| {
            let games = (probability * GAMES).round() as u32;
            PlayableMove { games, ..PlayableMove::new(m) }
        };
        moves.iter().zip(probabilities).map(of).collect()
    }
}

/// Reads a number that is not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1000000".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_knows_every_legal_move() {
        let model = MoveModel(SoftmaxMoves::default());
        let start = Position::hirate();
        let moves = model.moves(&start);
        assert_eq!(moves.len(), 30);
        let games: u32 = moves.iter().map(|reply| reply.games).sum();
        assert!(games.abs_diff(GAMES as u32) <= 30, "{games}");
        let likely = moves.iter().max_by_key(|reply| reply.games).expect("there are moves");
        assert!(["7g7f", "2g2f"].contains(&likely.m.to_string().as_str()), "{likely:?}");
    }
}
