% SPDX-License-Identifier: Apache-2.0
% For each line a number: garbage, exceptions, backtracking, a collection.
fib(N, N) :- N < 2, !.
fib(N, F) :- A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.

deep(0) :- throw(odd).
deep(N) :- M is N - 1, deep(M), true.

work(N) :-
    findall(W, (between(0, 2000, I), K is I * N mod 777, atom_number(W, K)), Ws),
    sort(Ws, Words),
    length(Words, Size),
    catch(deep(N), Caught, true),
    garbage_collect,
    fib(12, F),
    format("~w: ~w ~w ~w~n", [N, F, Size, Caught]),
    flush_output.

lines :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file -> format("end~n")
    ;   number_string(N, Line), work(N), lines
    ).

:- initialization((lines, halt(3))).
