/* SPDX-License-Identifier: Apache-2.0 */
/* Plans on disk: found again, and passed over when they are not what we wrote. */
#include "elf/test_elf.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "capture/module/cache.h"

#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"

static const struct fc_plan_opts all = { 0 }, exported = { .exported_only = true };

/* A cache in the folder that the test works in, and a file whose plan it can keep. */
struct fixture {
	char folder[PATH_MAX], file[2 * PATH_MAX];
	struct fc_cache *cache;
	struct fc_elf *elf;
	struct fc_plan *plan;
	struct fc_cache_key key;
};

static void set_up(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	assert_non_null(getcwd(f->folder, sizeof(f->folder) - 16));
	run("rm -rf fctrace");
	assert_int_equal(setenv("XDG_CACHE_HOME", f->folder, 1), 0);
	f->cache = fc_cache_open();
	assert_non_null(f->cache);
	assert_int_equal(fc_elf_open_headers(LIBC, LIBC, &f->elf), 0);
	fc_cache_key(f->cache, f->elf, &all, &f->key);
	fc_elf_read(f->elf);
	assert_int_equal(fc_plan_create(f->elf, &all, &f->plan), 0);
	assert_true(f->key.name[0]);
	snprintf(f->file, sizeof(f->file), "fctrace/%s", f->key.name);
}

static void tear_down(struct fixture *f)
{
	fc_plan_destroy(f->plan);
	fc_elf_close(f->elf);
	fc_cache_close(f->cache);
}

static bool is_kept(const struct fixture *f)
{
	struct fc_plan *plan = fc_cache_get(f->cache, &f->key, f->elf, &all);
	fc_plan_destroy(plan);
	return plan;
}

static void a_plan_is_found_again(void **state)
{
	struct fixture f;
	struct fc_cache_key other;
	struct stat st;
	set_up(&f);
	assert_false(is_kept(&f));
	fc_cache_put(f.cache, &f.key, f.plan);
	assert_true(is_kept(&f));
	fc_cache_key(f.cache, f.elf, &exported, &other);
	assert_null(fc_cache_get(f.cache, &other, f.elf, &exported));
	assert_int_equal(stat(f.file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(stat("fctrace", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	tear_down(&f);
}

static void another_time_of_change_is_another_file(void **state)
{
	struct fixture f;
	set_up(&f);
	fc_cache_put(f.cache, &f.key, f.plan);
	f.elf->mtime_ns++;
	fc_cache_key(f.cache, f.elf, &all, &f.key);
	assert_false(is_kept(&f));
	tear_down(&f);
}

static void a_file_without_a_build_id_is_not_kept(void **state)
{
	struct fixture f;
	set_up(&f);
	f.elf->build_id[0] = 0;
	fc_cache_key(f.cache, f.elf, &all, &f.key);
	fc_cache_put(f.cache, &f.key, f.plan);
	assert_false(is_kept(&f));
	assert_int_not_equal(system("ls fctrace | grep -q ."), 0);
	tear_down(&f);
}

static void a_damaged_file_is_passed_over_and_written_anew(void **state)
{
	static const char *const damages[] = {
		"truncate -s -1 %s",
		"truncate -s 0 %s",
		"truncate -s 100 %s",
		"truncate -s +1 %s",
		"printf x | dd of=%s bs=1 conv=notrunc status=none",
		"chmod 666 %s",
		"rm %s; mkdir %s",
		"rm %s; ln -s /etc/passwd %s",
		"rm %s; mkfifo -m 600 %s",
		"printf x | dd of=%s bs=1 seek=9999 conv=notrunc status=none",
	};
	struct fixture f;
	set_up(&f);
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		fc_cache_put(f.cache, &f.key, f.plan);
		assert_true(is_kept(&f));
		run(damages[i], f.file, f.file);
		if (is_kept(&f))
			fail_msg("%s: it is taken", damages[i]);
		run("rmdir %s 2>/dev/null || true", f.file);
	}
	fc_cache_put(f.cache, &f.key, f.plan);
	assert_true(is_kept(&f));
	tear_down(&f);
}

static void a_folder_that_others_can_write_to_is_no_cache(void **state)
{
	struct fixture f;
	set_up(&f);
	tear_down(&f);
	run("chmod 777 fctrace");
	assert_null(fc_cache_open());
	run("rm -r fctrace; mkdir other; chmod 700 other; ln -s other fctrace");
	assert_null(fc_cache_open());
	run("rm -r fctrace other");
}

static void without_a_home_there_is_no_cache(void **state)
{
	char *home = strdup(getenv("HOME") ? getenv("HOME") : "/");
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	assert_null(fc_cache_open());
	setenv("HOME", "relative", 1);
	assert_null(fc_cache_open());
	setenv("HOME", "/proc/self", 1); /* nothing can be made there */
	assert_null(fc_cache_open());
	setenv("HOME", home, 1);
	free(home);
	setenv("XDG_CACHE_HOME", "/nonexistent/cache", 1);
	assert_null(fc_cache_open());
	assert_null(fc_cache_get(NULL, &(struct fc_cache_key){ "x", "x" }, NULL, NULL));
	fc_cache_put(NULL, &(struct fc_cache_key){ "x", "x" }, NULL);
	fc_cache_close(NULL);
}

static void a_cache_folder_is_made(void **state)
{
	char folder[PATH_MAX], wanted[2 * PATH_MAX];
	struct stat st;
	assert_non_null(getcwd(folder, sizeof(folder)));
	run("rm -rf made");
	snprintf(wanted, sizeof(wanted), "%s/made//", folder);
	setenv("XDG_CACHE_HOME", wanted, 1);
	struct fc_cache *cache = fc_cache_open();
	assert_non_null(cache);
	fc_cache_close(cache);
	assert_int_equal(stat("made/fctrace", &st), 0);
	assert_int_equal(stat("made", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);

	/* Not below what others can write to, nor by more than one folder. */
	run("rm -rf made && mkdir made && chmod 777 made");
	snprintf(wanted, sizeof(wanted), "%s/made/cache", folder);
	setenv("XDG_CACHE_HOME", wanted, 1);
	assert_null(fc_cache_open());
	run("chmod 755 made");
	snprintf(wanted, sizeof(wanted), "%s/made/no/cache", folder);
	setenv("XDG_CACHE_HOME", wanted, 1);
	assert_null(fc_cache_open());
}

static void a_home_of_another_is_left_alone(void **state)
{
	struct fixture f;
	if (geteuid())
		skip();
	set_up(&f);
	tear_down(&f);
	run("rm -r fctrace; mkdir home; chown 12345 home");
	unsetenv("XDG_CACHE_HOME");
	strcat(f.folder, "/home");
	setenv("HOME", f.folder, 1);
	assert_null(fc_cache_open());
	run("test -z \"$(ls -A home)\" && rmdir home");
}

static void what_was_not_used_for_longest_goes_first(void **state)
{
	struct fixture f;
	set_up(&f);
	run("cd fctrace; truncate -s 100M a.plan b.plan c.plan.77 d.plan; truncate -s 1G mine;"
	    "touch -d '2 days ago' a.plan; touch -d '4 days ago' b.plan;"
	    "touch -d '3 days ago' c.plan.77; touch -d '1 day ago' d.plan");
	fc_cache_put(f.cache, &f.key, f.plan);
	assert_true(is_kept(&f));
	run("cd fctrace; test -e a.plan && test ! -e b.plan && test ! -e c.plan.77 &&"
	    "test -e d.plan && test -e mine");
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_is_found_again),
		cmocka_unit_test(another_time_of_change_is_another_file),
		cmocka_unit_test(a_file_without_a_build_id_is_not_kept),
		cmocka_unit_test(a_damaged_file_is_passed_over_and_written_anew),
		cmocka_unit_test(a_folder_that_others_can_write_to_is_no_cache),
		cmocka_unit_test(without_a_home_there_is_no_cache),
		cmocka_unit_test(a_cache_folder_is_made),
		cmocka_unit_test(a_home_of_another_is_left_alone),
		cmocka_unit_test(what_was_not_used_for_longest_goes_first),
	};
	return cmocka_run_group_tests(tests, enter_work_dir, leave_work_dir);
}
