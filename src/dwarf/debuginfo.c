/* SPDX-License-Identifier: Apache-2.0 */
/* debuginfo.c - finds and maps a file's debug information, and asks the process in the jail. */
#include "dwarf/debuginfo.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/foreign.h"
#include "base/memory.h"
#include "dwarf/handle.h"

static const uint64_t mib = UINT64_C(1) << 20, gib = UINT64_C(1) << 30;

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

/* The image that has debug information: the file's own, or its debug file's. */
static int find_image(struct fc_debuginfo *info, const char *path, const struct fc_image **ret,
		      const char **ret_path)
{
	*ret = &info->image;
	*ret_path = path;
	if (fc_dwarf_is_in(*ret))
		return 0;
	*ret = &info->debug.image;
	if (fc_debugfile_open(&info->debug, FC_DEBUGFILE_LINES, &info->image, path)) {
		*ret_path = info->debug.path;
		return 0;
	}
	if (info->debug.unread)
		return fc_fail(EFBIG, "%s: %s", path, info->debug.unread);
	return fc_fail(ENODATA, "%s: no debug information was found", path);
}

static int read_file(struct fc_debuginfo *info, const char *path, const char *build_id)
{
	int err = open_file(path, &info->content);

	if (err)
		return err;
	if (fc_image_init(&info->image, info->content.at, info->content.size, path))
		return fc_fail(ESTALE,
			       "%s: not the file that was traced: it is no 64-bit ELF "
			       "file",
			       path);
	err = check_build_id(&info->image, path, build_id);
	if (!err)
		err = find_image(info, path, &info->told, &info->path);
	if (err)
		return err;
	if (fc_debugfile_open_alt(&info->alt, info->told, info->path))
		info->common = &info->alt.image;
	if (!fc_dwarf_size_add(&info->size, info->told) ||
	    (info->common && !fc_dwarf_size_add(&info->size, info->common)))
		return fc_fail(EFBIG,
			       "%s: its debug information was not read: it unpacks to too "
			       "much",
			       path);
	return 0;
}

int fc_debuginfo_open(struct fc_debuginfo *info, const char *path, const char *build_id,
		      enum fc_dwarf_wanted wanted)
{
	*info = (struct fc_debuginfo){ .size.wanted = wanted };
	return read_file(info, path, build_id);
}

void fc_debuginfo_close(struct fc_debuginfo *info)
{
	fc_inmate_end(&info->child);
	fc_splitfiles_close(&info->splits);
	free(info->why);
	fc_debugfile_close(&info->debug);
	fc_debugfile_close(&info->alt);
	fc_image_deinit(&info->image);
	fc_content_close(&info->content);
}

bool fc_debuginfo_open_splits(struct fc_debuginfo *info, const struct fc_findings *findings)
{
	struct fc_splitfiles *splits = &info->splits;
	size_t nr = fc_splitfiles_open(splits, info->told, info->path, findings, &info->size);

	if (splits->nr_missing > 1)
		info->why =
			fc_asprintf("not all of its debug information was read: %zu files of "
				    "it are missing, such as %s",
				    splits->nr_missing, splits->missing);
	else if (splits->nr_missing)
		info->why =
			fc_asprintf("not all of its debug information was read: %s is missing",
				    splits->missing);
	return nr;
}

/* ---- the child ---- */

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

int fc_debuginfo_start(struct fc_debuginfo *info, const char *path,
		       void (*work)(const void *ctx), const void *ctx)
{
	struct fc_jail jail = jail_for(&info->size);
	int err = fc_inmate_start(&info->child, &jail, work, ctx);

	if (err == -EBUSY)
		return fc_fail(EAGAIN,
			       "%s: its debug information was not read: that of %d other files "
			       "is",
			       path, FC_INMATES);
	return err ? fc_fail(-err, "%s: its debug information was not read: %s", path,
			     strerror(-err))
		   : 0;
}

static const char *const wrongs[FC_DWARF_NR_WRONG] = {
	[FC_DWARF_DAMAGED] = "some of its debug information is damaged, or of a kind that "
			     "fctrace does not know",
	[FC_DWARF_MANY] = "not all of its debug information was read: it has too many parts",
	[FC_DWARF_SHARED] = "not all of its debug information was read: it refers to the same "
			    "bytes too often",
	[FC_DWARF_SPLIT] = "not all of its debug information was read: the .dwo files that "
			   "are there are of another build",
};

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

ssize_t fc_debuginfo_ask(struct fc_debuginfo *info, const void *question, size_t size,
			 void *answer, size_t room)
{
	ssize_t got = info->child.pid > 0
			      ? fc_inmate_ask(&info->child, question, size, answer, room)
			      : 0;

	if (got > 0 || info->child.pid <= 0)
		return got;
	int status = fc_inmate_end(&info->child);
	info->wrong = got == -ETIMEDOUT ? "not all of its debug information was read: it takes "
					  "too long"
					: why_it_ended(status);
	return 0;
}

void fc_debuginfo_distrust(struct fc_debuginfo *info)
{
	fc_inmate_end(&info->child);
	info->wrong = "what elfutils made of its debug information is nonsense";
}

void fc_debuginfo_note(struct fc_debuginfo *info, enum fc_dwarf_wrong wrong)
{
	if (!info->wrong)
		info->wrong = wrong == FC_DWARF_SPLIT && info->why ? info->why : wrongs[wrong];
}

const char *fc_debuginfo_wrong(const struct fc_debuginfo *info)
{
	if (fc_content_is_torn(&info->content) || fc_content_is_torn(&info->debug.content))
		return "it became shorter while it was read";
	return info->wrong;
}
