%% SPDX-License-Identifier: Apache-2.0
%% For each line a number: garbage, exceptions, a collection, processes.
-module(erlang_lines).
-export([main/0]).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).

deep(0) -> throw(odd);
deep(N) -> 1 + deep(N - 1).

work(N) ->
    Words = lists:foldl(fun(I, M) -> M#{integer_to_list(I * N rem 777) => lists:seq(I, I + 5)} end,
                        #{}, lists:seq(0, 2000)),
    Caught = try deep(N) catch throw:E -> E end,
    Self = self(),
    [spawn(fun() -> Self ! {I, fib(10)} end) || I <- [1, 2, 3]],
    Sum = lists:sum([receive {I, V} -> V end || I <- [1, 2, 3]]),
    erlang:garbage_collect(),
    io:format("~p: ~p ~p ~p ~p~n", [N, fib(15), maps:size(Words), Caught, Sum]).

main() ->
    case io:get_line("") of
        eof -> io:format("end~n"), halt(3);
        Line -> work(list_to_integer(string:trim(Line))), main()
    end.
