//! Several queues served in turn.

/// Returns the items of several queues in turn, one of each, until all queues have ended.
pub(crate) fn take_turns<I: Iterator>(mut queues: Vec<I>) -> Vec<I::Item> {
    let mut items = Vec::new();
    while !queues.is_empty() {
        queues.retain_mut(|queue| {
            let next = queue.next();
            let is_left = next.is_some();
            items.extend(next);
            is_left
        });
    }
    items
}

#[cfg(test)]
mod tests {
    use super::take_turns;

    #[test]
    fn queues_that_end_are_skipped() {
        let queues = vec![vec![1, 4, 6, 7], vec![], vec![2], vec![3, 5]];
        let queues = queues.into_iter().map(Vec::into_iter).collect();
        assert_eq!(take_turns(queues), [1, 2, 3, 4, 5, 6, 7]);
    }
}
