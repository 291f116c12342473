/* SPDX-License-Identifier: Apache-2.0 */
/* blackbox.c - records into rings, and writes a trace from them for each dump. */
#include "cmd/run/blackbox.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/vec.h"
#include "calls/sieve.h"
#include "cmd/out/say.h"

enum {
	MAX_DUMPS = 100,   /* a function that is called all the time must not fill the disk */
	MANY_LIVES = 8192, /* kept; then those of what has ended are dropped */
};

/* Modules, maps and lives, in order: a dump begins with them. */
struct kept {
	FC_VEC(struct fc_module_info) modules; /* never dropped */
	FC_VEC(struct fc_map_info) maps;
	FC_VEC(struct fc_life_info) lives;
	int wait_status; /* of the first process; -1: it lives */
};

struct fc_blackbox {
	struct fc_tap tap;
	const struct fc_settings *settings;
	const struct fc_session *session;
	const char *path;
	unsigned int nr_dumps;
	bool has_failed;

	/* Of all below: a dump is written by a thread of its own, while the tap hears on. */
	pthread_mutex_t lock;
	struct kept kept;
	size_t prune_at;
	bool is_telling; /* the lives' texts are in use */
};

static struct fc_blackbox *box_of(struct fc_tap *tap)
{
	return (struct fc_blackbox *)tap;
}

static void kept_free(struct kept *kept)
{
	fc_vec_free(&kept->modules);
	fc_vec_free(&kept->maps);
	fc_vec_free(&kept->lives);
}

/* ---- modules ---- */

static int box_module(struct fc_tap *tap, const struct fc_module_info *info)
{
	struct fc_blackbox *box = box_of(tap);
	pthread_mutex_lock(&box->lock);
	fc_vec_push(&box->kept.modules, *info);
	pthread_mutex_unlock(&box->lock);
	return 0;
}

/* ---- lives and maps ---- */

static int compare_ids(const void *a, const void *b)
{
	const int *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static bool is_end(const struct fc_life_info *life)
{
	return life->life == FC_LIFE_EXIT || life->life == FC_LIFE_THREAD_EXIT;
}

/* Is the life, or the map, of what has ended long ago? Processes and threads share their ids. */
static bool has_ended(const int *ended, size_t nr, int pid, int tid)
{
	return bsearch(&pid, ended, nr, sizeof(pid), compare_ids) ||
	       bsearch(&tid, ended, nr, sizeof(tid), compare_ids);
}

static void drop_lives(struct kept *kept, const int *ended, size_t nr_ended, size_t nr_old)
{
	size_t nr = 0;
	for (size_t i = 0; i < kept->lives.nr; i++) {
		struct fc_life_info *life = &kept->lives.at[i];
		bool is_old = i < nr_old && life->life != FC_LIFE_SAY;
		if (is_old && has_ended(ended, nr_ended, life->pid, life->tid))
			free((char *)life->text);
		else
			kept->lives.at[nr++] = *life;
	}
	kept->lives.nr = nr;
}

static void drop_maps(struct kept *kept, const int *ended, size_t nr_ended, uint64_t before_tsc)
{
	size_t nr = 0;
	fc_vec_each (&kept->maps, map)
		if (map->tsc >= before_tsc || !has_ended(ended, nr_ended, map->pid, map->pid))
			kept->maps.at[nr++] = *map;
	kept->maps.nr = nr;
}

/* Of the older half: what is over. Its records have been overwritten since, or soon are. */
static void prune(struct fc_blackbox *box)
{
	FC_VEC(int) ended = { 0 };
	struct kept *kept = &box->kept;
	size_t nr_old = kept->lives.nr / 2;
	int first = kept->lives.at[0].pid;
	for (size_t i = 0; i < nr_old; i++)
		if (is_end(&kept->lives.at[i]) && kept->lives.at[i].tid != first)
			fc_vec_push(&ended, kept->lives.at[i].tid);
	if (ended.nr) {
		qsort(ended.at, ended.nr, sizeof(*ended.at), compare_ids);
		drop_maps(kept, ended.at, ended.nr, kept->lives.at[nr_old].tsc);
		drop_lives(kept, ended.at, ended.nr, nr_old);
	}
	fc_vec_free(&ended);
	box->prune_at = kept->lives.nr + MANY_LIVES;
}

static int box_map(struct fc_tap *tap, const struct fc_map_info *info)
{
	struct fc_blackbox *box = box_of(tap);
	pthread_mutex_lock(&box->lock);
	fc_vec_push(&box->kept.maps, *info);
	pthread_mutex_unlock(&box->lock);
	return 0;
}

static int box_life(struct fc_tap *tap, const struct fc_life_info *info)
{
	struct fc_blackbox *box = box_of(tap);
	struct fc_life_info life = *info;
	life.text = fc_strdup(info->text ? info->text : "");
	pthread_mutex_lock(&box->lock);
	fc_vec_push(&box->kept.lives, life);
	if (life.life == FC_LIFE_EXIT && life.pid == box->kept.lives.at[0].pid)
		box->kept.wait_status = life.status;
	if (box->kept.lives.nr >= box->prune_at && !box->is_telling)
		prune(box);
	pthread_mutex_unlock(&box->lock);
	return 0;
}

/* ---- records: none come but by a dump ---- */

static int box_records(struct fc_tap *tap, const struct fc_strand_info *strand,
		       const uint64_t *words, size_t nr_words, uint64_t now_tsc)
{
	return 0;
}

static int box_strand_end(struct fc_tap *tap, const struct fc_strand_info *strand, uint64_t tsc)
{
	return 0;
}

static int box_tick(struct fc_tap *tap, uint64_t now_tsc)
{
	return 0;
}

/* ---- a dump ---- */

/* Why it was written, as the trace says it of itself. */
static void tell_why(struct fc_tap *to, const char *why)
{
	fc_auto_free char *text = fc_asprintf("the newest records, written at this: %s", why);
	to->life(to, &(struct fc_life_info){
			     .life = FC_LIFE_SAY, .tsc = fc_clock_tsc(), .text = text });
}

/* Not under the lock: the disk may be slow, and the tap is told of more meanwhile. */
static int tell_kept(struct fc_blackbox *box, struct fc_tap *to)
{
	struct kept copy = { 0 };
	pthread_mutex_lock(&box->lock);
	fc_vec_each (&box->kept.modules, module)
		fc_vec_push(&copy.modules, *module);
	fc_vec_each (&box->kept.maps, map)
		fc_vec_push(&copy.maps, *map);
	fc_vec_each (&box->kept.lives, life)
		fc_vec_push(&copy.lives, *life);
	copy.wait_status = box->kept.wait_status;
	box->is_telling = true;
	pthread_mutex_unlock(&box->lock);
	fc_vec_each (&copy.modules, module)
		to->module(to, module);
	fc_vec_each (&copy.maps, map)
		to->map(to, map);
	fc_vec_each (&copy.lives, life)
		to->life(to, life);
	pthread_mutex_lock(&box->lock);
	box->is_telling = false;
	pthread_mutex_unlock(&box->lock);
	kept_free(&copy);
	return copy.wait_status;
}

struct dump {
	void (*pour)(void *ctx, struct fc_tap *to);
	void *ctx;
	const char *why;
};

static int fill(struct fc_blackbox *box, const struct dump *dump, struct fc_tap *to)
{
	int wait_status = tell_kept(box, to);
	tell_why(to, dump->why);
	dump->pour(dump->ctx, to);
	return wait_status;
}

static int fill_through_sieve(struct fc_blackbox *box, const struct dump *dump,
			      const struct fc_clock *clock, struct fc_tap *to)
{
	struct fc_filter_opts opts = fc_settings_filter(box->settings, clock, NULL);
	struct fc_sieve *sieve = fc_sieve_create(&opts, to);
	int wait_status = fill(box, dump, fc_sieve_tap(sieve));
	fc_sieve_finish(sieve, fc_clock_tsc());
	if (box->nr_dumps == 1)
		fc_settings_say_unmatched(box->settings, fc_sieve_filter(sieve));
	fc_sieve_destroy(sieve);
	return wait_status;
}

static int write_trace(struct fc_blackbox *box, const struct dump *dump, const char *path)
{
	struct fc_session session = *box->session;
	session.is_flight = true;
	struct fc_writer *writer;
	fc_clock_calibrate(&session.clock);
	int err = fc_writer_create(path, &session, &writer);
	if (err)
		return err;
	struct fc_tap *to = fc_writer_tap(writer);
	int wait_status = fc_settings_filter_anything(box->settings)
				  ? fill_through_sieve(box, dump, &session.clock, to)
				  : fill(box, dump, to);
	struct fc_writer_sums sums;
	fc_clock_calibrate(&session.clock);
	return fc_writer_close(writer, wait_status, &session.clock, &sums);
}

/* Beside a device, /dev/null say, there is no place for others: it takes them all. */
static char *path_of_next(struct fc_blackbox *box)
{
	struct stat st;
	bool is_device = !stat(box->path, &st) && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode));
	return ++box->nr_dumps == 1 || is_device
		       ? fc_strdup(box->path)
		       : fc_asprintf("%s.%u", box->path, box->nr_dumps);
}

static int box_dump(struct fc_tap *tap, const char *why, bool is_end,
		    void (*pour)(void *ctx, struct fc_tap *to), void *ctx)
{
	struct fc_blackbox *box = box_of(tap);
	struct dump dump = { .pour = pour, .ctx = ctx, .why = why };
	if (box->nr_dumps >= MAX_DUMPS - 1 && !is_end)
		return 1;
	fc_auto_free char *path = path_of_next(box);
	int err = write_trace(box, &dump, path);
	if (err) {
		fc_say("%s", fc_fail_text());
		box->has_failed = true;
	} else {
		fc_say("%s is written: %s", path, why);
	}
	if (is_end || box->nr_dumps < MAX_DUMPS - 1)
		return err;
	fc_say("these were %d dumps, the most there are: one more is written at the end%s",
	       MAX_DUMPS - 1,
	       box->settings->dump_on.nr_funcs ? "; --dump-on 'FUNCTION#N' asks for one call"
					       : "");
	return 1;
}

/* ---- its life ---- */

/* A dump comes late: what would be in its way is better known now. */
static int check_path(const char *path)
{
	fc_auto_free char *folder = fc_strdup(path);
	struct stat st;
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	const char *in = slash ? folder : ".";
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return fc_fail(EISDIR, "cannot create the trace file %s: %s", path,
			       strerror(EISDIR));
	bool is_special = !stat(path, &st) && !S_ISREG(st.st_mode);
	if (access(is_special ? path : in, is_special ? W_OK : W_OK | X_OK))
		return fc_fail(errno, "cannot create the trace file %s: %s", path,
			       strerror(errno));
	return 0;
}

int fc_blackbox_create(const struct fc_settings *settings, const struct fc_session *session,
		       const char *path, struct fc_blackbox **ret)
{
	int err = check_path(path);
	if (err)
		return err;
	struct fc_blackbox *box = fc_alloc(sizeof(*box));
	box->tap = (struct fc_tap){
		.module = box_module,
		.map = box_map,
		.life = box_life,
		.records = box_records,
		.strand_end = box_strand_end,
		.tick = box_tick,
		.dump = box_dump,
	};
	box->settings = settings;
	box->session = session;
	box->path = path;
	box->kept.wait_status = -1;
	box->prune_at = MANY_LIVES;
	pthread_mutex_init(&box->lock, NULL);
	*ret = box;
	return 0;
}

void fc_blackbox_destroy(struct fc_blackbox *box)
{
	if (!box)
		return;
	fc_vec_each (&box->kept.lives, life)
		free((char *)life->text);
	kept_free(&box->kept);
	pthread_mutex_destroy(&box->lock);
	free(box);
}

struct fc_tap *fc_blackbox_tap(struct fc_blackbox *box)
{
	return &box->tap;
}

bool fc_blackbox_has_failed(const struct fc_blackbox *box)
{
	return box->has_failed;
}
