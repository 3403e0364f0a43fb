//! The plans of the functions' statements: none reads a whole table, however few or many rows there are.

use std::sync::{Arc, Mutex};

use postgres::{Config, NoTls};

use crate::cluster::with_schema;

/// The tables that grow.
const TABLES: [&str; 5] = ["waiting", "leased", "job", "result", "failure"];

#[test]
fn no_call_reads_a_whole_table() {
    with_schema(|schema| {
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let sink = Arc::clone(&notices);
        let mut config: Config = schema.parameters("root").parse().unwrap();
        config
            .notice_callback(move |notice| sink.lock().unwrap().push(notice.message().to_owned()));
        let mut client = config.connect(NoTls).unwrap();
        // The plans of all statements inside of the functions come as notices.
        let settings = format!(
            "set search_path = {}; load 'auto_explain'; set auto_explain.log_level = notice;
             set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on",
            schema.name
        );
        client.batch_execute(&settings).unwrap();
        let worker: i64 = client.query_one("select hello(1, 'x', 'a', 'h')", &[]).unwrap().get(0);
        client.query("select settings_number(1, -1, -1, 0, 0, '')", &[]).unwrap();
        let analyst: i32 =
            client.query_one("select analyst_number('e', '', '')", &[]).unwrap().get(0);
        // One connection for all: a plan that was made for few rows must be one for many. No statistics are
        // collected in between.
        client.batch_execute("alter table job set (autovacuum_enabled = off)").unwrap();
        for rows in [0, 10, 100_000] {
            // 100,000 in one call are new, so that no plan for known jobs is among them.
            client
                .batch_execute(&format!(
                    "select plan(array_agg(sha256((i || ' {rows}')::bytea)), array_agg(false), array_agg(1::bigint),
                         array_agg(i::bigint), array_agg(1))
                     from generate_series(1, {rows}) as i having count(*) > 0"
                ))
                .unwrap();
            notices.lock().unwrap().clear();
            let calls = "
                create temp table got as select * from claim($1, 0, null, 6, 60000);
                insert into got select * from claim($1, 0, null, 1, 60000);
                select heartbeat(array_agg(key), array_agg(token), 60000) from got;
                select finish(array_agg($1::bigint), array_agg(key), array_agg(token), array_agg(revision),
                    array_agg(engine), array_agg($2::int), array_agg(1), array_agg('x'::bytea), array_agg(1::bigint))
                    from (select * from got limit 2) as g having count(*) > 0;
                select fail($1, key, token, 'no') from got offset 2 limit 1;
                select release(array_agg(key), array_agg(token)) from (select * from got offset 3 limit 2) as g;
                update leased set until = 'epoch'; select expire(5);
                select plan(array_agg(key), array_agg(false), array_agg(1::bigint), array_agg(-rank), array_agg(1))
                    from got having count(*) > 0;
                select count(*) from results(5);
                select merged(array(select id from results(1)));
                select withdraw(array_agg(key)) from (select * from got offset 4) as g;
                select wishes(array_agg(key)) from got;
                drop table got"
                .replace("$1", &worker.to_string())
                .replace("$2", &analyst.to_string());
            for call in calls.split(';') {
                client.batch_execute(call).unwrap_or_else(|error| panic!("{call}: {error:?}"));
            }
            let notices = notices.lock().unwrap();
            let of_claim = notices.iter().filter(|text| text.contains("with chosen as")).count();
            assert!(of_claim >= 2, "{of_claim} plans of claims among {}", notices.len());
            for text in
                notices.iter().filter(|text| !text.contains("update leased set until = 'epoch'"))
            {
                for table in TABLES {
                    let whole = format!("Seq Scan on {table}");
                    let words: Vec<_> = text.match_indices(&whole).collect();
                    let is_table = |at: usize| {
                        !text[at + whole.len()..]
                            .starts_with(|c: char| c.is_alphanumeric() || c == '_')
                    };
                    assert!(!words.iter().any(|(at, _)| is_table(*at)), "{rows} rows:\n{text}");
                }
                let sorts = text.contains("with chosen as")
                    && !text.contains("Index Scan using waiting_order");
                assert!(!sorts, "{rows} rows:\n{text}");
            }
        }
    });
}
