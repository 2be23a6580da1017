//! Several threads.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use konakis::search::Searcher;
use konakis::search::limits::{Control, Limits};
use konakis::search::score::Score;
use rayon::prelude::*;

use crate::{MS, clock, depth, movetime, nodes, position, search_with, start};

fn searcher(threads: usize) -> Searcher {
    let mut searcher = Searcher::new(4);
    assert_eq!(searcher.set_threads(threads), threads);
    searcher
}

#[test]
fn every_search_is_in_order_on_threads() {
    for threads in [2, 5] {
        let mut searcher = searcher(threads);
        for id in ["brandubh", "tablut-ashton", "copenhagen", "ard-ri", "alea-evangelii"] {
            let game = start(id);
            for limits in [
                depth(4),
                nodes(0),
                nodes(1),
                nodes(3_000),
                movetime(30 * MS),
                clock(100 * MS, MS, None),
                Limits { multi_pv: 3, ..nodes(20_000) },
                Limits { mate: Some(3), ..Limits::default() },
            ] {
                let limits = Limits { start: Instant::now(), ..limits };
                let (found, _) = search_with(&mut searcher, &game, &limits);
                assert!(found.best.is_some(), "{id} {limits:?}");
            }
        }
    }
}

#[test]
fn threads_find_what_one_finds() {
    let mut searcher = searcher(3);
    let won = position("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 d");
    assert_eq!(search_with(&mut searcher, &won, &depth(3)).0.score, Score::win_in(1));
    let game = start("tablut");
    assert_eq!(search_with(&mut searcher, &game, &depth(5)).0.depth, 5);
    searcher.set_threads(1);
    searcher.clear();
    let one = search_with(&mut searcher, &game, &depth(5)).0;
    assert_eq!(one, search_with(&mut Searcher::new(4), &game, &depth(5)).0);
}

/// A thread of a rayon pool that waits takes up other work of the pool. A search inside a pool must
/// neither wait for ever nor be held up by such work.
#[test]
fn searches_inside_a_pool_do_not_wait_for_each_other() {
    let (sender, done) = channel();
    thread::spawn(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let found: Vec<_> = pool.install(|| {
            (0..16_u32)
                .into_par_iter()
                .map(|i| {
                    let mut searcher = searcher(1 + i as usize % 3);
                    searcher.clear();
                    let (sender, over) = channel::<()>();
                    let begun = Instant::now();
                    // Work of the same pool that would take the searching thread for seconds.
                    rayon::spawn(move || {
                        let _ = over.recv_timeout(Duration::from_secs(5));
                    });
                    let found = searcher.search(
                        &start("brandubh"),
                        &depth(4),
                        &Control::new(false),
                        &mut (),
                    );
                    let taken = begun.elapsed();
                    drop(sender);
                    (found.depth, taken)
                })
                .collect()
        });
        sender.send(found).unwrap();
    });
    let found = done.recv_timeout(Duration::from_secs(60)).expect("the searches end");
    for (depth, taken) in found {
        assert_eq!(depth, 4);
        assert!(taken < Duration::from_secs(5), "held up by other work: {taken:?}");
    }
}
