/* SPDX-License-Identifier: Apache-2.0 */
/* arch_x86_64.c - what fctrace needs to know of x86-64: the records of arch.h, filled in. */
#include "arch/x86_64/x86_64.h"

#include <elf.h>

#include "capture/agent/abi.h"
#include "capture/agent/stub_x86_64.h"

static const struct fc_arch_code code = {
	.go_stack_check = go_stack_check_x86_64,
	.is_padding = is_padding_x86_64,
	.is_plt = is_plt_x86_64,
	.errno_place = errno_place_x86_64,
	.is_sigreturn = is_sigreturn_x86_64,
	.is_nops = is_nops_x86_64,
	.is_trap = is_trap_x86_64,
	.trap_size = 2,
	.scan = scan_x86_64,
	.takes_register = takes_register_x86_64,
	.moves_frames = moves_frames_x86_64,
	.notes_place = notes_place_x86_64,
	.insn_len = insn_len_x86_64,
	.traits = traits_x86_64,
	.slot_use = slot_use_x86_64,
	.insn_kind = insn_kind_x86_64,
	.syscalls = syscalls_x86_64,
	.starts_function = starts_function_x86_64,
	.returns_elsewhere = returns_elsewhere_x86_64,
	.is_call = is_call_x86_64,
	.main_of = main_of_x86_64,
	.refs = refs_x86_64,
	.stack_loads = stack_loads_x86_64,
};

static const struct fc_arch_jumps jumps = {
	.window = window_x86_64,
	.make_near_jump = make_near_jump_x86_64,
	.make_long_jump = make_long_jump_x86_64,
	.pun = pun_x86_64,
	.near_reach = 127,
	.far_reach = 0x7ff00000, /* a little less than 2 GiB */
	.far_tactic = "jmp5",
	.near_tactic = "jmp2",
	.far_size = JUMP_SIZE,
	.near_size = NEAR_JUMP_SIZE,
	.long_size = LONG_JUMP_SIZE,
	.make_jump = make_jump_x86_64,
};

static const struct fc_arch_stub stub = {
	.places = places_x86_64,
	.make_switch = make_switch_x86_64,
	.detour_size = DETOUR_SIZE,
	.stub_size = stub_size_x86_64,
	.values_size = values_size_x86_64,
	.values_off = values_off_x86_64,
	.entry_off = entry_off_x86_64,
	.emit_stub = emit_stub_x86_64,
	.moves = moves_x86_64,
	.strand_reads = strand_reads_x86_64,
	.make_detour = make_detour_x86_64,
	.drop_strand_read = drop_strand_read_x86_64,
	.may_run_again = may_run_again_x86_64,
};

static const struct fc_arch_thread thread = {
	.regs_size = 27 * 8, /* struct user_regs_struct */
	.reg_words = reg_words_x86_64,
	.has_user_area = true,
	.trap_flag = 0x100,
	.breakpoint = breakpoint_x86_64,
	.red_zone = 128,
	.slot_size = 8,
	.is_interrupted = is_interrupted_x86_64,
	.is_saved_vector = is_saved_vector_x86_64,
	.make_cave = make_cave_x86_64,
	.to_native_mode = to_native_mode_x86_64,
	.is_door = is_door_x86_64,
	.door_goes_on = door_goes_on_x86_64,
	.leave_door = leave_door_x86_64,
	.strand_call = strand_call_x86_64,
	.found_without = found_without_x86_64,
	.strand_register = "%gs",
	.fast_registers = "FSGSBASE",
};

static const struct fc_arch_abi abi = {
	.locate = locate_x86_64,
	.can_fetch = can_fetch_x86_64,
	.named = named_x86_64,
	.all_named = "%rdi, %rsi, %rdx, %rcx, %r8 to %r11, %rax, %xmm0 to %xmm7",
	.returns_narrow = returns_narrow_x86_64,
	.widest_vector = widest_vector_x86_64,
	.arg_regs =
		1 << 5 | 1 << 4 | 1 << 1 | 1 << 2 | 1 << 8 | 1 << 9, /* rdi rsi rdx rcx r8 r9 */
	.reg_uses = reg_uses_x86_64,
};

static const struct fc_arch_probe probe = {
	.operands = probe_operands_x86_64,
	.place = place_operand_x86_64,
	.nop_size = nop_size_x86_64,
	.is_computed = is_computed_x86_64,
};

const struct fc_arch fc_arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.page_size = FCA_PAGE,
	.end = 1ull << 47,
	.pools_below = 0x7fffff000000,
	.triplet = "x86_64-linux-gnu",
	.code = &code,
	.jumps = &jumps,
	.stub = &stub,
	.thread = &thread,
	.abi = &abi,
	.probe = &probe,
};
