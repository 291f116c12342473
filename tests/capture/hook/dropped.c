// SPDX-License-Identifier: Apache-2.0
// Code whose file's bytes come back: what was written over it is dropped, of all of it or of one of
// the two pages that a function's first bytes are on.
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// A page's last two bytes and the first ones of the next.
__asm__(".section .text.across, \"ax\", @progbits\n\t.p2align 12\n\t.skip 4094, 0x90\n\t.globl across\n"
	"\t.type across, @function\nacross:\n\t.cfi_startproc\n\tmov $1, %eax\n\tadd %edi, %eax\n\tret\n"
	"\t.cfi_endproc\n\t.size across, .-across\n\t.p2align 12\n\t.text");
int across(int x);

__attribute__((noinline)) int plain(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 2;
}

static uintptr_t page_of(int (*f)(int))
{
	return (uintptr_t)f & ~4095ul;
}

static void call_all(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += across(i) + plain(i);
	printf("%d\n", sum);
	fflush(stdout);
}

static int find(struct dl_phdr_info *info, size_t size, void *ctx)
{
	uintptr_t *range = ctx;
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
			continue;
		range[0] = info->dlpi_addr + (p->p_vaddr & ~4095ul);
		range[1] = (p->p_filesz + (p->p_vaddr & 4095) + 4095) & ~4095ul;
		range[2] = p->p_offset & ~4095ul;
	}
	return 1;
}

// Until the hooks are there again that were there at first.
static void wait_for(int (*f)(int), const char *before)
{
	while (memcmp((void *)(uintptr_t)f, before, 2))
		usleep(1000);
}

int main(int argc, char **argv)
{
	uintptr_t range[3];
	const char *how = argc > 1 ? argv[1] : "all";
	char before[2][2];
	memcpy(before[0], (void *)(uintptr_t)across, 2);
	memcpy(before[1], (void *)(uintptr_t)plain, 2);
	dl_iterate_phdr(find, range);
	for (int round = 0; round < 2; round++) {
		call_all(10);
		if (!strcmp(how, "first"))
			madvise((void *)page_of(across), 4096, MADV_DONTNEED);
		if (!strcmp(how, "second"))
			madvise((void *)(page_of(across) + 4096), 4096, MADV_DONTNEED);
		if (!strcmp(how, "all"))
			madvise((void *)range[0], range[1], MADV_DONTNEED);
		if (!strcmp(how, "syscall"))
			syscall(SYS_madvise, page_of(across), 4096, MADV_DONTNEED);
		if (!strcmp(how, "mapped")) {
			int fd = open("/proc/self/exe", O_RDONLY);
			if (mmap((void *)range[0], range[1], PROT_READ | PROT_EXEC,
				 MAP_PRIVATE | MAP_FIXED, fd, (off_t)range[2]) == MAP_FAILED)
				return 1;
			close(fd);
		}
		call_all(10);
		wait_for(across, before[0]);
		wait_for(plain, before[1]);
	}
	return 0;
}
