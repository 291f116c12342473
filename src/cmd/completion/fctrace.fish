# Does this word, -abc or --name, leave its argument to the next one?
function __fctrace_takes_next -a cmd word
    switch $word
        case '--*=*'
            return 1
        case '--*'
            contains -- "$cmd $word" $__fctrace_takers
            return
    end
    set -l letters (string split '' -- (string sub -s 2 -- $word))
    for i in (seq (count $letters))
        if contains -- "$cmd -$letters[$i]" $__fctrace_takers
            test $i -eq (count $letters)
            return
        end
    end
    return 1
end

# Go over the words before the cursor. Prints the command, whether options are over, how many
# words that are none there were, and the program's words, if they have begun.
function __fctrace_walk
    set -l words (commandline -opc)
    set -e words[1]
    set -l cmd fctrace
    if set -q words[1]; and contains -- $words[1] $__fctrace_commands
        set cmd $words[1]
        set -e words[1]
    end
    set -l is_over 0
    set -l nr 0
    while set -q words[1]
        set -l word $words[1]
        if test $is_over = 0; and test "$word" = --
            set is_over 1
        else if test $is_over = 0; and string match -q -- '-?*' $word
            if __fctrace_takes_next $cmd $word
                set -e words[1]
            end
        else if contains -- $cmd $__fctrace_runners
            printf '%s\n' $cmd 1 0 $words
            return
        else
            set nr (math $nr + 1)
        end
        set -e words[1]
    end
    printf '%s\n' $cmd $is_over $nr
end

# May an option of this command stand here?
function __fctrace_may_option -a cmd
    set -l at (__fctrace_walk)
    test "$at[1]" = $cmd; and test "$at[2]" = 0
end

# Is this the Nth word of this command that is no option, or with - the Nth or a later one?
function __fctrace_is_at -a cmd nr later
    set -l at (__fctrace_walk)
    test "$at[1]" = $cmd; or return
    if set -q at[4]
        return 1
    end
    test "$at[3]" -eq $nr; or begin
        test "$later" = -; and test "$at[3]" -gt $nr
    end
end

function __fctrace_is_first
    test (count (commandline -opc)) -eq 1
end

function __fctrace_in_program
    set -l at (__fctrace_walk)
    set -q at[4]
end

# A program's name, or what completes the program's own words.
function __fctrace_program
    set -l at (__fctrace_walk)
    if set -q at[4]
        set -l words (string escape -- $at[4..-1]) (commandline -ct)
        complete -C "$words"
        return
    end
    # Of the shell's own words, only those that are programs, too.
    for row in (complete -C (commandline -ct))
        set -l name (string split -m 1 \t -- $row)[1]
        if string match -q '*/*' -- $name; or command -q -- $name
            printf '%s\n' $row
        end
    end
end

function __fctrace_traces
    set -l files (complete -C "'' "(commandline -ct))
    set -l traces (string match -r '^.*(?:\.data(?:\.old|\.\d+)?|/)$' -- $files)
    set -q traces[1]; or set traces $files
    printf '%s\n' $traces
end

# One of a list: a,b,c
function __fctrace_list
    set -l before (string match -r '^(?:--[^=]*=)?(.*,)?' -- (commandline -ct))[2]
    printf "$before%s\n" $argv
end

complete -c fctrace -n __fctrace_in_program -x -a '(__fctrace_program)'
