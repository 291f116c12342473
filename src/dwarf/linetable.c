/* SPDX-License-Identifier: Apache-2.0 */
#include "dwarf/linetable.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "base/vec.h"
#include "dwarf/answer.h"
#include "dwarf/inmate.h"
#include "dwarf/libdw.h"
#include "dwarf/size.h"
#include "dwarf/texts.h"
#include "elf/content.h"
#include "elf/debugfile.h"
#include "elf/image.h"

static const uint64_t mib = UINT64_C(1) << 20, gib = UINT64_C(1) << 30;

struct place {
	uint64_t vaddr;
	uint32_t line; /* 0: not known; FC_DWARF_UNREAD: not asked for yet */
	uint32_t path; /* of paths */
};

/*
 * libdw reads in a child, which is in a jail (inmate.h): addresses go to it, an answer comes
 * back (answer.h). Files are found and opened here; it reads what is mapped.
 */
struct fc_linetable {
	struct fc_content content;
	struct fc_image image;
	struct fc_debugfile debug, alt;
	struct fc_dwarf_size size;
	struct fc_inmate child;
	FC_VEC(struct place) expected; /* by vaddr */
	struct fc_texts paths;
	const char *wrong;
};

static int open_file(const char *path, struct fc_content *ret)
{
	struct stat st;
	fc_auto_close int fd = fc_foreign_open(AT_FDCWD, path, &st);

	if (fd == -EISDIR || fd == -EINVAL)
		return fc_fail(ENOENT, "%s: not a file", path);
	if (fd < 0)
		return fc_fail(-fd, "%s: %s", path, fc_foreign_why(fd));
	int err = fc_content_map(fd, &st, ret);
	if (err == -EFBIG)
		return fc_fail(EFBIG, "%s: it has more than %d GiB", path, FC_CONTENT_FILE_GIB);
	return err ? fc_fail(-err, "%s: %s", path, strerror(-err)) : 0;
}

static int check_build_id(const struct fc_image *image, const char *path, const char *expected)
{
	char found[41];

	fc_image_build_id(image, found);
	if (!strcmp(found, expected))
		return 0;
	return fc_fail(ESTALE,
		       "%s: not the file that was traced: its build-id is %.16s, that of the "
		       "trace %.16s",
		       path, *found ? found : "missing", *expected ? expected : "missing");
}

static const char *const wrongs[FC_DWARF_NR_WRONG] = {
	[FC_DWARF_DAMAGED] = "some of its debug information is damaged, or of a kind that "
			     "fctrace does not know",
	[FC_DWARF_MANY] = "not all of its debug information was read: it has too many parts",
	[FC_DWARF_SHARED] = "not all of its debug information was read: it refers to the same "
			    "bytes too often",
};

/* ---- the child ---- */

struct work {
	const struct fc_image *image, *alt; /* alt: or NULL */
	const struct fc_dwarf_size *size;
};

static void answer_all(const void *ctx)
{
	const struct work *work = ctx;
	struct fc_dwarf_lines *lines = fc_dwarf_lines_open(work->image, work->alt, work->size);
	struct fc_dwarf_question question;
	struct fc_dwarf_answer answer;
	ssize_t size;

	while ((size = read(0, &question, sizeof(question))) > 0) {
		fc_dwarf_lines_find(lines, &question, (size_t)size / sizeof(uint64_t), &answer);
		if (write(0, &answer, fc_dwarf_answer_size(&answer)) < 0)
			return;
	}
}

static uint64_t at_most(uint64_t most, uint64_t nr)
{
	return nr < most ? nr : most;
}

static struct fc_jail jail_for(const struct fc_dwarf_size *size)
{
	return (struct fc_jail){
		.memory = at_most(4 * gib, gib + gib / 2 + size->unpacked +
						   at_most(4 * gib, size->all) / 2),
		.cpu_s = at_most(600, 20 + size->lines / mib + size->all / (16 * mib)),
	};
}

static int start_child(struct fc_linetable *table, const char *path, const struct work *work)
{
	struct fc_jail jail = jail_for(&table->size);
	int err = fc_inmate_start(&table->child, &jail, answer_all, work);

	if (err == -EBUSY)
		return fc_fail(EAGAIN,
			       "%s: its debug information was not read: that of %d other files "
			       "is",
			       path, FC_INMATES);
	return err ? fc_fail(-err, "%s: its debug information was not read: %s", path,
			     strerror(-err))
		   : 0;
}

static const char *why_it_ended(int status)
{
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (signal == SIGXCPU)
		return "not all of its debug information was read: it takes too long";
	if (signal == SIGBUS)
		return "it became shorter while it was read";
	if (WIFEXITED(status) && WEXITSTATUS(status) == FC_DWARF_NO_MEMORY)
		return wrongs[FC_DWARF_MANY];
	if (WIFEXITED(status) && WEXITSTATUS(status) == FC_INMATE_NO_JAIL)
		return "its debug information was not read: the kernel gives no process that "
		       "could do nothing else (seccomp)";
	return "not all of its debug information was read: elfutils failed at it";
}

/* False: it does not answer any more. */
static bool ask_child(struct fc_linetable *table, const struct fc_dwarf_question *question,
		      size_t nr, struct fc_dwarf_answer *ret)
{
	ssize_t size = fc_inmate_ask(&table->child, question, nr * sizeof(uint64_t), ret,
				     sizeof(*ret));

	if (size > 0 && fc_dwarf_answer_check(ret, (size_t)size, nr))
		return true;
	int status = fc_inmate_end(&table->child);
	if (size == -ETIMEDOUT)
		table->wrong = "not all of its debug information was read: it takes too long";
	else
		table->wrong =
			size > 0 ? "what elfutils made of its debug information is nonsense"
				 : why_it_ended(status);
	return false;
}

/* ---- open and close ---- */

/* The image that has debug information: the file's own, or its debug file's. */
static int find_image(struct fc_linetable *table, const char *path, const struct fc_image **ret,
		      const char **ret_path)
{
	*ret = &table->image;
	*ret_path = path;
	if (fc_dwarf_is_in(*ret))
		return 0;
	*ret = &table->debug.image;
	if (fc_debugfile_open(&table->debug, FC_DEBUGFILE_LINES, &table->image, path)) {
		*ret_path = table->debug.path;
		return 0;
	}
	if (table->debug.unread)
		return fc_fail(EFBIG, "%s: %s", path, table->debug.unread);
	return fc_fail(ENODATA, "%s: no debug information was found", path);
}

static int read_file(struct fc_linetable *table, const char *path, const char *build_id)
{
	const struct fc_image *image;
	const char *image_path;
	int err = open_file(path, &table->content);

	if (err)
		return err;
	if (fc_image_init(&table->image, table->content.at, table->content.size, path))
		return fc_fail(ESTALE,
			       "%s: not the file that was traced: it is no 64-bit ELF "
			       "file",
			       path);
	err = check_build_id(&table->image, path, build_id);
	if (!err)
		err = find_image(table, path, &image, &image_path);
	if (err)
		return err;
	bool has_alt = fc_debugfile_open_alt(&table->alt, image, image_path);
	if (!fc_dwarf_size_add(&table->size, image) ||
	    (has_alt && !fc_dwarf_size_add(&table->size, &table->alt.image)))
		return fc_fail(EFBIG,
			       "%s: its debug information was not read: it unpacks to too "
			       "much",
			       path);
	struct work work = { image, has_alt ? &table->alt.image : NULL, &table->size };
	return start_child(table, path, &work);
}

int fc_linetable_open(const char *path, const char *build_id, struct fc_linetable **ret)
{
	struct fc_linetable *table = fc_alloc(sizeof(*table));
	int err = read_file(table, path, build_id);

	if (err)
		fc_linetable_close(table);
	else
		*ret = table;
	return err;
}

void fc_linetable_close(struct fc_linetable *table)
{
	if (!table)
		return;
	fc_inmate_end(&table->child);
	fc_vec_free(&table->expected);
	fc_texts_deinit(&table->paths);
	fc_debugfile_close(&table->debug);
	fc_debugfile_close(&table->alt);
	fc_image_deinit(&table->image);
	fc_content_close(&table->content);
	free(table);
}

const char *fc_linetable_wrong(const struct fc_linetable *table)
{
	if (fc_content_is_torn(&table->content) || fc_content_is_torn(&table->debug.content))
		return "it became shorter while it was read";
	return table->wrong;
}

/* ---- find ---- */

static int by_vaddr(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	return (left->vaddr > right->vaddr) - (left->vaddr < right->vaddr);
}

void fc_linetable_expect(struct fc_linetable *table, const uint64_t *vaddrs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fc_vec_push(&table->expected, (struct place){ vaddrs[i], FC_DWARF_UNREAD, 0 });
	if (nr)
		qsort(table->expected.at, nr, sizeof(struct place), by_vaddr);
}

static void take_answer(struct fc_linetable *table, struct place *const *places, size_t nr,
			const struct fc_dwarf_answer *answer)
{
	if (!table->wrong)
		table->wrong = wrongs[answer->wrong];
	for (size_t i = 0; i < nr; i++) {
		struct fc_dwarf_line line = answer->lines[i];
		bool is_line = line.line && line.line != FC_DWARF_UNREAD;
		places[i]->line = line.line;
		places[i]->path =
			is_line ? fc_texts_add(&table->paths, answer->paths + line.path) : 0;
	}
}

/* The first place, and those near behind it of which nothing is known yet. */
static size_t choose(struct fc_linetable *table, struct place *first, struct place **ret)
{
	enum { NEAR = 4 * FC_DWARF_ASKED };
	size_t nr = 0, total = table->expected.nr;
	size_t at = fc_bisect(table->expected.at, total, place, place->vaddr <= first->vaddr);
	size_t end = total - at > NEAR ? at + NEAR : total;

	ret[nr++] = first;
	for (; at < end && nr < FC_DWARF_ASKED; at++)
		if (table->expected.at[at].line == FC_DWARF_UNREAD)
			ret[nr++] = &table->expected.at[at];
	return nr;
}

static void look_up(struct fc_linetable *table, struct place *place)
{
	struct place *places[FC_DWARF_ASKED];
	struct fc_dwarf_question question;
	struct fc_dwarf_answer answer;
	size_t nr = choose(table, place, places);

	for (size_t i = 0; i < nr; i++)
		question.vaddrs[i] = places[i]->vaddr;
	place->line = 0;
	if (table->child.pid > 0 && ask_child(table, &question, nr, &answer))
		take_answer(table, places, nr, &answer);
}

bool fc_linetable_find(struct fc_linetable *table, uint64_t vaddr, const char **file, int *line)
{
	size_t at =
		fc_bisect(table->expected.at, table->expected.nr, place, place->vaddr < vaddr);
	bool is_expected = at < table->expected.nr && table->expected.at[at].vaddr == vaddr;
	struct place other = { vaddr, FC_DWARF_UNREAD, 0 };
	struct place *place = is_expected ? &table->expected.at[at] : &other;

	*file = NULL;
	if (place->line == FC_DWARF_UNREAD)
		look_up(table, place);
	if (!place->line)
		return false;
	*file = fc_texts_get(&table->paths, place->path);
	*line = (int)place->line;
	return true;
}
