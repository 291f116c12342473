/* SPDX-License-Identifier: Apache-2.0 */
/* demangle.c - calls libiberty within limits, and shortens names to the simple form. */
#include "base/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"

/*
 * libiberty recurses with the length of the symbol, and its own limit forbids symbols of more
 * than 1024 characters, which templates do reach. A few bytes can stand for gigabytes of name
 * ("the same type twice", twice, twice...): the text is cut off as it is made.
 */
#define SYMBOL_MAX 4096
#define TEXT_MAX   (64 * 1024)
#define SHOWN_MAX  4096 /* a longer one nobody reads, and each is kept */

struct text {
	char *at;
	size_t nr, room;
	bool is_too_long;
	jmp_buf give_up;
};

static bool is_ascii(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] >= 0x80)
			return false;
	return true;
}

/*
 * There is no other way to stop libiberty than to leave it by a jump. What it allocates is on
 * the stack; but for an identifier with other letters than ASCII, while it is handed over.
 */
static void take_text(const char *s, size_t len, void *ctx)
{
	struct text *text = ctx;

	if (!len) /* s may be NULL then */
		return;
	text->is_too_long |= text->nr + len >= TEXT_MAX;
	if (text->is_too_long && is_ascii(s, len))
		longjmp(text->give_up, 1);
	if (text->is_too_long)
		return;
	if (text->nr + len >= text->room) {
		text->room = 2 * (text->nr + len) + 128;
		text->at = fc_realloc(text->at, text->room);
	}
	memcpy(text->at + text->nr, s, len);
	text->nr += len;
}

typedef int (*demangler)(const char *symbol, int options, demangle_callbackref callback,
			 void *ctx);

/* NULL: none of this language's. */
static char *demangle_by(demangler demangle, const char *symbol, int options)
{
	struct text text = { 0 };
	struct text *volatile kept = &text;

	if (setjmp(text.give_up) || !demangle(symbol, options, take_text, &text) ||
	    text.is_too_long || !text.nr) {
		free(kept->at);
		return NULL;
	}
	text.at[text.nr] = 0;
	return text.at;
}

/* ---- the simple form ---- */

struct strip {
	const char *in;
	char *text; /* grows */
	size_t nr;
	char *stack;  /* of brackets that are open; as long as in */
	bool is_torn; /* brackets that do not fit */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool starts(const char *s, const char *head)
{
	return !strncmp(s, head, strlen(head));
}

/* At p, within all: "operator" and the brackets that belong to it; 0: none here. */
static size_t operator_len(const char *all, const char *p)
{
	static const char *const symbols[] = { "()", "[]", "<=>", "<<=", ">>=", "->*", "->",
					       "<<", ">>", "<=",  ">=",	 "<",	">" };
	static const char word[] = "operator";

	if (*p != 'o' || !starts(p, word) || (p > all && is_word(p[-1])) ||
	    is_word(p[sizeof(word) - 1]))
		return 0;
	p += sizeof(word) - 1;
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		if (starts(p, symbols[i]))
			return sizeof(word) - 1 + strlen(symbols[i]);
	return sizeof(word) - 1;
}

/* ) and its like close what was opened inside: in expressions, < may be "less than". */
static size_t close_bracket(const char *stack, size_t nr, char opening)
{
	size_t i = nr;

	while (i && stack[i - 1] != opening)
		i--;
	return i ? i - 1 : opening == '<' ? nr : 0;
}

/* Behind the bracket that closes the one at p; NULL: none does. */
static const char *group_end(struct strip *strip, const char *p)
{
	static const char openings[] = "(<[{", closings[] = ")>]}";
	size_t nr = 0;

	for (; *p; p++) {
		size_t len = operator_len(strip->in, p);
		const char *opening = strchr(openings, *p), *closing = strchr(closings, *p);
		if (len) {
			p += len - 1;
		} else if (opening) {
			strip->stack[nr++] = *opening;
		} else if (closing && *p != '>') {
			nr = close_bracket(strip->stack, nr, openings[closing - closings]);
		} else if (closing && p[-1] != '-' && strip->stack[nr - 1] == '<') {
			nr--;
		}
		if (!nr)
			return p + 1;
	}
	strip->is_torn = true;
	return NULL;
}

static const char *pass_group(struct strip *strip, const char *p)
{
	const char *end = group_end(strip, p);
	return end ? end : p + strlen(p);
}

static const char *copy(struct strip *strip, const char *p, size_t len)
{
	memcpy(strip->text + strip->nr, p, len);
	strip->nr += len;
	return p + len;
}

/* What stands behind the parameters of a member function. */
static const char *pass_qualifiers(const char *p)
{
	static const char *const words[] = { " const",	  " volatile", " restrict",
					     " noexcept", " &&",       " &" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]);) {
		size_t len = strlen(words[i]);
		bool is_here = starts(p, words[i]) && !is_word(p[len]);
		p += is_here ? len : 0;
		i = is_here ? 0 : i + 1;
	}
	return p;
}

/* "{lambda(int)#1}", "{default arg#1}": what it takes is left out. */
static const char *copy_braces(struct strip *strip, const char *p)
{
	p = copy(strip, p, 1);
	while (*p && *p != '}') {
		if (*p == '(') {
			p = pass_group(strip, p);
			copy(strip, "()", 2);
		} else if (*p == '<') {
			p = pass_group(strip, p);
		} else {
			p = copy(strip, p, 1);
		}
	}
	return *p ? copy(strip, p, 1) : p;
}

static const char *step_cpp(struct strip *strip, const char *p)
{
	static const char nameless[] = "(anonymous namespace)";
	size_t len = operator_len(strip->in, p);

	if (len)
		return copy(strip, p, len);
	if (starts(p, nameless))
		return copy(strip, p, sizeof(nameless) - 1);
	if (*p == ' ' && p[1] == '<') /* operator< <int> */
		return p + 1;
	if (*p == '<' || starts(p, "[abi:"))
		return pass_group(strip, p);
	if (*p == '(')
		return pass_qualifiers(pass_group(strip, p));
	if (*p == '{')
		return copy_braces(strip, p);
	return copy(strip, p, 1);
}

/*
 * "<T as Trait>::f" and "mod::<impl T>::f" are whose function it is and stay, without
 * arguments of their own; "f::<T>" and "Vec<T>" are arguments.
 */
static const char *step_rust(struct strip *strip, const char *p)
{
	size_t behind = strip->nr;
	bool is_path = behind >= 2 && !memcmp(strip->text + behind - 2, "::", 2);

	if (*p != '<' || !behind)
		return copy(strip, p, 1);
	if (is_path && !starts(p, "<impl ")) {
		const char *end = pass_group(strip, p);
		strip->nr -= 2;
		return end;
	}
	return is_word(strip->text[behind - 1]) ? pass_group(strip, p) : copy(strip, p, 1);
}

typedef const char *(*stepper)(struct strip *strip, const char *p);

/* NULL: its brackets do not fit, or nothing would be left. */
static char *strip_by(stepper step, const char *name)
{
	size_t len = strlen(name);
	fc_auto_free char *stack = fc_alloc(len + 1);
	struct strip strip = { .in = name, .text = fc_alloc(2 * len + 3), .stack = stack };

	for (const char *p = name; *p;)
		p = step(&strip, p);
	strip.text[strip.nr] = 0;
	if (!strip.is_torn && strip.nr)
		return strip.text;
	free(strip.text);
	return NULL;
}

static char *simplify(stepper step, char *name)
{
	char *simple = strip_by(step, name);

	if (!simple)
		return name;
	free(name);
	return simple;
}

/* ---- both languages ---- */

bool fc_is_mangled(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

static char *demangle_any(const char *symbol, bool is_simple)
{
	int options = DMGL_PARAMS | DMGL_ANSI | DMGL_NO_RECURSE_LIMIT |
		      (is_simple ? DMGL_RET_DROP : 0);
	/* Rust first: its older names are C++ names with a hash at the end. */
	char *name = demangle_by(rust_demangle_callback, symbol, DMGL_PARAMS | DMGL_ANSI);

	if (name)
		return is_simple ? simplify(step_rust, name) : name;
	if (symbol[1] != 'Z')
		return NULL;
	name = demangle_by(cplus_demangle_v3_callback, symbol, options);
	return name && is_simple ? simplify(step_cpp, name) : name;
}

char *fc_demangle(const char *symbol, enum fc_demangle form)
{
	if (form == FC_DEMANGLE_NO || !fc_is_mangled(symbol) ||
	    strnlen(symbol, SYMBOL_MAX + 1) > SYMBOL_MAX)
		return NULL;

	fc_auto_free char *name = demangle_any(symbol, form == FC_DEMANGLE_SIMPLE);
	if (!name || strnlen(name, SHOWN_MAX + 1) > SHOWN_MAX)
		return NULL;
	return fc_strdup(name);
}

char *fc_readable(const char *symbol, enum fc_demangle form)
{
	char *name = fc_demangle(symbol, form);
	return name ? name : fc_strdup(symbol);
}
