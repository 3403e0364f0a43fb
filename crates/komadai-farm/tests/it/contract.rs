//! The tests that every queue passes.

use std::sync::Mutex;

use komadai_book::queue::QueueOptions;
use komadai_book::queue::contract::{TESTS, Test};

use crate::cluster::{set_clock, with_schema};

#[test]
fn the_queue_keeps_the_contract() {
    with_schema(|schema| {
        // New schemas and connections for each of the hundred queues would take minutes.
        let queue = schema.coordinator();
        let admin = Mutex::new(schema.with_test_clock());
        let with_queue = |options: QueueOptions, test: &mut Test<'_>| {
            let empty =
                "delete from job; delete from waiting; delete from leased; delete from result;
                delete from failure; delete from worker; update epoch set value = value + 1";
            admin.lock().unwrap().batch_execute(empty).unwrap();
            set_clock(&mut admin.lock().unwrap(), 0);
            queue.set_options(Some(options.max_failures), None).unwrap();
            test(&queue, &|now_ms| set_clock(&mut admin.lock().unwrap(), now_ms));
        };
        for (name, test) in TESTS {
            println!("{name}");
            test(&with_queue);
        }
    });
}
