/* SPDX-License-Identifier: Apache-2.0 */
#include "arch/x86_64/x86_64.h"

#include <elf.h>
#include <string.h>

#include "capture/agent/abi.h"
#include "capture/agent/stub_x86_64.h"
#include "base/little.h"

void make_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret)
{
	ret[0] = OP_JMP_REL32;
	fc_put_32(ret + 1, (uint32_t)(to - (from + JUMP_SIZE)));
}

void make_near_jump_x86_64(uint64_t from, uint64_t to, uint8_t *ret)
{
	ret[0] = OP_JMP_REL8;
	ret[1] = (uint8_t)(to - (from + NEAR_JUMP_SIZE));
}

/* jmp *0(%rip); .quad to */
void make_long_jump_x86_64(uint64_t to, uint8_t *ret)
{
	static const uint8_t jmp_memory[] = { OP_GROUP5, 0x25, 0, 0, 0, 0 };
	memcpy(ret, jmp_memory, sizeof(jmp_memory));
	fc_put_64(ret + sizeof(jmp_memory), to);
}

/*
 *   e9 lo lo hi hi    nr_free 3: two bytes of the displacement are ours, two stay
 *
 * The lowest bytes come first, so the reach is one range, of 1 byte to 16 MiB.
 */
void pun_x86_64(uint64_t from, const uint8_t *code, uint8_t nr_free, uint64_t *first,
		uint64_t *last)
{
	uint32_t free_bits = (uint32_t)((1ull << 8 * (nr_free - 1)) - 1), fixed;
	memcpy(&fixed, code + 1, sizeof(fixed));
	*first = from + JUMP_SIZE + (int64_t)(int32_t)(fixed & ~free_bits);
	*last = *first + free_bits;
}

const struct fc_arch fc_arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.places = places_x86_64,
	.switch_on = SWITCH_ON,
	.switch_off = SWITCH_OFF,
	.detour_size = DETOUR_SIZE,
	.window = window_x86_64,
	.go_stack_check = go_stack_check_x86_64,
	.make_near_jump = make_near_jump_x86_64,
	.make_long_jump = make_long_jump_x86_64,
	.pun = pun_x86_64,
	.near_reach = 127,
	.far_reach = 0x7ff00000, /* a little less than 2 GiB */
	.far_tactic = "jmp5",
	.near_tactic = "jmp2",
	.page_size = FCA_PAGE,
	.end = 1ull << 47,
	.pools_below = 0x7fffff000000,
	.triplet = "x86_64-linux-gnu",
	.far_size = JUMP_SIZE,
	.near_size = NEAR_JUMP_SIZE,
	.long_size = LONG_JUMP_SIZE,
	.is_padding = is_padding_x86_64,
	.is_plt = is_plt_x86_64,
	.is_sigreturn = is_sigreturn_x86_64,
	.is_nops = is_nops_x86_64,
	.stub_size = stub_size_x86_64,
	.emit_stub = emit_stub_x86_64,
	.moves = moves_x86_64,
	.gs_reads = gs_reads_x86_64,
	.make_detour = make_detour_x86_64,
	.drop_gs_read = drop_gs_read_x86_64,
	.make_jump = make_jump_x86_64,
	.scan = scan_x86_64,
	.sets_gs = sets_gs_x86_64,
	.insn_len = insn_len_x86_64,
	.traits = traits_x86_64,
	.slot_use = slot_use_x86_64,
	.insn_kind = insn_kind_x86_64,
	.starts_function = starts_function_x86_64,
	.returns_elsewhere = returns_elsewhere_x86_64,
	.may_run_again = may_run_again_x86_64,
	.is_call = is_call_x86_64,
	.main_of = main_of_x86_64,
	.refs = refs_x86_64,
	.stack_loads = stack_loads_x86_64,
	.regs_size = 27 * 8, /* struct user_regs_struct */
	.reg_words = reg_words_x86_64,
	.has_user_area = true,
	.trap_flag = 0x100,
	.breakpoint = breakpoint_x86_64,
	.red_zone = 128,
	.slot_size = 8,
	.is_interrupted = is_interrupted_x86_64,
	.make_cave = make_cave_x86_64,
	.is_door = is_door_x86_64,
	.door_goes_on = door_goes_on_x86_64,
	.leave_door = leave_door_x86_64,
	.strand_call = strand_call_x86_64,
	.found_without = found_without_x86_64,
};
