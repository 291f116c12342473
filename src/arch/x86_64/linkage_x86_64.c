/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linkage_x86_64.c - recognizes what linkers, assemblers and the C library put between functions.
 */
#include <string.h>

#include "arch/x86_64/x86_64.h"
#include "base/little.h"

/*
 * x86-64 psABI 5.2:
 *
 *   .plt            ff 35  push GOT[1](%rip)
 *   .plt.got        ff 25  jmp *slot(%rip)
 *   .plt.sec        f3 0f 1e fa  endbr64, [f2] ff 25  jmp *slot(%rip)
 *
 * Entries are padded to 8 or 16 bytes; a function that is but one such jump is not.
 */
bool is_plt_x86_64(const uint8_t *code, size_t room, uint64_t size)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	if (room < 8 || size % 8)
		return false;
	if (memcmp(code, endbr64, sizeof(endbr64)) == 0)
		code += sizeof(endbr64);
	if (code[0] == PREFIX_F2)
		code++;
	return code[0] == OP_GROUP5 && (code[1] == 0x25 || code[1] == 0x35);
}

/*
 * psABI 3.4.6 (TLS), initial exec and local exec, as C libraries return &errno:
 *
 *   mov slot(%rip),%rax; add %fs:0,%rax; ret     glibc: the slot says where
 *   mov %fs:0,%rax; add $off,%rax; ret           musl
 */
bool errno_place_x86_64(const uint8_t *code, size_t room, uint64_t vaddr,
			struct fc_errno_place *ret)
{
	static const uint8_t add_fs[] = { 0x64, 0x48, 0x03, 0x04, 0x25, 0, 0, 0, 0, OP_RET };
	static const uint8_t mov_fs[] = { 0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0 };
	static const uint8_t mov_slot[] = { 0x48, 0x8b, 0x05 };
	static const uint8_t add_off[] = { 0x48, 0x83, 0xc0 };
	enum { MOV_SIZE = 7, ADD_SIZE = 4 };
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	if (room > sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64))) {
		code += sizeof(endbr64);
		vaddr += sizeof(endbr64);
		room -= sizeof(endbr64);
	}
	if (room >= MOV_SIZE + sizeof(add_fs) && !memcmp(code, mov_slot, sizeof(mov_slot)) &&
	    !memcmp(code + MOV_SIZE, add_fs, sizeof(add_fs))) {
		uint64_t slot = vaddr + MOV_SIZE + (uint64_t)(int32_t)fc_get_32(code + 3);
		*ret = (struct fc_errno_place){ true, true, (int32_t)slot };
		return slot <= INT32_MAX;
	}
	if (room > sizeof(mov_fs) + ADD_SIZE && !memcmp(code, mov_fs, sizeof(mov_fs)) &&
	    !memcmp(code + sizeof(mov_fs), add_off, sizeof(add_off)) &&
	    code[sizeof(mov_fs) + ADD_SIZE] == OP_RET) {
		int8_t off = (int8_t)code[sizeof(mov_fs) + sizeof(add_off)];
		*ret = (struct fc_errno_place){ true, false, off };
		return true;
	}
	return false;
}

/* mov $__NR_rt_sigreturn,%rax; syscall */
bool is_sigreturn_x86_64(const uint8_t *code, size_t room)
{
	static const uint8_t sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	return room >= sizeof(sigreturn) && memcmp(code, sigreturn, sizeof(sigreturn)) == 0;
}

/* The length of the no-op that assemblers pad code with, 0 if it is none. */
static size_t nop_len(const uint8_t *at, size_t size)
{
	/* ModRM of "nop r/m": with 0, 1 or 4 bytes of displacement, with or without SIB */
	static const struct {
		uint8_t modrm, len;
	} forms[] = { { 0x00, 3 }, { 0x40, 4 }, { 0x44, 5 }, { 0x80, 7 }, { 0x84, 8 } };
	enum { PREFIX_CS = 0x2e };
	size_t prefixes = 0;

	while (prefixes < size &&
	       (at[prefixes] == PREFIX_OPERAND_SIZE || at[prefixes] == PREFIX_CS))
		prefixes++;
	if (prefixes < size && at[prefixes] == OP_NOP)
		return prefixes + 1;
	if (size - prefixes < 3 || at[prefixes] != OP_0F || at[prefixes + 1] != OP_0F_NOP)
		return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (at[prefixes + 2] == forms[i].modrm)
			return prefixes + forms[i].len;
	return 0;
}

/* ud2 */
bool is_trap_x86_64(const uint8_t *code)
{
	return code[0] == 0x0f && code[1] == 0x0b;
}

bool is_nops_x86_64(const uint8_t *code, size_t size)
{
	while (size) {
		size_t len = nop_len(code, size);
		if (!len || len > size)
			return false;
		code += len;
		size -= len;
	}
	return true;
}
