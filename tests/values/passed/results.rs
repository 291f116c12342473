// SPDX-License-Identifier: Apache-2.0
// Results of functions that only this crate calls.
use std::hint::black_box as keep;
#[inline(never)] fn product(a: f64, b: i32) -> f64 { a * b as f64 }
#[inline(never)] fn sum(a: i64, b: i32) -> i64 { a + b as i64 + 1 }
fn main() { keep(product(keep(1.5), keep(2))); keep(sum(keep(40), keep(1))); }
