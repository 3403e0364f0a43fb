//! The section on pruning: moves that lose games, and deletions.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::games::{GameOutcome, PruneCandidate, PruneHold, PruneReason};
use komadai_book::store::Tombstone;
use komadai_core::Language;

use super::html::{Day, Page, folded_sfen, place, shortened, write_board};
use crate::book_page::match_data::MatchData;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

/// The largest number of games listed for a move.
const MOST_GAMES: usize = 12;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let deletions = &working.deletions;
    let candidates = working.matches.as_ref().filter(|matches| !matches.candidates.is_empty());
    if candidates.is_none() && deletions.latest.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>{}</h2>", page.say("Pruning", "枝刈り"))?;
    if let Some(matches) = candidates {
        write_candidates(page, matches, out)?;
    }
    if !deletions.latest.is_empty() {
        let (in_force, undone) = (deletions.in_force as u64, deletions.undone as u64);
        let (in_force, undone) = (grouped(in_force), grouped(undone));
        let heading = page.say(
            format!("Deleted: {in_force}; undone: {undone}"),
            format!("削除 {in_force}、取り消し {undone}"),
        );
        writeln!(out, "<h3>{heading}</h3>")?;
        write_tombstones(page, &deletions.latest, out)?;
    }
    writeln!(out, "</section>")
}

fn write_candidates(page: &Page<'_>, matches: &MatchData, out: &mut dyn Write) -> io::Result<()> {
    let (shown, all) = (matches.candidates.len(), matches.all_candidates);
    let all = grouped(all as u64);
    let heading =
        page.say(format!("Moves that lose games: {all}"), format!("負けている指し手：{all}"));
    let some = page
        .say(format!(" These {shown} cost most."), format!("損失の大きい {shown} 手を示します。"));
    let some = if shown < matches.all_candidates { some } else { String::new() };
    let text = page.say(
        "Results are those of the book’s side, which moves; positions are turned so that this is \
         Black.",
        "成績は手番である定跡側のもので、局面は定跡側が先手になる向きです。",
    );
    writeln!(out, "<h3>{heading}</h3>\n<p>{text}{some}</p>")?;
    for candidate in &matches.candidates {
        write_candidate(page, candidate, out)?;
    }
    Ok(())
}

fn write_candidate(
    page: &Page<'_>,
    candidate: &PruneCandidate,
    out: &mut dyn Write,
) -> io::Result<()> {
    let language = page.language();
    let name = page.names().of(&candidate.position, candidate.m);
    let against = candidate.opponent.as_ref().map_or_else(String::new, |opponent| {
        let (opponent, all) = (shortened(opponent), candidate.all);
        let opponent = Escaped(&opponent);
        page.say(
            format!(" against {opponent} (in all games {all})"),
            format!("（{opponent} 戦。全対局では {all}）"),
        )
    });
    let others = match candidate.alternatives {
        0 => page.say("no other move is known".to_owned(), "ほかの手なし".to_owned()),
        1 => page.say("one other move is known".to_owned(), "ほかに 1 手".to_owned()),
        count => page.say(format!("{count} other moves are known"), format!("ほかに {count} 手")),
    };
    let kept = candidate.hold.map_or_else(String::new, |hold| {
        let hold = hold_words(hold, language);
        page.say(format!("; kept: {hold}"), format!("。残す理由：{hold}"))
    });
    let (ply, results) = (candidate.position.ply(), candidate.results);
    let reason = reason_words(candidate.reason, language);
    let summary = page.say(
        format!("{name} at move {ply}: <b>{results}</b>{against}, {reason}; {others}{kept}"),
        format!("{ply}手目 {name}：<b>{results}</b>{against}、{reason}。{others}{kept}"),
    );
    writeln!(out, "<details><summary>{summary}</summary>\n<div class=\"boards\">")?;
    let games = candidate.distinct_games.into();
    let different = page.words().counted(games, "different game", "局（重複を除く）");
    let caption = page.say(format!("{name}, in {different}"), format!("{name}、{different}"));
    write_board(out, language, &candidate.position, None, &[candidate.m], &caption)?;
    // Lost games first: they are the reason for pruning.
    let mut games: Vec<_> = candidate.games.iter().collect();
    games.sort_by_key(|game| std::cmp::Reverse(game.outcome));
    writeln!(out, "<ul>")?;
    for game in games.iter().take(MOST_GAMES) {
        let word = match game.outcome {
            GameOutcome::Win => page.say("won", "勝ち"),
            GameOutcome::Draw => page.say("drawn", "引き分け"),
            GameOutcome::Loss => page.say("lost", "負け"),
        };
        let (number, generation, opponent) =
            (game.number, game.generation, shortened(&game.opponent));
        let opponent = Escaped(&opponent);
        let text = page.say(
            format!("game {number}, generation {generation}, {word} against {opponent}"),
            format!("第{number}局、第{generation}世代、{opponent} に{word}"),
        );
        writeln!(out, "<li>{text}</li>")?;
    }
    if games.len() > MOST_GAMES {
        let more = games.len() - MOST_GAMES;
        let text = page.say(format!("and {more} more"), format!("ほか {more} 局"));
        writeln!(out, "<li>{text}</li>")?;
    }
    writeln!(out, "</ul>\n</div>\n</details>")
}

fn write_tombstones(page: &Page<'_>, latest: &[Tombstone], out: &mut dyn Write) -> io::Result<()> {
    let [number, what, why, games, generation, day, undone] = page.say(
        ["number", "what", "why", "games", "generation", "day", "undone"],
        ["番号", "対象", "理由", "対局", "世代", "日付", "取り消し"],
    );
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>{number}</th><th class=\"text\">{what}</th>\
         <th class=\"text\">{why}</th><th class=\"text\">{games}</th><th>{generation}</th>\
         <th>{day}</th><th>{undone}</th></tr></thead>\n<tbody>"
    )?;
    for tombstone in latest {
        let deletion = &tombstone.deletion;
        let what = match deletion.m {
            Some(m) => page.names().of(&deletion.position, m),
            None => page.say("position", "局面").to_owned(),
        };
        let games: Vec<String> =
            deletion.games.iter().take(MOST_GAMES).map(ToString::to_string).collect();
        let more = if deletion.games.len() > MOST_GAMES { " …" } else { "" };
        let undone = match tombstone.undone {
            None => String::new(),
            Some(0) => page.say("yes", "済").to_owned(),
            Some(when) => Day(when).to_string(),
        };
        let arrows: Vec<_> = deletion.m.into_iter().collect();
        let reason = shortened(&deletion.reason);
        let row = place(&format!("deleted-{}", tombstone.id), &deletion.position, &arrows, &reason);
        writeln!(
            out,
            "<tr{row}><th>{}</th><td class=\"text\">{what}{}</td><td class=\"text\">{}</td>\
             <td class=\"text\">{}{more}</td><td>{}</td><td class=\"day\">{}</td>\
             <td class=\"day\">{undone}</td></tr>",
            tombstone.id,
            folded_sfen(&deletion.position),
            Escaped(&reason),
            games.join(" "),
            deletion.generation,
            Day(deletion.when),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}

/// Returns the limit that the results of a move fail.
fn reason_words(reason: PruneReason, language: Language) -> &'static str {
    let japanese = match reason {
        PruneReason::AllLost => "全敗",
        PruneReason::LowRate => "低い得点率",
        _ => reason.name(),
    };
    language.choose(reason.name(), japanese)
}

/// Returns the reason to keep a move.
fn hold_words(hold: PruneHold, language: Language) -> &'static str {
    let japanese = match hold {
        PruneHold::LaterMove => "同じ負け局の後の手が先",
        PruneHold::Value => "評価値は悪くない",
        _ => hold.name(),
    };
    language.choose(hold.name(), japanese)
}
