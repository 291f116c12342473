// SPDX-License-Identifier: Apache-2.0
// For each line a number: panics, collections, a thread.
use std::collections::BTreeMap;
use std::io::BufRead;
use std::panic::catch_unwind;

fn fib(n: u32) -> u32 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

#[inline(never)]
fn deep(n: u32) -> u32 {
    if n == 0 {
        panic!("odd");
    }
    std::hint::black_box(deep(n - 1)) + 1
}

fn work(n: u32) {
    let words: BTreeMap<String, Vec<u32>> = (0..2000).map(|i| ((i * n % 777).to_string(), vec![i; 5])).collect();
    let caught = catch_unwind(|| deep(n)).is_err();
    let in_thread = std::thread::spawn(|| fib(10)).join().unwrap();
    println!("{}: {} {} {} {}", n, fib(15), words.len(), caught, in_thread);
}

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    for line in std::io::stdin().lock().lines() {
        work(line.unwrap().trim().parse().unwrap());
    }
    println!("end");
    std::process::exit(3);
}
