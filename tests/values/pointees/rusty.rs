// SPDX-License-Identifier: Apache-2.0
// Strings and lists of Rust. It prints its own calls.
use std::hint::black_box;

#[no_mangle] #[inline(never)] pub fn string_slice(s: &str, n: i32) -> i32 { black_box(s); n + s.len() as i32 }
#[no_mangle] #[inline(never)] pub fn string(s: &String) -> i32 { black_box(s).len() as i32 }
#[no_mangle] #[inline(never)] pub fn numbers(s: &[i16]) -> i32 { black_box(s).len() as i32 }
#[no_mangle] #[inline(never)] pub fn vector(s: &Vec<i64>) -> i32 { black_box(s).len() as i32 }
#[no_mangle] #[inline(never)] pub fn strings(s: &Vec<String>) -> i32 { black_box(s).len() as i32 }
#[no_mangle] #[inline(never)] pub fn slices(s: &[&str]) -> i32 { black_box(s).len() as i32 }

fn main() {
    println!("string_slice(\"text\", 3)");
    string_slice(black_box("text"), 3);
    println!("string(\"owned\")");
    string(black_box(&"owned".to_string()));
    println!("string(\"\")");
    string(black_box(&String::new()));
    println!("numbers(slice(3) {{1, -2, 3}})");
    numbers(black_box(&[1, -2, 3]));
    println!("vector(Vec(5) {{-5, -5, -5, -5, ...}})");
    vector(black_box(&vec![-5; 5]));
    println!("strings(Vec(2) {{\"one\", \"two\"}})");
    strings(black_box(&vec!["one".to_string(), "two".to_string()]));
    println!("slices(slice(2) {{\"three\", \"four\"}})");
    slices(black_box(&["three", "four"]));
}
