# Which words are there: of COMP_WORDS, with --x=y and a:b as one word. Sets words, cword, cur.
_fctrace_split()
{
	_get_comp_words_by_ref -n '=:' -w words -i cword -c cur
}

# The place of words[$1] in COMP_WORDS, which bash splits at = and :.
_fctrace_raw_place()
{
	local i place=0 len
	for ((i = 0; i < $1; i++)); do
		len=0
		while ((len < ${#words[i]} && place < ${#COMP_WORDS[@]})); do
			((len += ${#COMP_WORDS[place++]}))
		done
	done
	echo "$place"
}

# Does this word, -abc or --name, leave its argument to the next one? Sets pending.
_fctrace_takes_next()
{
	local word=$1 i
	pending=
	case $word in
	--*=*) return 1 ;;
	--*)
		pending=$word
		[[ $(_fctrace_argument "$cmd $word") ]] && return 0
		;;
	*)
		for ((i = 1; i < ${#word}; i++)); do
			[[ $(_fctrace_argument "$cmd -${word:i:1}") ]] || continue
			pending=-${word:i:1}
			((i == ${#word} - 1)) && return 0
			break
		done
		;;
	esac
	pending=
	return 1
}

# Go over the words before the cursor. Sets cmd, pending (the option whose argument this is),
# is_over (options are, by --), nr (words that are none), program (its place, or 0).
_fctrace_walk()
{
	local i=1
	cmd=fctrace pending='' is_over='' nr=0 program=0
	if ((cword > 1)) && [[ " $_fctrace_commands " == *" ${words[1]} "* ]]; then
		cmd=${words[1]} i=2
	fi
	for (( ; i < cword; i++)); do
		pending=
		if [[ ! $is_over && ${words[i]} == -- ]]; then
			is_over=1
		elif [[ ! $is_over && ${words[i]} == -?* ]]; then
			_fctrace_takes_next "${words[i]}" && ((i++))
		elif [[ $_fctrace_runners == *" $cmd "* ]]; then
			program=$i
			return
		else
			((nr++))
		fi
	done
	((i > cword)) || pending=
}

# Names that begin as the word under the cursor, which may be a list: a,b,c.
_fctrace_reply_list()
{
	local before=
	[[ $cur == *,* ]] && before=${cur%,*},
	COMPREPLY=($(compgen -P "$before" -W "$*" -- "${cur##*,}"))
	compopt -o nospace
}

# Of the shell's own words, only those that are programs, too.
_fctrace_reply_program()
{
	local name own IFS=$'\n'
	own=$'\n'$(compgen -A alias -A builtin -A function -A keyword -- "$cur")$'\n'
	for name in $(compgen -c -- "$cur"); do
		[[ $own != *$'\n'"$name"$'\n'* ]] || type -P -- "$name" >/dev/null || continue
		COMPREPLY+=("$name")
	done
	compopt -o filenames
	COMPREPLY+=($(compgen -f -- "$cur"))
}

_fctrace_reply_traces()
{
	_filedir 'data|data.old|data.+([0-9])'
	((${#COMPREPLY[@]})) || _filedir
}

# reply KIND WORDS...: what the word may be.
_fctrace_reply()
{
	local kind=$1
	shift
	case $kind in
	words) COMPREPLY=($(compgen -W "$*" -- "$cur")) ;;
	list) _fctrace_reply_list "$@" ;;
	files) _filedir ;;
	folders) _filedir -d ;;
	traces) _fctrace_reply_traces ;;
	pids) _pids ;;
	pid_list) _fctrace_reply_list $(cd /proc && echo [0-9]*) ;;
	program) _fctrace_reply_program ;;
	esac
}

_fctrace_reply_options()
{
	COMPREPLY=($(compgen -W "$(_fctrace_options "$cmd")" -- "$cur"))
	[[ ${COMPREPLY-} == *= ]] && compopt -o nospace
}

_fctrace()
{
	local words cword cur cmd pending is_over nr program IFS=$' \t\n'
	COMPREPLY=()
	_fctrace_split
	_fctrace_walk
	if ((program)); then
		_command_offset "$(_fctrace_raw_place "$program")"
	elif [[ $pending ]]; then
		_fctrace_reply $(_fctrace_argument "$cmd $pending")
	elif [[ ! $is_over && $cur == --*=* ]]; then
		local option=${cur%%=*}
		cur=${cur#*=}
		_fctrace_reply $(_fctrace_argument "$cmd $option")
		[[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$option=}")
	elif [[ ! $is_over && $cur == -* ]]; then
		_fctrace_reply_options
	else
		_fctrace_reply $(_fctrace_operand "$cmd $nr")
		((cword != 1)) || COMPREPLY+=($(compgen -W "$_fctrace_commands" -- "$cur"))
	fi
}

complete -F _fctrace fctrace
