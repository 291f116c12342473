(* SPDX-License-Identifier: Apache-2.0 *)
(* For each line a number: garbage, exceptions, a full collection, an overflow of the stack. *)
module Words = Map.Make (String)

exception Odd of int

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let rec deep n = if n = 0 then raise (Odd 7) else 1 + deep (n - 1)
let rec over n = if n < 0 then 0 else 1 + over (n + 1)

let work n =
  let words = ref Words.empty in
  for i = 0 to 2000 do
    words := Words.add (string_of_int (i * n mod 777)) (Array.make 5 i) !words
  done;
  let caught = try deep n with Odd k -> k in
  let overflown = try over 1 with Stack_overflow -> 1 in
  Gc.full_major ();
  Printf.printf "%d: %d %d %d %d\n%!" n (fib 15) (Words.cardinal !words) caught overflown

let () =
  (try
     while true do
       work (int_of_string (input_line stdin))
     done
   with End_of_file -> print_endline "end");
  exit 3
