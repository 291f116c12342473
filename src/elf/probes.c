/* SPDX-License-Identifier: Apache-2.0 */
/* probes.c - reads the notes of static probes. Whoever made them may lie. */
#include "elf/probes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "elf/cursor.h"
#include "elf/image.h"

enum { MOST = 1 << 16, SEMAPHORE_SIZE = 2 };

/* A text of printable characters in the note, behind which the cursor then is; NULL: there is none. */
static const char *take_text(struct fc_cursor *c, bool may_have_blanks)
{
	const char *text = (const char *)c->at;
	size_t left = fc_cursor_left(c), size = strnlen(text, left);
	if (size == left)
		return NULL;
	for (size_t i = 0; i < size; i++)
		if (!isgraph((unsigned char)text[i]) && !(may_have_blanks && text[i] == ' '))
			return NULL;
	fc_cursor_skip(c, size + 1);
	return text;
}

/* <sys/sdt.h> puts semaphores into a section of their own: what else is there is no program's data. */
static bool is_sound_semaphore(const struct fc_image *image, uint64_t vaddr)
{
	const struct fc_section *section = fc_image_section(image, ".probes");
	return section && section->flags & SHF_WRITE && section->size >= SEMAPHORE_SIZE &&
	       vaddr >= section->vaddr &&
	       vaddr - section->vaddr <= section->size - SEMAPHORE_SIZE &&
	       !(vaddr % SEMAPHORE_SIZE);
}

/* moved: what was done to addresses behind the linker's back (prelink). False: it says nothing of use. */
static bool read_probe(struct fc_cursor c, const struct fc_image *image, uint64_t base,
		       struct fc_probe *ret)
{
	uint64_t vaddr = fc_cursor_uint(&c, 8), then = fc_cursor_uint(&c, 8);
	uint64_t semaphore = fc_cursor_uint(&c, 8), moved = base ? base - then : 0;
	const char *provider = take_text(&c, false);
	const char *name = provider ? take_text(&c, false) : NULL;
	const char *args = name ? take_text(&c, true) : NULL;
	if (c.is_bad || !args || !*provider || !*name)
		return false;
	*ret = (struct fc_probe){
		.name = fc_asprintf("%s:%s", provider, name),
		.args = args,
		.vaddr = vaddr + moved,
		.semaphore = semaphore ? semaphore + moved : 0,
	};
	ret->is_sound = !ret->semaphore || is_sound_semaphore(image, ret->semaphore);
	return true;
}

/* Call fn with each note of a section that is of this owner and type. */
static void each_note(struct fc_probes *probes, const struct fc_image *image,
		      const struct fc_section *section, const char *owner, uint32_t type,
		      void (*fn)(struct fc_probes *probes, const struct fc_image *image,
				 struct fc_cursor note, uint64_t base))
{
	enum { ALIGN = 4 };
	const struct fc_section *base = fc_image_section(image, ".stapsdt.base");
	const uint8_t *at = section ? fc_image_content(image, section) : NULL;
	if (!at)
		return;
	struct fc_cursor c = fc_cursor(at, section->size);
	size_t owner_size = strlen(owner) + 1;
	while (fc_cursor_left(&c)) {
		uint64_t name_size = fc_cursor_uint(&c, 4), size = fc_cursor_uint(&c, 4);
		uint64_t its_type = fc_cursor_uint(&c, 4);
		const uint8_t *name = c.at;
		fc_cursor_skip(&c, (name_size + ALIGN - 1) / ALIGN * ALIGN);
		const uint8_t *note = c.at;
		fc_cursor_skip(&c, (size + ALIGN - 1) / ALIGN * ALIGN);
		if (c.is_bad) {
			probes->nr_damaged++;
			return;
		}
		if (its_type == type && name_size == owner_size &&
		    !memcmp(name, owner, owner_size))
			fn(probes, image, fc_cursor(note, size), base ? base->vaddr : 0);
	}
}

static void add_probe(struct fc_probes *probes, const struct fc_image *image,
		      struct fc_cursor note, uint64_t base)
{
	struct fc_probe probe;
	if (probes->list.nr < MOST && read_probe(note, image, base, &probe))
		fc_vec_push(&probes->list, probe);
	else
		probes->nr_damaged++;
}

/* Of a probe that is there: a letter for each argument. */
static void add_kinds(struct fc_probes *probes, const struct fc_image *image,
		      struct fc_cursor note, uint64_t base)
{
	uint64_t vaddr = fc_cursor_uint(&note, 8), then = fc_cursor_uint(&note, 8);
	uint64_t at = vaddr + (base ? base - then : 0);
	size_t i = fc_bisect(probes->list.at, probes->list.nr, probe, probe->vaddr < at);
	const char *kinds = take_text(&note, false);
	for (; kinds && i < probes->list.nr && probes->list.at[i].vaddr == at; i++)
		probes->list.at[i].kinds = kinds;
}

static int order(const void *a, const void *b)
{
	const struct fc_probe *l = a, *r = b;
	return l->vaddr != r->vaddr ? (l->vaddr > r->vaddr ? 1 : -1) : strcmp(l->name, r->name);
}

static void drop_doubles(struct fc_probes *probes)
{
	size_t nr = 0;
	fc_vec_each (&probes->list, probe) {
		if (nr && !order(&probes->list.at[nr - 1], probe))
			free(probe->name);
		else
			probes->list.at[nr++] = *probe;
	}
	probes->list.nr = nr;
}

void fc_probes_read(struct fc_probes *probes, const struct fc_image *image)
{
	enum { NT_STAPSDT = 3, NT_KINDS = 1 };
	each_note(probes, image, fc_image_section(image, ".note.stapsdt"), "stapsdt",
		  NT_STAPSDT, add_probe);
	if (probes->list.nr)
		qsort(probes->list.at, probes->list.nr, sizeof(*probes->list.at), order);
	drop_doubles(probes);
	each_note(probes, image, fc_image_section(image, ".note.fctrace"), "fctrace", NT_KINDS,
		  add_kinds);
}

bool fc_probe_is_mark(const char *name)
{
	static const char own[] = "fctrace";
	return !strncmp(name, own, sizeof(own) - 1) &&
	       (name[sizeof(own) - 1] == ':' || name[sizeof(own) - 1] == '_');
}

void fc_probes_deinit(struct fc_probes *probes)
{
	fc_vec_each (&probes->list, probe)
		free(probe->name);
	fc_vec_free(&probes->list);
}
