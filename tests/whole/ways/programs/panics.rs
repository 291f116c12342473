// SPDX-License-Identifier: Apache-2.0
// Panics: caught, in a thread, uncaught, and with a backtrace.
use std::panic;
struct G(i32);
impl Drop for G { #[inline(never)] fn drop(&mut self) { leaf(self.0); } }
#[inline(never)] fn leaf(x:i32)->i32{ std::hint::black_box(x)+1 }
#[inline(never)] fn deep(n:i32)->i32{ let _g=G(n); if n==0 { panic!("deep {}", n); } deep(n-1)+leaf(n) }
#[inline(never)] fn catcher(n:i32)->i32{ let r=panic::catch_unwind(||deep(n)); if r.is_err() { leaf(1) } else {0} }
fn main(){ let a:Vec<String>=std::env::args().collect();
 let mut s=0; for i in 0..20 { s+=catcher(i); }
 let t=std::thread::spawn(||{ deep(5) }); println!("{}", t.join().is_err());
 println!("{}",s); if a[1]=="u" { deep(7); } if a[1]=="b" { std::env::set_var("RUST_BACKTRACE","1"); deep(3);} }
