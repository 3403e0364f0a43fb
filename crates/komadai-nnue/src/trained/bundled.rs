//! The network of the crate `komadai-weights`.

use std::sync::{Arc, LazyLock};

use crate::network::Network;

impl Network {
    /// Returns the network of the crate `komadai-weights`, which adds to
    /// [`Classical`](komadai_eval::Classical). All callers share one copy, which is read in some
    /// milliseconds by the first call.
    ///
    /// `docs/learning_networks.md` states its origin, and its strength beside that of `Classical`
    /// alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_eval::{Classical, Evaluator};
    /// use komadai_nnue::{CompactBase, Network, Nnue};
    ///
    /// let network = Network::bundled();
    /// assert_eq!(network.base(), Some(CompactBase::Classical));
    /// let (start, nnue) = (Position::hirate(), Nnue::new(network));
    /// let difference = nnue.evaluate_position(&start).raw()
    ///     - Classical::default().evaluate_position(&start).raw();
    /// assert!(difference.abs() < 100);
    /// ```
    pub fn bundled() -> Arc<Self> {
        static BUNDLED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(komadai_weights::NETWORK);
            Arc::new(network.expect("a test reads the network of the crate"))
        });
        Arc::clone(&BUNDLED)
    }
}
