#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "reports are the output of these programs"
)]

mod arena;
mod evaluators;
mod fit_gain;
mod fit_mate_prediction;
mod fit_moves;
mod fit_probcut;
mod fit_threatmate;
mod frontier_study;
mod game_identity;
mod game_sources;
mod games;
mod growth_speed;
mod hybrid_study;
mod judge_evaluation;
mod logistic;
mod mine_tesuji;
mod monte_carlo_study;
mod move_probability_speed;
mod next_moves;
mod nnue_speed;
mod piece_values;
mod prediction_quality;
mod proof_number_study;
mod quiescence_positions;
mod quiescence_study;
mod recorded_games;
mod selective_study;
mod self_play;
mod synthetic_book;
mod thread_clock;
mod tune_evaluation;
mod tune_search;
mod update_speed;

use clap::{Parser, Subcommand};

/// Tune and measure komadai.
#[derive(Debug, Parser)]
#[command(name = "komadai-lab", version)]
struct Lab {
    #[command(subcommand)]
    program: Program,
}

#[derive(Debug, Subcommand)]
enum Program {
    TuneSearch(tune_search::Arguments),
    TuneEvaluation(tune_evaluation::Arguments),
    JudgeEvaluation(judge_evaluation::Arguments),
    QuiescenceStudy(quiescence_study::Arguments),
    MonteCarloStudy(monte_carlo_study::Arguments),
    HybridStudy(hybrid_study::Arguments),
    SelectiveStudy(selective_study::Arguments),
    FrontierStudy(frontier_study::Arguments),
    GrowthSpeed(growth_speed::Arguments),
    FitGain(fit_gain::Arguments),
    FitMatePrediction(fit_mate_prediction::Arguments),
    FitMoves(fit_moves::Arguments),
    FitProbcut(fit_probcut::Arguments),
    FitThreatmate(fit_threatmate::Arguments),
    MineTesuji(mine_tesuji::Arguments),
    NextMoves(next_moves::Arguments),
    PieceValues(piece_values::Arguments),
    ProofNumberStudy(proof_number_study::Arguments),
    NnueSpeed(nnue_speed::Arguments),
    /// Measure the time of each model of move probabilities per position.
    MoveProbabilitySpeed,
    UpdateSpeed(update_speed::Arguments),
    SyntheticBook(synthetic_book::Arguments),
}

/// Runs the program that the arguments of this process name.
///
/// # Errors
///
/// Returns the error of the program.
pub fn run() -> anyhow::Result<()> {
    match &Lab::parse().program {
        Program::TuneSearch(arguments) => tune_search::run(arguments),
        Program::TuneEvaluation(arguments) => tune_evaluation::run(arguments),
        Program::JudgeEvaluation(arguments) => judge_evaluation::run(arguments),
        Program::QuiescenceStudy(arguments) => quiescence_study::run(arguments),
        Program::MonteCarloStudy(arguments) => monte_carlo_study::run(arguments),
        Program::HybridStudy(arguments) => hybrid_study::run(arguments),
        Program::SelectiveStudy(arguments) => selective_study::run(arguments),
        Program::FrontierStudy(arguments) => frontier_study::run(arguments),
        Program::GrowthSpeed(arguments) => growth_speed::run(arguments),
        Program::FitGain(arguments) => fit_gain::run(arguments),
        Program::FitMatePrediction(arguments) => fit_mate_prediction::run(arguments),
        Program::FitMoves(arguments) => fit_moves::run(arguments),
        Program::FitProbcut(arguments) => fit_probcut::run(arguments),
        Program::FitThreatmate(arguments) => fit_threatmate::run(arguments),
        Program::MineTesuji(arguments) => mine_tesuji::run(arguments),
        Program::NextMoves(arguments) => next_moves::run(arguments),
        Program::PieceValues(arguments) => piece_values::run(arguments),
        Program::ProofNumberStudy(arguments) => proof_number_study::run(arguments),
        Program::NnueSpeed(arguments) => nnue_speed::run(arguments),
        Program::MoveProbabilitySpeed => move_probability_speed::run(),
        Program::UpdateSpeed(arguments) => update_speed::run(arguments),
        Program::SyntheticBook(arguments) => synthetic_book::run(arguments),
    }
}
