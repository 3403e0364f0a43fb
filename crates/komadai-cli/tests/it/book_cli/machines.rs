//! Jobs that travel to other machines in files.

use std::fs;

use super::Workplace;

#[test]
fn jobs_travel_in_files() {
    let place = Workplace::new();
    let grow =
        ["grow", "my.kbook", "--nodes", "300", "--threads", "1", "--hash-mib", "1", "--quiet"];
    place.done(&[&grow[..], &["--positions", "12"]].concat());
    let export = ["queue", "export", "my.kbook", "jobs.txt", "--nodes", "300", "--count", "4"];
    let printed = place.done(&[&export[..], &["--lease", "2d"]].concat());
    assert_eq!(printed, "jobs.txt: 4 jobs, leased for 2 days\n");
    let leased =
        || place.json(&["info", "my.kbook", "--json"])["working_book"]["jobs_at_work"].clone();
    assert_eq!(leased(), 4);
    // The book may grow meanwhile, and does not do these jobs.
    place.done(&[&grow[..], &["--positions", "4"]].concat());
    assert_eq!(leased(), 4);

    let worker = ["worker", "jobs.txt", "out.log", "--threads", "2", "--hash-mib", "1", "--quiet"];
    let printed = place.done(&worker);
    assert_eq!(printed, "out.log: 4 jobs done now, 4 of 4 in all\n");
    // Half a log, as of an interrupted worker, is continued.
    let whole = fs::read_to_string(place.path("out.log")).expect("a log");
    fs::write(place.path("out.log"), &whole[..whole.len() * 2 / 3]).expect("it can be written");
    let printed = place.done(&worker);
    assert!(printed.contains(" 4 of 4 in all") && !printed.contains(": 4 jobs"), "{printed}");
    let printed = place.done(&["log", "import", "my.kbook", "out.log"]);
    assert!(printed.contains("jobs of the queue that are done now: 4"), "{printed}");
    assert_eq!(leased(), 0);
    fs::write(place.path("again.log"), whole).expect("it can be written");
    let printed = place.done(&["log", "import", "my.kbook", "again.log"]);
    assert!(!printed.contains("done now"), "{printed}");

    // Other books and other engines.
    place.done(&[
        "grow",
        "b.kbook",
        "--nodes",
        "300",
        "--positions",
        "1",
        "--threads",
        "1",
        "--quiet",
    ]);
    let errors = place.refused(&["log", "import", "other.kbook", "out.log"], 1);
    assert!(errors.contains("jobs of the book"), "{errors}");
    assert!(!place.path("other.kbook").exists());
    place.done(&[
        "refresh",
        "my.kbook",
        "--enqueue",
        "--nodes",
        "300",
        "--max-positions",
        "2",
        "--engine",
        "other 1",
    ]);
    place.done(&["queue", "export", "my.kbook", "more.txt", "--waiting"]);
    let errors = place.refused(&["worker", "more.txt", "more.log", "--threads", "1", "--quiet"], 1);
    assert!(errors.contains("2 jobs are for the engine \"other 1\""), "{errors}");
    place.done(&["queue", "export", "b.kbook", "b.txt", "--count", "1"]);
    let errors = place.refused(&["worker", "b.txt", "out.log", "--threads", "1"], 1);
    assert!(errors.contains("found results for the book"), "{errors}");
    let errors = place.refused(&["worker", "out.log", "more.log"], 1);
    assert!(errors.contains("expected `#KOMADAI-BOOK-JOBS 1`"), "{errors}");
    let errors = place.refused(&["queue", "export", "my.kbook", "x.txt", "--lease", "1"], 2);
    assert!(errors.contains("24h"), "{errors}");
}
