/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes each call of a generated program and compares what was passed and returned with what is read
 * where fc_value_places_find() says. One line a function that is wrong, and a last one with the sum.
 */
#include "driver.h"

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "values/places.h"

enum { ALL_PARAMS = 100, RAX = 0, XMM0 = 17, ST0 = 33, NR_WORDS = 1024 };

struct value {
	const uint8_t *bytes, *mask;
	size_t size;
};

/* As shim.S stores it. */
struct frame {
	uint64_t ints[16]; /* by DWARF's numbers */
	uint8_t vectors[8][64];
};

struct fxsave {
	uint8_t head[32], st[8][16], others[352];
};

extern struct frame frame;
extern struct fxsave x87;
extern unsigned which;
void on_entry(void);
void on_return(void);

static struct fc_types *tables[2]; /* as it was made, and as it is loaded again */
static struct value params[ALL_PARAMS], result;
static unsigned nr_params, nr_wrong, nr_values, nr_entries, nr_returns;
static uint64_t seed = 1;

uint64_t number(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

void fill(void *at, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)at)[i] = (uint8_t)(number() >> 20);
}

void expect(int i, const void *bytes, const void *mask, size_t size)
{
	struct value value = { bytes, mask, size };
	if (i < 0)
		result = value;
	else
		params[nr_params++] = value;
}

void bits_of(const void *bytes, size_t size, struct fc_member *ret)
{
	const uint8_t *at = bytes;
	uint64_t bit = 0;
	while (bit < size * 8 && !(at[bit / 8] >> bit % 8 & 1))
		bit++;
	for (ret->bit = bit; bit < size * 8 && at[bit / 8] >> bit % 8 & 1; bit++)
		ret->bits++;
}

static const uint8_t *place_of(const struct fc_piece *piece)
{
	switch (piece->kind) {
	case FC_PIECE_INT:
		return (const uint8_t *)&frame.ints[piece->reg];
	case FC_PIECE_VECTOR:
		return frame.vectors[piece->reg - XMM0];
	case FC_PIECE_EXTENDED:
		return x87.st[piece->reg - ST0];
	default:
		return (const uint8_t *)frame.ints[7] + piece->off;
	}
}

/* All its bytes that are somewhere; returns how many. */
static size_t gather(const struct fc_location *location, size_t size, uint8_t *ret)
{
	const uint8_t *address;
	size_t nr = 0;
	if (location->is_address) {
		if (location->nr != 1 || location->piece[0].size != sizeof(address))
			return 0;
		memcpy(&address, place_of(&location->piece[0]), sizeof(address));
		memcpy(ret, address, size);
		return size;
	}
	for (unsigned i = 0; i < location->nr; i++) {
		const struct fc_piece *piece = &location->piece[i];
		memcpy(ret + nr, place_of(piece), piece->size);
		nr += piece->size;
	}
	return nr;
}

static void show(const char *what, const uint8_t *bytes, size_t size)
{
	printf("#   %s", what);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

static void show_location(const struct fc_location *location)
{
	printf("#   place:   %s", location->is_address ? " address in" : "");
	for (unsigned i = 0; i < location->nr; i++)
		printf(" kind %u reg %u size %u off %d;", location->piece[i].kind,
		       location->piece[i].reg, location->piece[i].size, location->piece[i].off);
	printf("\n");
}

/* Where on the stack the first bytes are that count. */
static void show_elsewhere(const struct value *value)
{
	const uint8_t *sp = (const uint8_t *)frame.ints[7];
	for (size_t off = 0; off < NR_WORDS * 8 - value->size; off += 8)
		for (size_t i = 0, nr = 0; i < value->size; i++) {
			if ((sp[off + i] ^ value->bytes[i]) & value->mask[i])
				break;
			nr += value->mask[i] == 0xff;
			if (nr == 4) {
				printf("#   on the stack: off %zu\n", off);
				return;
			}
		}
}

static void check(const char *how, int i, const struct value *value,
		  const struct fc_location *location)
{
	uint8_t *bytes = alloca(value->size + 64 * FC_MAX_PIECES);
	size_t nr = gather(location, value->size, bytes);
	size_t at = 0;
	nr_values++;
	while (at < value->size &&
	       !((at < nr ? bytes[at] ^ value->bytes[at] : 0xff) & value->mask[at]))
		at++;
	if (at == value->size && nr <= value->size)
		return;
	nr_wrong++;
	printf("# f_%u, %s: value %d is wrong at byte %zu of %zu\n", which, how, i, at,
	       value->size);
	show("expected:", value->bytes, value->size);
	show("mask:    ", value->mask, value->size);
	show("found:   ", bytes, nr);
	show_location(location);
	show_elsewhere(value);
}

static struct fc_value_places places_of(const struct fc_types *types)
{
	char name[32];
	struct fc_value_places places;
	snprintf(name, sizeof(name), "f_%u", which);
	struct fc_signature signature = { .func = fc_types_find_func(types, name) };
	fc_value_places_find(&fc_arch_x86_64, types, &signature, &places);
	return places;
}

void on_entry(void)
{
	nr_entries++;
	for (unsigned t = 0; t < 2; t++) {
		struct fc_value_places places = places_of(tables[t]);
		for (unsigned i = 0; i < nr_params && i < FC_MAX_PARAMS; i++)
			check(t ? "loaded" : "made", (int)i, &params[i], &places.param[i]);
		if (places.nr != (nr_params < FC_MAX_PARAMS ? nr_params : FC_MAX_PARAMS)) {
			printf("# f_%u has %u parameters, not %u\n", which, nr_params,
			       places.nr);
			nr_wrong++;
		}
	}
}

void on_return(void)
{
	nr_returns++;
	for (unsigned t = 0; t < 2; t++) {
		struct fc_value_places places = places_of(tables[t]);
		if (result.bytes)
			check(t ? "loaded" : "made", -1, &result, &places.result);
		else if (places.result.nr) {
			printf("# f_%u returns nothing\n", which);
			nr_wrong++;
		}
	}
}

int main(int argc, char **argv)
{
	/* What is looked at on the stack is below this. */
	volatile uint64_t *room = alloca(NR_WORDS * sizeof(uint64_t));
	room[0] = 0;
	tables[0] = fc_types_create();
	describe(tables[0]);
	size_t size;
	const void *bytes = fc_types_bytes(tables[0], &size);
	if (fc_types_load(bytes, size, &tables[1])) {
		printf("# the table is not sound\n");
		return 1;
	}
	for (unsigned i = 0; i < nr_funcs; i++) {
		nr_params = 0;
		result = (struct value){ 0 };
		calls[i]();
	}
	printf("functions %u entries %u returns %u values %u wrong %u\n", nr_funcs, nr_entries,
	       nr_returns, nr_values, nr_wrong);
	return nr_wrong || nr_entries != nr_funcs || nr_returns != nr_funcs;
}
