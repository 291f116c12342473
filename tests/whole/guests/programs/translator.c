// SPDX-License-Identifier: Apache-2.0
/*
 * As valgrind is laid out: a static program that maps another one (translator PROGRAM), and keeps a
 * function for that one between two pages of ud2. It reads what it would translate, while a line of
 * its input is awaited, and prints whether that is what the files say.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FENCE ".fill 2048, 2, 0x0b0f\n"

__asm__(".text\n.balign 16\n" FENCE
	".globl for_guest\n.type for_guest, @function\nfor_guest:\n.cfi_startproc\n"
	"push %rbx\nmov %rdi, %rbx\nlea 1(%rbx), %rax\npop %rbx\nret\n"
	".cfi_endproc\n.size for_guest, . - for_guest\n.globl for_guest_end\nfor_guest_end:\n" FENCE);

extern char for_guest[], for_guest_end[];

__attribute__((noinline)) static unsigned sum_of(const unsigned char *code, size_t size)
{
	unsigned sum = 0;
	__asm__ volatile("");
	for (size_t i = 0; i < size; i++)
		sum = sum * 31 + code[i];
	return sum;
}

int main(int argc, char **argv)
{
	static unsigned char bytes[1 << 20], fenced[256];
	Elf64_Ehdr head;
	Elf64_Phdr seg;
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1, i = 0;
	size_t fence_size = (size_t)(for_guest_end - for_guest);
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return 9;
	do
		if (pread(fd, &seg, sizeof(seg), (off_t)(head.e_phoff + i++ * sizeof(seg))) < 0)
			return 9;
	while (seg.p_type != PT_LOAD || !(seg.p_flags & PF_X));
	const unsigned char *guest = mmap(NULL, seg.p_filesz, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
					  (off_t)seg.p_offset);
	if (guest == MAP_FAILED || pread(fd, bytes, sizeof(bytes), (off_t)seg.p_offset) < 0)
		return 9;
	/* What the file says of for_guest: its bytes, as they are written above. */
	static const unsigned char source[] = { 0x53, 0x48, 0x89, 0xfb, 0x48, 0x8d,
						0x43, 0x01, 0x5b, 0xc3 };
	memcpy(fenced, source, sizeof(source));
	puts("ready");
	fflush(stdout);
	char line[8];
	for (int last = 0; !last;) {
		last = !fgets(line, sizeof(line), stdin);
		for (int k = 0; k < 100; k++)
			last |= sum_of(guest, seg.p_filesz) != sum_of(bytes, seg.p_filesz) ? 2 : 0;
		printf("guest %s, fence %s\n", last & 2 ? "changed" : "whole",
		       memcmp(for_guest, fenced, fence_size) ? "changed" : "whole");
		fflush(stdout);
	}
	return 0;
}
