(* SPDX-License-Identifier: Apache-2.0 *)
(* For each line a number: garbage, exceptions, a full collection. *)
exception Odd of int

fun fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
fun deep 0 = raise Odd 7
  | deep n = 1 + deep (n - 1)

fun work n =
  let
    val words = List.tabulate (2000, fn i => Int.toString (i * n mod 777))
    val total = foldl (fn (w, sum) => sum + size w) 0 words
    val caught = deep n handle Odd k => k
  in
    PolyML.fullGC ();
    print (Int.toString n ^ ": " ^ Int.toString (fib 15) ^ " " ^ Int.toString total ^ " "
           ^ Int.toString caught ^ "\n")
  end

fun main () =
  let
    fun lines () =
      case TextIO.inputLine TextIO.stdIn of
        NONE => print "end\n"
      | SOME line => (work (valOf (Int.fromString line)); TextIO.flushOut TextIO.stdOut; lines ())
  in
    lines ();
    Posix.Process.exit 0w3
  end
