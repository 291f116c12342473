# SPDX-License-Identifier: Apache-2.0
"""generate.py - programs whose functions have random parameters and results.

Of a program there are: types.h; program.c, with the functions and their calls; describe.c, which
tells the types as fctrace's table of types has them; shims.h, for shim.S. What the compiler knows
best, as where a member lies, it tells itself.
"""
import os
import random

NR_AGGREGATES = 40
MANY = 70  # parameters: more than are told


class Type:
    """fill: C that fills *v and *m, what counts of it; is_class: C++ may call code to copy it."""

    def __init__(self, name, text, number, fill, **more):
        self.name, self.text, self.number, self.fill = name, text, number, fill
        self.is_class = more.get("is_class", False)
        self.is_scalar = more.get("is_scalar", True)
        self.can_be_base = more.get("can_be_base", False)
        # clang has rules of its own for __int128, __float128, and large vectors in what this is
        # made of: see Program.suits().
        self.is_wide, self.is_quad = more.get("is_wide", False), more.get("is_quad", False)
        self.vector = more.get("vector", 0)  # bytes of the largest


WHOLE = "fill(&%(v)s, sizeof %(v)s); memset(&%(m)s, 255, sizeof %(m)s);"
BOOL = "%(v)s = number() & 1; memset(&%(m)s, 255, sizeof %(m)s);"
X87 = "fill(&%(v)s, 10); memset(&%(m)s, 255, 10);"
X87_TWICE = (X87 + "fill((char *)&%(v)s + 16, 10); memset((char *)&%(m)s + 16, 255, 10);")


def of_number(name, size, kind):
    return 'fc_types_number(types, "%s", %d, FC_NUMBER_%s)' % (name, size, kind)


def of_float(name, size):
    return 'fc_types_float(types, "%s", %d)' % (name, size)


def scalar(c, number, fill=WHOLE, **more):
    name = "t_" + c.replace(" ", "_").replace("*", "p")
    return Type(name, "typedef %s %s;\n" % (c, name), number, fill, **more)


def integers():
    for name, size in (("char", 1), ("short", 2), ("int", 4), ("long", 8), ("long long", 8)):
        for sign, kind in (("signed ", "SIGNED"), ("unsigned ", "UNSIGNED")):
            yield scalar(sign + name, of_number(sign + name, size, kind))
    yield scalar("char", of_number("char", 1, "CHAR"))


def complex_of(c, size, part, fill=WHOLE):
    return scalar("_Complex " + c, 'complex_of(types, "_Complex %s", %d, %s)' % (c, size, part),
                  fill)


def vectors(most):
    for name, size, number in (
            ("char", 1, of_number("char", 1, "CHAR")),
            ("short", 2, of_number("short", 2, "SIGNED")),
            ("int", 4, of_number("int", 4, "SIGNED")),
            ("long", 8, of_number("long", 8, "SIGNED")),
            ("float", 4, of_float("float", 4)), ("double", 8, of_float("double", 8))):
        for whole in (4, 8, 16, 32, 64):
            if whole <= most and whole > size and (size < 4 or whole > 4):
                yield Type("v_%s_%d" % (name, whole),
                           "typedef %s v_%s_%d __attribute__((vector_size(%d)));\n"
                           % (name, name, whole, whole),
                           "fc_types_vector(types, %s, %d)" % (number, whole // size), WHOLE,
                           vector=whole)


def scalars(rng, language, compiler, vector):
    """More often than others: what programs pass."""
    often = list(integers()) * 2
    often += [scalar("double", of_float("double", 8))] * 8
    often += [scalar("float", of_float("float", 4))] * 8
    often += [scalar("void *", "fc_types_pointer(types, 0)")] * 4
    often += [scalar("bool" if language == "c++" else "_Bool", of_number("_Bool", 1, "BOOL"),
                     BOOL)] * 3
    often += [scalar("long double", of_float("long double", 16), X87)] * 4
    often += [scalar("__int128", of_number("__int128", 16, "SIGNED"), is_wide=True)] * 3
    often += [Type("t_enum", "typedef enum { ONE, TWO = 1 << 30 } t_enum;\n",
                   'enum_of(types)', WHOLE)] * 2
    often += [scalar("__float128", of_float("__float128", 16), is_quad=True)] * 2
    often += [complex_of("float", 8, of_float("float", 4)),
              complex_of("double", 16, of_float("double", 8)),
              complex_of("int", 8, of_number("int", 4, "SIGNED")),
              complex_of("long double", 32, of_float("long double", 16), X87_TWICE)]
    if compiler == "gcc" and language == "c":
        often += [scalar("_Float16", of_float("_Float16", 2)),
                  scalar("_Decimal32", "decimal_of(types, 4)"),
                  scalar("_Decimal64", "decimal_of(types, 8)"),
                  scalar("_Decimal128", "decimal_of(types, 16)")]
    return often + rng.sample(list(vectors(vector)), 8)


class Program:
    def __init__(self, seed, language, compiler, nr_funcs, vector):
        self.rng = random.Random("%s %s %s" % (seed, language, compiler))
        self.is_cxx, self.is_clang = language == "c++", compiler == "clang"
        self.scalars = scalars(self.rng, language, compiler, vector)
        self.aggregates, self.nr_funcs = [], nr_funcs
        self.types, self.numbers, self.code, self.protos = [], [], [], []
        for one in {t.name: t for t in self.scalars}.values():
            self.declare(one)
        for i in range(NR_AGGREGATES):
            self.add_aggregate("S%d" % i)
        for i in range(nr_funcs):
            self.add_function(i)

    def declare(self, one):
        self.types.append(one.text)
        self.numbers.append("\tuint32_t n_%s = %s;\n" % (one.name, one.number))

    def suits(self, one, where):
        """Where clang follows the ABI. It does not, in these places:

        - __int128 is in a register and on the stack, or aligned to 8 there (before clang 18);
        - __float128 counts as memory, but is in a register (before clang 15);
        - vectors of more than 16 bytes are on the stack where the function has "...", and where
          there is an empty struct beside them;
        - a union of a vector of 16 bytes and a larger array is taken for the vector.
        """
        if not self.is_clang:
            return True
        return not (one.is_wide and where == "late" or
                    one.is_quad and where != "result" or
                    one.vector > 16 and where in ("...", "beside") or
                    one.vector >= 16 and where == "union")

    # ---- types ----

    def any_type(self, share_of_scalars=0.5):
        if not self.aggregates or self.rng.random() < share_of_scalars:
            return self.rng.choice(self.scalars)
        return self.rng.choice(self.aggregates)

    def member(self, name, may_be):
        """Declaration, filling, description of one, and its type."""
        one = self.any_type(0.75)
        while not may_be(one) or not self.suits(one, "member"):
            one = self.any_type(0.75)
        nr = self.rng.choice((1, 2, 3, 5)) if self.rng.random() < 0.2 else 0
        own = {"v": "v->%s" % name, "m": "m->%s" % name}
        number = "n_" + one.name
        if nr:
            own = {key: value + "[i]" for key, value in own.items()}
            number = "fc_types_array(types, %s, %d)" % (number, nr)
        fill = one.fill % own
        if nr:
            fill = "for (int i = 0; i < %d; i++) { %s }" % (nr, fill)
        return ("\t%s %s%s;\n" % (one.name, name, "[%d]" % nr if nr else ""), "\t%s\n" % fill,
                '\t\t{ "%s", %s, 8 * offsetof(%%s, %s), 0 },\n' % (name, number, name), one)

    def bit_field(self, name, has_name):
        c, bits, number = self.rng.choice((
            ("unsigned int", 32, of_number("unsigned int", 4, "UNSIGNED")),
            ("int", 32, of_number("int", 4, "SIGNED")),
            ("long", 64, of_number("long", 8, "SIGNED")),
            ("unsigned char", 8, of_number("unsigned char", 1, "UNSIGNED")),
            ("unsigned short", 16, of_number("unsigned short", 2, "UNSIGNED"))))
        width = self.rng.randint(1, bits)
        if not has_name and self.rng.random() < 0.15:
            return "\tint : %d;\n" % self.rng.choice((0, 3, 17)), "", "", None
        return ("\t%s %s : %d;\n" % (c, name, width),
                "\tv->%s = number(); m->%s = -1;\n" % (name, name),
                '\t\tFIELD(%%s, %s, %s),\n' % (name, number), None)

    def add_aggregate(self, name):
        kinds = ["struct"] * 8 + ["union"] * 3 + ["packed"] * 2 + ["bits"] * 3 + ["aligned"]
        kinds += ["empty"] * (1 if self.rng.random() < 0.5 else 0)
        kinds += (["class"] * 3 + ["derived"] * 3) * self.is_cxx
        kind = self.rng.choice(kinds)
        getattr(self, "make_" + kind)(name)

    def plain_members(self, may_be, most=5):
        nr = self.rng.choice((1, 1, 2, 2, 3, 3, 4, most))
        return [self.member("m%d" % i, may_be) for i in range(nr)]

    def make_struct(self, name):
        self.put(name, "struct", self.plain_members(lambda one: True))

    def make_empty(self, name):
        self.put(name, "struct", [])

    def make_union(self, name):
        members = self.plain_members(
            lambda one: not one.is_class and self.suits(one, "union"))
        filled = self.rng.choice(members)
        self.put(name, "union", [(m[0], m[1] if m is filled else "", *m[2:]) for m in members])

    def make_packed(self, name):
        self.put(name, "struct", self.plain_members(lambda one: one.is_scalar),
                 attribute=" __attribute__((packed))")

    def make_aligned(self, name):
        self.put(name, "struct", self.plain_members(lambda one: True, 2),
                 attribute=" __attribute__((aligned(%d)))" % self.rng.choice((8, 16, 32)))

    def make_bits(self, name):
        nr = self.rng.randint(1, 6)
        # gcc has those without a name in a register in C, if there is nothing else in 8 bytes.
        members = [self.bit_field("m%d" % i, i in (0, nr - 1)) for i in range(nr)]
        if self.rng.random() < 0.3:
            members.append(self.member("m%d" % nr, lambda one: one.is_scalar))
        packed = " __attribute__((packed))" if self.rng.random() < 0.3 else ""
        self.put(name, "struct", members, attribute=packed)

    def make_class(self, name):
        """A copy constructor, a destructor, or both."""
        copy = "\t%s() {}\n\t%s(const %s &o) { memcpy((void *)this, &o, sizeof(o)); }\n" % (
            name, name, name)
        end = "\t~%s() { asm volatile(\"\"); }\n" % name
        own = self.rng.choice((copy, end, copy + end))
        self.put(name, "struct", self.plain_members(lambda one: not one.is_class, 3), own=own,
                 is_class=True)

    def make_derived(self, name):
        bases = [one for one in self.aggregates
                 if one.can_be_base and self.suits(one, "beside")]
        if not bases:
            return self.make_struct(name)
        base = self.rng.choice(bases)
        members = [("", "\t%s\n" % (base.fill % {"v": "(*(%s *)v)" % base.name,
                                                 "m": "(*(%s *)m)" % base.name}),
                    '\t\t{ "%s", n_%s, 8 * OFFSET_OF_BASE(%%s, %s), 0 },\n'
                    % (base.name, base.name, base.name), base)]
        self.put(name, "struct", members + self.plain_members(lambda one: True, 2),
                 base=" : " + base.name)

    def put(self, name, kind, members, attribute="", own="", base="", is_class=False):
        if len(members) > 1:
            members = [m for m in members if not m[3] or self.suits(m[3], "beside")] or members[:1]
        parts = [m[3] for m in members if m[3]]
        is_class = is_class or any(part.is_class for part in parts)
        text = "typedef %s%s %s%s {\n%s%s} %s;\n" % (
            kind, attribute, name, base, "".join(m[0] for m in members), own, name)
        text += "static inline void fill_%s(%s *v, %s *m)\n{\n%s}\n" % (
            name, name, name, "".join(m[1] for m in members))
        fill = "fill_%s(&%%(v)s, &%%(m)s);" % name
        # A base may not be one twice, so bases have none.
        one = Type(name, text, None, fill, is_class=is_class, is_scalar=False,
                   vector=max([part.vector for part in parts], default=0),
                   can_be_base=kind == "struct" and not base and not is_class)
        described = [m[2] % name for m in members if m[2]]
        self.types.append(text)
        self.numbers.append(
            "\tstruct fc_member of_%s[] = {\n%s\t\t{ \"\", 0, 0, 0 }\n\t};\n"
            "\tuint32_t n_%s = struct_of(types, \"%s\", %d, sizeof(%s), ALIGN_OF(%s), "
            "BY_REFERENCE(%s), of_%s, %d);\n"
            % (name, "".join(described), name, name, kind == "union", name, name, name, name,
               len(described)))
        self.aggregates.append(one)

    # ---- functions ----

    def pick_params(self, i):
        nr = self.rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, 14, 20))
        if i == 7:
            nr = MANY
        picked = [self.any_type() for _ in range(nr)]
        return [one for at, one in enumerate(picked) if self.suits(one, "late" if at else "first")]

    def add_function(self, i):
        params = self.pick_params(i)
        result = None if self.rng.random() < 0.1 else self.any_type(0.4)
        is_method = self.is_cxx and self.rng.random() < 0.2
        is_variadic = bool(params) and self.rng.random() < 0.15 and all(
            self.suits(one, "...") for one in params)
        types = ", ".join([one.name for one in params] + ["..."] * is_variadic)
        types = types or "void"
        returns = result.name if result else "void"
        body = "{ return o_%d; }" % i if result else "{ }"
        out = ["static %s o_%d, om_%d;\n" % (returns, i, i)] if result else []
        if is_method:
            out.append('struct K%d { %s f(%s) __asm__("f_%d"); };\n'
                       'struct L%d { %s r(%s) __asm__("r_%d"); };\n%s L%d::r(%s) %s\n'
                       % (i, returns, types, i, i, returns, types, i, returns, i, types, body))
        else:
            named = ", ".join(["%s p%d" % (one.name, at) for at, one in enumerate(params)] +
                              ["..."] * is_variadic) or "void"
            out.append("C %s f_%d(%s);\nC %s r_%d(%s);\n%s r_%d(%s) %s\n" % (
                returns, i, types, returns, i, types, returns, i, named, body))
        out.append(self.call_of(i, params, result, is_method, is_variadic))
        self.code.append("".join(out))
        self.protos.append(self.proto_of(i, params, result, is_method, is_variadic))

    def call_of(self, i, params, result, is_method, is_variadic):
        lines, at = ["static void call_%d(void)\n{\n" % i], 0
        if is_method:
            lines.append("\tstatic K%d it, *self = &it, *all = (K%d *)-1;\n"
                         "\texpect(0, &self, &all, sizeof(self));\n" % (i, i))
            at = 1
        for j, one in enumerate(params):
            lines.append("\tstatic %s a%d, b%d;\n\t%s\n\texpect(%d, &a%d, &b%d, sizeof(a%d));\n" % (
                one.name, j, j, one.fill % {"v": "a%d" % j, "m": "b%d" % j}, at + j, j, j, j))
        if result:
            lines.append("\t%s\n\texpect(-1, &o_%d, &om_%d, sizeof(o_%d));\n" % (
                result.fill % {"v": "o_%d" % i, "m": "om_%d" % i}, i, i, i))
        passed = ["a%d" % j for j in range(len(params))]
        passed += ["1", "2.5", '"three"'] * is_variadic
        lines.append("\t%s(%s);\n}\n" % ("it.f" if is_method else "f_%d" % i, ", ".join(passed)))
        return "".join(lines)

    @staticmethod
    def proto_of(i, params, result, is_method, is_variadic):
        rows = ['{ "this", fc_types_pointer(types, 0) }'] * is_method
        rows += ['{ "p%d", n_%s }' % (j, one.name) for j, one in enumerate(params)]
        return "\t{ static const struct fc_param none = { \"\", 0 };\n" \
               "\tstruct fc_param p[] = { %s };\n\t(void)none;\n" \
               '\tfc_types_func(types, "f_%d", fc_types_proto(types, %s, p, %d, %d)); }\n' % (
                   ", ".join(rows) or "none", i, "n_" + result.name if result else "0", len(rows),
                   is_variadic)

    # ---- files ----

    def write(self, folder):
        suffix = ".cc" if self.is_cxx else ".c"
        self.write_file(folder, "types.h", ['#include "driver.h"\n'] + self.types)
        self.write_file(folder, "program" + suffix, [PROGRAM] + self.code + [
            "extern const unsigned nr_funcs = %d;\n" % self.nr_funcs if self.is_cxx
            else "const unsigned nr_funcs = %d;\n" % self.nr_funcs,
            "extern void (*const calls[])(void);\nvoid (*const calls[])(void) = { %s };\n"
            % ", ".join("call_%d" % i for i in range(self.nr_funcs))])
        self.write_file(folder, "describe" + suffix,
                        [DESCRIBE] + self.numbers + self.protos + ["}\n"])
        self.write_file(folder, "shims.h", ["SHIM(%d)\n" % i for i in range(self.nr_funcs)])

    @staticmethod
    def write_file(folder, name, texts):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write("".join(texts))


PROGRAM = '''#include "types.h"

#ifdef __cplusplus
#define C extern "C"
#else
#define C extern
#endif

'''

DESCRIBE = '''#include "types.h"

#ifdef __cplusplus
#include <type_traits>
#define BY_REFERENCE(T) \\
	!(std::is_trivially_copy_constructible<T>::value && std::is_trivially_destructible<T>::value)
#else
#define BY_REFERENCE(T) 0
#endif

#define OFFSET_OF_BASE(T, B) ((size_t)((char *)(B *)(T *)4096 - (char *)4096))

/* Where its bits lie: those that are set when all of them are. */
#define FIELD(T, NAME, NUMBER) ({ \\
	static T v; \\
	struct fc_member field = { #NAME, NUMBER, 0, 0 }; \\
	memset((void *)&v, 0, sizeof(v)); \\
	v.NAME = -1; \\
	bits_of(&v, sizeof(v), &field); \\
	field; })

#ifdef __cplusplus
#define ALIGN_OF(T) alignof(T)
#else
#define ALIGN_OF(T) _Alignof(T)
#endif

static uint32_t struct_of(struct fc_types *types, const char *name, int is_union, size_t size,
			  size_t align, int is_by_reference, const struct fc_member *members,
			  size_t nr)
{
	uint32_t id = fc_types_struct(types, name, is_union, (uint32_t)size, (uint32_t)align,
				      members, nr);
	if (is_by_reference)
		fc_types_tag(types, id, "by_reference");
	return id;
}

static uint32_t complex_of(struct fc_types *types, const char *name, uint32_t size, uint32_t part)
{
	struct fc_member members[] = { { "real", part, 0, 0 }, { "imag", part, size * 4, 0 } };
	uint32_t id = fc_types_struct(types, name, false, size, size / 2, members, 2);
	fc_types_tag(types, id, "complex");
	return id;
}

static uint32_t decimal_of(struct fc_types *types, uint32_t size)
{
	uint32_t id = fc_types_float(types, size == 4 ? "_Decimal32" : "_Decimal", size);
	fc_types_tag(types, id, "decimal");
	return id;
}

static uint32_t enum_of(struct fc_types *types)
{
	struct fc_enumerator values[] = { { "ONE", 0 }, { "TWO", 1 << 30 } };
	return fc_types_enum(types, "t_enum", 4, false, values, 2);
}

void describe(struct fc_types *types)
{
	(void)complex_of, (void)decimal_of, (void)enum_of;
'''
