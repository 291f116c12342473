_fctrace_traces()
{
	_files -g '*.data(|.old|.<->)(-.)'
}

_fctrace_pids()
{
	local -a pids=(/proc/<->(N:t)) shown expl
	local pid name

	for pid in $pids; do
		name=
		{ read -r name </proc/$pid/comm } 2>/dev/null
		shown+=("$pid  $name")
	done
	_wanted processes expl process compadd "$@" -ld shown -a pids
}

_fctrace_program()
{
	_alternative 'commands:external command:_path_commands' \
		'files:program file:_files -g "*(-/,-*)"'
}

_fctrace()
{
	local curcontext=$curcontext

	if (( CURRENT == 2 )); then
		local ret=1
		[[ $words[2] == -* ]] || _fctrace_commands && ret=0
		_fctrace_of_fctrace && ret=0
		return ret
	fi
	if [[ $_fctrace_names == *" $words[2] "* ]]; then
		curcontext="${curcontext%:*:*}:fctrace-$words[2]:"
		shift words
		(( CURRENT-- ))
		_fctrace_of_$words[1]
	else
		_fctrace_of_fctrace
	fi
}

# Found in $fpath this file is the function; from source <(...) it tells of it.
if [[ $funcstack[1] == _fctrace ]]; then
	_fctrace "$@"
else
	compdef _fctrace fctrace
fi
