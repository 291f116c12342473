/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/patch/known/rule.h"

#include <fnmatch.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"

static const char walks_stack[] = "walks the stack";
static const char copies_stack[] = "copies frames of its stack away";
static const char does_not_return[] = "returns from an earlier setjmp";
static const char returns_twice[] = "returns twice";
static const char no_stack[] = "changes the stack it returns on";
static const char changes_rights[] = "may change the rights of its process";
static const char limits_memory[] = "may limit the memory of its process";
static const char drops_code[] = "may drop what was written over code";
static const char looks_at_caller[] = "looks at its return address";
static const char gets_caller[] = "called by what a compiler has added to functions";

/*
 * Sorted for reading, tried in order. Names without a wildcard are compared whole; a wildcard is
 * none of the first two bytes.
 */
static const struct fc_rule rules[] = {
	{ "_start", FC_RULE_SKIP, "the program's entry: it has no return address" },
	{ "_dl_start_user", FC_RULE_SKIP, "part of the loader's entry" },
	{ "_dl_start", FC_RULE_SKIP, "part of the loader's entry: runs before relocation" },
	{ "_dlstart", FC_RULE_SKIP, "the loader's entry: it has no return address" },
	{ "_dlstart_c", FC_RULE_SKIP, "part of the loader's entry: runs before relocation" },
	{ "__restore_rt", FC_RULE_SKIP, "returns from a signal" },
	{ "__restore", FC_RULE_SKIP, "returns from a signal" },
	{ "_dl_runtime_*", FC_RULE_SKIP, "binds a symbol, then jumps to it" },
	{ "_dl_tlsdesc_*", FC_RULE_SKIP, "thread-local storage: called with live registers" },
	{ "__tls_get_addr*", FC_RULE_SKIP, "thread-local storage: called with live registers" },
	{ "__x86_indirect_thunk*", FC_RULE_SKIP, "a retpoline thunk" },
	{ "__x86_return_thunk*", FC_RULE_SKIP, "a retpoline thunk" },
	{ "mcount", FC_RULE_SKIP, "called with live registers" },
	{ "_mcount", FC_RULE_SKIP, "called with live registers" },
	{ "__fentry__", FC_RULE_SKIP, "called with live registers" },
	{ "__morestack*", FC_RULE_SKIP, "changes the stack of its caller" },
	{ "_dl_debug_state", FC_RULE_DL, "tells fctrace of loaded objects" },
	{ "dl_debug_state", FC_RULE_DL, "tells fctrace of loaded objects" },
	{ "prctl", FC_RULE_FILTER, "may forbid system calls" },
	{ "syscall", FC_RULE_FILTER, "may forbid system calls" },
	{ "ptrace", FC_RULE_TRACE, "may ask for another tracer" },
	{ "setuid", FC_RULE_RIGHTS, changes_rights },
	{ "setgid", FC_RULE_RIGHTS, changes_rights },
	{ "seteuid", FC_RULE_RIGHTS, changes_rights },
	{ "setegid", FC_RULE_RIGHTS, changes_rights },
	{ "setreuid", FC_RULE_RIGHTS, changes_rights },
	{ "setregid", FC_RULE_RIGHTS, changes_rights },
	{ "setresuid", FC_RULE_RIGHTS, changes_rights },
	{ "setresgid", FC_RULE_RIGHTS, changes_rights },
	{ "setfsuid", FC_RULE_RIGHTS, changes_rights },
	{ "setfsgid", FC_RULE_RIGHTS, changes_rights },
	{ "setgroups", FC_RULE_RIGHTS, changes_rights },
	{ "capset", FC_RULE_RIGHTS, changes_rights },
	{ "chroot", FC_RULE_RIGHTS, changes_rights },
	{ "unshare", FC_RULE_RIGHTS, changes_rights },
	{ "setns", FC_RULE_RIGHTS, changes_rights },
	{ "mprotect", FC_RULE_WRITE, "may make code writable" },
	{ "__mprotect", FC_RULE_WRITE, "may make code writable" },
	{ "pkey_mprotect", FC_RULE_WRITE, "may make code writable" },
	{ "setrlimit", FC_RULE_LIMIT, limits_memory },
	{ "setrlimit64", FC_RULE_LIMIT, limits_memory },
	{ "prlimit", FC_RULE_LIMIT, limits_memory },
	{ "prlimit64", FC_RULE_LIMIT, limits_memory },
	{ "mlockall", FC_RULE_LOCK, limits_memory },
	{ "madvise", FC_RULE_LOCK, drops_code },
	{ "__madvise", FC_RULE_LOCK, drops_code },
	{ "__cyg_profile_func_enter", FC_RULE_CALLER, gets_caller },
	{ "__cyg_profile_func_exit", FC_RULE_CALLER, gets_caller },
	{ "__mcount_internal", FC_RULE_CALLER, gets_caller },
	{ "_Unwind_RaiseException", FC_RULE_RAISE, walks_stack },
	{ "_Unwind_ForcedUnwind", FC_RULE_FORCE, walks_stack },
	/* Of SCM and Elk; those without a name: slicer.c. */
	{ "make_continuation", FC_RULE_SLICE, copies_stack },
	{ "make_root_continuation", FC_RULE_SLICE, copies_stack },
	{ "Internal_Call_CC", FC_RULE_SLICE, copies_stack },
	{ "_Unwind_Resume", FC_RULE_RAISE, walks_stack },
	{ "_Unwind_Resume_or_Rethrow", FC_RULE_RAISE, walks_stack },
	{ "_Unwind_Backtrace", FC_RULE_UNWIND, walks_stack },
	{ "unw_backtrace*", FC_RULE_UNWIND, walks_stack }, /* libunwind, nongnu and LLVM's */
	{ "_U*MACHINE_step", FC_RULE_UNWIND, walks_stack },
	{ "_U*MACHINE_tdep_trace", FC_RULE_UNWIND, walks_stack },
	{ "_U*MACHINE_init_local*", FC_RULE_UNWIND, walks_stack },
	{ "_U*MACHINE_getcontext*", FC_RULE_UNWIND, looks_at_caller },
	{ "_U*MACHINE_resume", FC_RULE_RAISE, walks_stack },
	{ "unw_step", FC_RULE_UNWIND, walks_stack },
	{ "__unw_step", FC_RULE_UNWIND, walks_stack },
	{ "unw_getcontext", FC_RULE_UNWIND, looks_at_caller },
	{ "__unw_getcontext", FC_RULE_UNWIND, looks_at_caller },
	{ "unw_resume", FC_RULE_RAISE, walks_stack },
	{ "__unw_resume", FC_RULE_RAISE, walks_stack },
	{ "_Unwind_*", FC_RULE_ENTRY_ONLY, walks_stack },
	{ "__cxa_begin_catch", FC_RULE_LANDED, "is where an exception has landed" },
	{ "uw_init_context_1", FC_RULE_ENTRY_ONLY, walks_stack },
	{ "uw_install_context_1", FC_RULE_ENTRY_ONLY, walks_stack },
	{ "longjmp", FC_RULE_JUMP, does_not_return },
	{ "_longjmp", FC_RULE_JUMP, does_not_return },
	{ "__libc_longjmp", FC_RULE_JUMP, does_not_return },
	{ "__libc_siglongjmp", FC_RULE_JUMP, does_not_return },
	{ "__longjmp_chk", FC_RULE_JUMP, does_not_return },
	{ "__longjmp", FC_RULE_JUMP, does_not_return },
	{ "____longjmp_chk", FC_RULE_JUMP, does_not_return },
	{ "setjmp", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "_setjmp", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__setjmp", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "sigsetjmp", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__sigsetjmp", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__sigsetjmp_tail", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__sigjmp_save", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "vfork", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__vfork", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__libc_vfork", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "getcontext", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "__getcontext", FC_RULE_ENTRY_ONLY, returns_twice },
	{ "setcontext", FC_RULE_ENTRY_ONLY, no_stack },
	{ "__setcontext", FC_RULE_ENTRY_ONLY, no_stack },
	{ "swapcontext", FC_RULE_CONTEXT, no_stack },
	{ "__swapcontext", FC_RULE_CONTEXT, no_stack },
	{ "makecontext", FC_RULE_ENTRY_ONLY, no_stack },
	{ "__makecontext", FC_RULE_ENTRY_ONLY, no_stack },
	{ "__start_context", FC_RULE_SKIP, "the end of a context: it has no return address" },
	{ "clone", FC_RULE_ENTRY_ONLY, no_stack },
	{ "__clone", FC_RULE_ENTRY_ONLY, no_stack },
	{ "clone3", FC_RULE_ENTRY_ONLY, no_stack },
	{ "__clone3", FC_RULE_ENTRY_ONLY, no_stack },
	{ "dlopen", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__dlopen", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__libc_dlopen_mode", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "dlmopen", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__dlmopen", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "dlsym", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__dlsym", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "dlvsym", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__dlvsym", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "dl_iterate_phdr", FC_RULE_ENTRY_ONLY, looks_at_caller },
	{ "__dl_iterate_phdr", FC_RULE_ENTRY_ONLY, looks_at_caller },
};

/* Which names a rule could be for, by their first two bytes: hardly any function has one. */
static bool may_start[1 << 16];

static unsigned int start_of(const char *name)
{
	return (uint8_t)name[0] << 8 | (name[0] ? (uint8_t)name[1] : 0);
}

static void note_starts(void)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		may_start[start_of(rules[i].glob)] = true;
}

/* Of libunwind's names, which have the machine in them: as the rules say it, at buf. */
static const char *without_machine(const char *name, char *buf, size_t room)
{
	static const char word[] = "MACHINE";
	if (strncmp(name, "_U", 2) != 0)
		return name;
	for (size_t i = 0; fc_arch_at(i); i++) {
		const char *machine = fc_arch_at(i)->name, *at = strstr(name, machine);
		int size = at ? snprintf(buf, room, "%.*s%s%s", (int)(at - name), name, word,
					 at + strlen(machine))
			      : -1;
		if (size > 0 && (size_t)size < room)
			return buf;
	}
	return name;
}

const struct fc_rule *fc_rule_find(const char *full_name)
{
	char buf[64];
	const char *name = without_machine(full_name, buf, sizeof(buf));
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, note_starts);
	for (size_t i = 0; may_start[start_of(name)] && i < sizeof(rules) / sizeof(rules[0]);
	     i++) {
		const char *glob = rules[i].glob;
		if (start_of(glob) != start_of(name))
			continue;
		size_t fixed = strcspn(glob, "*");
		if (strncmp(glob, name, fixed))
			continue;
		if (glob[fixed] ? !fnmatch(glob, name, 0) : !name[fixed])
			return &rules[i];
	}
	return NULL;
}
