/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fctrace.h - marks in a program for its trace. Only this header is needed, no library; C (gnu99 and later) and
 * C++ (11 and later), gcc and clang.
 *
 *	FCTRACE_MARK("request", id, path);		// up to 8 values: numbers, pointers, texts
 *	FCTRACE_BEGIN("parse"); ... FCTRACE_END("parse");	// a span beside the tree of calls
 *	FCTRACE_COUNTER("queue", length);
 *	FCTRACE_DUMP("late");				// the flight recorder writes what it has
 *	FCTRACE_OFF(); ... FCTRACE_ON();		// nothing is recorded of this thread in between
 *
 * In a program that is not traced each is two nops, and its values are computed. fctrace shows those of the program,
 * and of all files whose functions it traces, as fctrace:request(7, "/index.html"), fctrace_begin:parse(), and so on.
 *
 * Each is a static probe as those of <sys/sdt.h> (systemtap's wiki, "UserSpaceProbeImplementation"), so gdb, perf,
 * bpftrace and systemtap find them, too. A second note tells fctrace what the values are.
 *
 * A name is a text in quotes of letters, digits, and - _ . / only: the assembler gets it.
 */
#ifndef FCTRACE_H
#define FCTRACE_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#define FCTRACE_MARK(...) FCTRACE_PICK_(__VA_ARGS__, FCTRACE_ARITIES_)("fctrace", __VA_ARGS__)
#define FCTRACE_BEGIN(...)                                                                     \
	FCTRACE_PICK_(__VA_ARGS__, FCTRACE_ARITIES_)("fctrace_begin", __VA_ARGS__)
#define FCTRACE_END(...)                                                                       \
	FCTRACE_PICK_(__VA_ARGS__, FCTRACE_ARITIES_)("fctrace_end", __VA_ARGS__)
#define FCTRACE_COUNTER(name, value) FCTRACE_1_("fctrace_counter", name, value)
#define FCTRACE_DUMP(why)	     FCTRACE_0_("fctrace_dump", why)
#define FCTRACE_ON()		     FCTRACE_0_("fctrace_on", "thread")
#define FCTRACE_OFF()		     FCTRACE_0_("fctrace_off", "thread")

/* ---- how that is done; not for use ---- */

#define FCTRACE_ARITIES_                                                                       \
	FCTRACE_8_, FCTRACE_7_, FCTRACE_6_, FCTRACE_5_, FCTRACE_4_, FCTRACE_3_, FCTRACE_2_,    \
		FCTRACE_1_, FCTRACE_0_, 0
#define FCTRACE_PICK_(...)					 FCTRACE_NINTH_(__VA_ARGS__)
#define FCTRACE_NINTH_(name, a, b, c, d, e, f, g, h, arity, ...) arity

#if __SIZEOF_POINTER__ == 8
#define FCTRACE_ADDRESS_ ".8byte "
#else
#define FCTRACE_ADDRESS_ ".4byte "
#endif

/*
 * Two nops of 5 bytes: where a function begins with a mark, the first one is for the jump that hooks the function.
 * Elsewhere the first one is not there to be seen, and costs as much as the second: nothing.
 */
#if defined(__x86_64__) || defined(__i386__)
#define FCTRACE_NOPS_                                                                          \
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"                                                 \
	"990: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
#else
#define FCTRACE_NOPS_ "990: nop\n"
#endif

/* A note of that section: whose it is, of which type, and what it says behind the nop's address. */
#define FCTRACE_NOTE_(section, owner, type, text)                                              \
	".pushsection " section ", \"?\", \"note\"\n"                                          \
	".balign 4\n"                                                                          \
	".4byte 992f - 991f, 994f - 993f, " type "\n"                                          \
	"991: .asciz \"" owner "\"\n"                                                          \
	"992: .balign 4\n"                                                                     \
	"993: " FCTRACE_ADDRESS_ "990b, _.stapsdt.base\n" text "\n"                            \
	"994: .balign 4\n"                                                                     \
	".popsection\n"

#define FCTRACE_ASM_(provider, name, args, kinds)                                              \
	FCTRACE_NOPS_                                                                          \
	FCTRACE_NOTE_(".note.stapsdt", "stapsdt", "3",                                         \
		      FCTRACE_ADDRESS_ "0\n"                                                   \
				       ".asciz \"" provider "\"\n"                             \
				       ".asciz \"" name "\"\n"                                 \
				       ".asciz \"" args "\"")                                  \
	FCTRACE_NOTE_(".note.fctrace", "fctrace", "1", ".byte " kinds "0")                     \
	".ifndef _.stapsdt.base\n"                                                             \
	".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n"            \
	".weak _.stapsdt.base\n"                                                               \
	".hidden _.stapsdt.base\n"                                                             \
	"_.stapsdt.base: .space 1\n"                                                           \
	".size _.stapsdt.base, 1\n"                                                            \
	".popsection\n"                                                                        \
	".endif\n"

/* What a value is: 'd' a number with a sign, 'u' without, 'f' a float, 's' a text, 'p' another pointer. */
#ifdef __cplusplus
#define FCTRACE_VALUE_(to, from) auto to = (from)
extern "C++" {
template <int kind> struct fctrace_kind_ {
	char size[kind];
};
fctrace_kind_<'s'> fctrace_kind_of_(const char *);
fctrace_kind_<'f'> fctrace_kind_of_(float);
fctrace_kind_<'f'> fctrace_kind_of_(double);
fctrace_kind_<'u'> fctrace_kind_of_(bool);
fctrace_kind_<'u'> fctrace_kind_of_(unsigned char);
fctrace_kind_<'u'> fctrace_kind_of_(unsigned short);
fctrace_kind_<'u'> fctrace_kind_of_(unsigned int);
fctrace_kind_<'u'> fctrace_kind_of_(unsigned long);
fctrace_kind_<'u'> fctrace_kind_of_(unsigned long long);
fctrace_kind_<'p'> fctrace_kind_of_(const volatile void *);
fctrace_kind_<'d'> fctrace_kind_of_(char);
fctrace_kind_<'d'> fctrace_kind_of_(signed char);
fctrace_kind_<'d'> fctrace_kind_of_(short);
fctrace_kind_<'d'> fctrace_kind_of_(int);
fctrace_kind_<'d'> fctrace_kind_of_(long);
fctrace_kind_<'d'> fctrace_kind_of_(long long);
fctrace_kind_<'d'> fctrace_kind_of_(...);
}
#define FCTRACE_KIND_(value) ((int)sizeof(fctrace_kind_of_(value)))
#else
#define FCTRACE_VALUE_(to, from) __auto_type to = (from)
#define FCTRACE_KIND_(value)                                                                   \
	_Generic((value), char *: 's', const char *: 's', float: 'f', double: 'f',             \
		 _Bool: 'u', unsigned char: 'u', unsigned short: 'u', unsigned int: 'u',       \
		 unsigned long: 'u', unsigned long long: 'u', char: 'd', signed char: 'd',     \
		 short: 'd', int: 'd', long: 'd', long long: 'd',                              \
		 default: __builtin_classify_type(value) == 5 ? 'p' : 'd')
#endif

/* Where a value may be: an address of a constant has no name in the file. */
#ifdef __x86_64__
#define FCTRACE_PLACE_ "nr"
#else
#define FCTRACE_PLACE_ "nor"
#endif
#define FCTRACE_ARG_(n)	 "%n[fctrace_s" #n "]@%[fctrace_v" #n "]"
#define FCTRACE_BYTE_(n) "%c[fctrace_k" #n "], "
#define FCTRACE_IN_(n)                                                                         \
	[fctrace_s##n] "n"((FCTRACE_KIND_(fctrace_v##n) == 'd' ? 1 : -1) *                     \
			   (int)sizeof(fctrace_v##n)),                                         \
		[fctrace_k##n] "n"(FCTRACE_KIND_(fctrace_v##n)),                               \
		[fctrace_v##n] FCTRACE_PLACE_(fctrace_v##n)

#define FCTRACE_DO_(...)                                                                       \
	do {                                                                                   \
		__VA_ARGS__                                                                    \
	} while (0)
/* What texts lead to has been written by then. */
#define FCTRACE_EMIT_(text, ...) __asm__ __volatile__(text ::__VA_ARGS__ : "memory");

#define FCTRACE_0_(provider, name)                                                             \
	FCTRACE_DO_(__asm__ __volatile__(FCTRACE_ASM_(provider, name, "", ""));)
#define FCTRACE_1_(provider, name, a)                                                          \
	FCTRACE_DO_(FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_EMIT_(                              \
			    FCTRACE_ASM_(provider, name, FCTRACE_ARG_(1), FCTRACE_BYTE_(1)),   \
			    FCTRACE_IN_(1)))
#define FCTRACE_2_(provider, name, a, b)                                                       \
	FCTRACE_DO_(FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);              \
		    FCTRACE_EMIT_(FCTRACE_ASM_(provider, name,                                 \
					       FCTRACE_ARG_(1) " " FCTRACE_ARG_(2),            \
					       FCTRACE_BYTE_(1) FCTRACE_BYTE_(2)),             \
				  FCTRACE_IN_(1), FCTRACE_IN_(2)))
#define FCTRACE_3_(provider, name, a, b, c)                                                    \
	FCTRACE_DO_(                                                                           \
		FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);                  \
		FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_EMIT_(                                  \
			FCTRACE_ASM_(provider, name,                                           \
				     FCTRACE_ARG_(1) " " FCTRACE_ARG_(2) " " FCTRACE_ARG_(3),  \
				     FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)),      \
			FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3)))
#define FCTRACE_4_(provider, name, a, b, c, d)                                                 \
	FCTRACE_DO_(                                                                           \
		FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);                  \
		FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_VALUE_(fctrace_v4, d);                  \
		FCTRACE_EMIT_(FCTRACE_ASM_(provider, name,                                     \
					   FCTRACE_ARG_(1) " " FCTRACE_ARG_(                   \
						   2) " " FCTRACE_ARG_(3) " " FCTRACE_ARG_(4), \
					   FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)  \
						   FCTRACE_BYTE_(4)),                          \
			      FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3), FCTRACE_IN_(4)))
#define FCTRACE_5_(provider, name, a, b, c, d, e)                                              \
	FCTRACE_DO_(FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);              \
		    FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_VALUE_(fctrace_v4, d);              \
		    FCTRACE_VALUE_(fctrace_v5, e); FCTRACE_EMIT_(                              \
			    FCTRACE_ASM_(provider, name,                                       \
					 FCTRACE_ARG_(1) " " FCTRACE_ARG_(2) " " FCTRACE_ARG_( \
						 3) " " FCTRACE_ARG_(4) " " FCTRACE_ARG_(5),   \
					 FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)    \
						 FCTRACE_BYTE_(4) FCTRACE_BYTE_(5)),           \
			    FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3), FCTRACE_IN_(4),    \
			    FCTRACE_IN_(5)))
#define FCTRACE_6_(provider, name, a, b, c, d, e, f)                                                      \
	FCTRACE_DO_(                                                                                      \
		FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);                             \
		FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_VALUE_(fctrace_v4, d);                             \
		FCTRACE_VALUE_(fctrace_v5, e); FCTRACE_VALUE_(fctrace_v6, f); FCTRACE_EMIT_(              \
			FCTRACE_ASM_(                                                                     \
				provider, name,                                                           \
				FCTRACE_ARG_(1) " " FCTRACE_ARG_(2) " " FCTRACE_ARG_(3) " " FCTRACE_ARG_( \
					4) " " FCTRACE_ARG_(5) " " FCTRACE_ARG_(6),                       \
				FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)                        \
					FCTRACE_BYTE_(4) FCTRACE_BYTE_(5) FCTRACE_BYTE_(6)),              \
			FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3), FCTRACE_IN_(4),                   \
			FCTRACE_IN_(5), FCTRACE_IN_(6)))
#define FCTRACE_7_(provider, name, a, b, c, d, e, f, g)                                                   \
	FCTRACE_DO_(                                                                                      \
		FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);                             \
		FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_VALUE_(fctrace_v4, d);                             \
		FCTRACE_VALUE_(fctrace_v5, e); FCTRACE_VALUE_(fctrace_v6, f);                             \
		FCTRACE_VALUE_(fctrace_v7, g); FCTRACE_EMIT_(                                             \
			FCTRACE_ASM_(                                                                     \
				provider, name,                                                           \
				FCTRACE_ARG_(1) " " FCTRACE_ARG_(2) " " FCTRACE_ARG_(3) " " FCTRACE_ARG_( \
					4) " " FCTRACE_ARG_(5) " " FCTRACE_ARG_(6) " " FCTRACE_ARG_(7),   \
				FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)                        \
					FCTRACE_BYTE_(4) FCTRACE_BYTE_(5) FCTRACE_BYTE_(6)                \
						FCTRACE_BYTE_(7)),                                        \
			FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3), FCTRACE_IN_(4),                   \
			FCTRACE_IN_(5), FCTRACE_IN_(6), FCTRACE_IN_(7)))
#define FCTRACE_8_(provider, name, a, b, c, d, e, f, g, h)                                                                    \
	FCTRACE_DO_(                                                                                                          \
		FCTRACE_VALUE_(fctrace_v1, a); FCTRACE_VALUE_(fctrace_v2, b);                                                 \
		FCTRACE_VALUE_(fctrace_v3, c); FCTRACE_VALUE_(fctrace_v4, d);                                                 \
		FCTRACE_VALUE_(fctrace_v5, e); FCTRACE_VALUE_(fctrace_v6, f);                                                 \
		FCTRACE_VALUE_(fctrace_v7, g); FCTRACE_VALUE_(fctrace_v8, h); FCTRACE_EMIT_(                                  \
			FCTRACE_ASM_(                                                                                         \
				provider, name,                                                                               \
				FCTRACE_ARG_(1) " " FCTRACE_ARG_(2) " " FCTRACE_ARG_(3) " " FCTRACE_ARG_(4) " " FCTRACE_ARG_( \
					5) " " FCTRACE_ARG_(6) " " FCTRACE_ARG_(7) " " FCTRACE_ARG_(8),                       \
				FCTRACE_BYTE_(1) FCTRACE_BYTE_(2) FCTRACE_BYTE_(3)                                            \
					FCTRACE_BYTE_(4) FCTRACE_BYTE_(5) FCTRACE_BYTE_(6)                                    \
						FCTRACE_BYTE_(7) FCTRACE_BYTE_(8)),                                           \
			FCTRACE_IN_(1), FCTRACE_IN_(2), FCTRACE_IN_(3), FCTRACE_IN_(4),                                       \
			FCTRACE_IN_(5), FCTRACE_IN_(6), FCTRACE_IN_(7), FCTRACE_IN_(8)))

#endif
