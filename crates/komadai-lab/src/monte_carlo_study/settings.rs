//! Settings by name: `c=1.5`, `leaf=search2`.

use anyhow::{Context as _, bail};
use komadai::search::monte_carlo::{
    Advantages, Backup, Bandit, Judge, Leaf, MonteCarloOptions, Playout, PlayoutLearning,
    PlayoutMoves, Priors, Unvisited,
};

/// Changes one setting.
pub(crate) fn change(tree: &mut MonteCarloOptions, name: &str, value: &str) -> anyhow::Result<()> {
    let number = || value.parse::<f32>();
    match name {
        "c" => match &mut tree.bandit {
            Bandit::Ucb1 { c } | Bandit::Ucb1Tuned { c } | Bandit::Puct { c } => *c = number()?,
            _ => bail!("the bandit has no weight"),
        },
        "bandit" => {
            tree.bandit = match value {
                "ucb1" => Bandit::Ucb1 { c: 1.0 },
                "tuned" => Bandit::Ucb1Tuned { c: 1.0 },
                "puct" => Bandit::Puct { c: 1.0 },
                _ => bail!("expected ucb1, tuned or puct"),
            }
        }
        "mean" => tree.backup = Backup::Mean,
        "best" => tree.backup = Backup::BestChild { k: number()? },
        "gamma" => tree.backup = Backup::Discounted { gamma: number()? },
        "minimax" => tree.backup = Backup::ImplicitMinimax { a: number()? },
        "fpu" => tree.unvisited = Unvisited::FirstPlayUrgency { reduction: number()? },
        "rave" => tree.rave = Some(number()?),
        "hash" => tree.hash_move_prior = number()?,
        "bonus" => tree.hash_move_bonus = number()?,
        "first" => tree.unvisited = Unvisited::First,
        "leaf" => {
            tree.leaf = match value.strip_prefix("search") {
                Some(depth) => Leaf::Search { depth: depth.parse()? },
                None => Leaf::Quiescence,
            }
        }
        "plies" => playout(tree)?.plies = Some(value.parse()?),
        "draw" => playout(tree)?.judge = Judge::Sign { draw_cp: value.parse()? },
        "judge" => {
            playout(tree)?.judge = match value {
                "sign" => Judge::Sign { draw_cp: 50 },
                "rate" => Judge::Rate,
                "gain" => Judge::Gain { draw_cp: 50 },
                _ => bail!("expected sign, rate or gain"),
            }
        }
        "learning" => {
            playout(tree)?.learning = match value {
                "winner" => PlayoutLearning::Winner,
                "both" => PlayoutLearning::Both,
                _ => bail!("expected winner or both"),
            }
        }
        "root" => {
            tree.root_unvisited = match value {
                "first" => Some(Unvisited::First),
                "same" => None,
                _ => bail!("expected first or same"),
            }
        }
        "moves" => {
            playout(tree)?.moves = match value {
                "uniform" => PlayoutMoves::Uniform,
                "roulette" => PlayoutMoves::Roulette,
                tries => PlayoutMoves::BestOf(tries.parse()?),
            }
        }
        "priors" => {
            tree.priors = match value {
                "weights" => Priors::Weights,
                "softmax" => Priors::Softmax,
                _ => bail!("expected weights, softmax or logistic"),
            }
        }
        "advantages" => match value {
            "off" => tree.advantages = None,
            _ => bail!("expected off"),
        },
        "move-weight" => advantages(tree)?.move_weight = number()?,
        "reply-weight" => advantages(tree)?.reply_weight = number()?,
        "doubt" => advantages(tree)?.doubt = number()?,
        "memory" => advantages(tree)?.memory = value.parse()?,
        "temperature" => tree.temperature = number()?,
        "scale" => tree.scale_cp = number()?,
        "depth" => tree.tree_plies = Some(value.parse()?),
        "proofs" => tree.proofs = value.parse()?,
        "expand" => tree.expansion_visits = value.parse()?,
        "low" | "high" => {
            let Unvisited::Provisional { low, high } = &mut tree.unvisited else {
                bail!("the rates of unvisited moves are not provisional")
            };
            *(if name == "low" { low } else { high }) = number()?;
        }
        _ => bail!("no such setting"),
    }
    Ok(())
}

fn advantages(tree: &mut MonteCarloOptions) -> anyhow::Result<&mut Advantages> {
    tree.advantages.as_mut().context("the search has no advantages")
}

fn playout(tree: &mut MonteCarloOptions) -> anyhow::Result<&mut Playout> {
    match &mut tree.leaf {
        Leaf::Playout(playout) => Ok(playout),
        _ => bail!("the leaves are not playouts"),
    }
}
