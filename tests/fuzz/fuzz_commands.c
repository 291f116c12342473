/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_commands.c - every command that reads a trace, on traces that were changed behind their
 * checksums: no finding of a sanitizer, no hang.
 *
 * The input is a file as it is; what changes it keeps its lengths, checksums and index right
 * (parcel.h), so that it does not stop at these. It is fctrace's own main() that is run.
 */
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "trace/reader.h"

#include "parcel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
int fctrace_main(int argc, char **argv);

#define RECORDS_MAX 20000 /* a forged packet may tell 64 Ki records in a few bytes */

/* T: the trace; O: an earlier one, to compare with; D: a folder that is not there yet. */
static const char *const commands[] = {
	"report T",
	"report --json T",
	"report --by=thread T",
	"report --by=module --csv T",
	"report --hist=* T",
	"report --callers=* T",
	"report --callees=* T",
	"report --top-rate T",
	"report --locks T",
	"report --locks --json T",
	"report --locks --csv T",
	"report -s self -n 5 -t 1us T",
	"report -F *e* -D 2 T",
	"report -r 0~1ms -m *e* T",
	"report --callers=mian T",
	"graph T",
	"graph --json T",
	"graph --dot T",
	"graph --from=* T",
	"graph --to=* T",
	"replay T",
	"replay --flat T",
	"replay --last=20 T",
	"replay -D 3 --demangle=full T",
	"replay -r 0~1ms --no-merge T",
	"replay --around=1ms T",
	"replay -C *e* T",
	"replay -Z T",
	"info T",
	"info --json T",
	"query T SELECT*FROM/**/calls",
	"query --csv T SELECT*FROM/**/events",
	"query T SELECT*FROM/**/functions",
	"query T SELECT*FROM/**/callers",
	"query --json T SELECT*FROM/**/threads",
	"query T SELECT*FROM/**/processes",
	"query T SELECT*FROM/**/modules",
	"query T SELECT*FROM/**/maps",
	"query T SELECT/**/*FROM/**/calls/**/WHERE/**/begin_ns>1000/**/AND/**/func=2",
	"diff T T",
	"diff --all --json O T",
	"diff --flow O T",
	"diff --flow T O",
	"diff --flow --json O T",
	"diff --csv --all T O",
	"diff --all --json T O vs O T",
	"export -f callgrind T",
	"export -f chrome T",
	"export -f csv T",
	"export -f dot T",
	"export -f flamegraph T",
	"export -f folded T",
	"export -f folded --by-thread T",
	"export -f html T",
	"export -f jsonl T",
	"export -f perfetto T",
	"export -f speedscope T",
	"export -f ctf -o D T",
	"tui T",
};

enum { NR_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static char folder[64] = "/dev/shm/fctrace-fuzz-XXXXXX", trace[128], other[128], made[128];
static int trace_fd = -1, terminal = -1, terminal_side = -1;

/* ---- the terminal of tui ---- */

static const char end_keys[] = "\x1b\x1b\r\rqqq\rqq";
static bool is_shown;

/* What is shown is of no interest, but must be taken. Whoever asks for keys in vain is ended. */
static void *take_all(void *ctx)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	char bytes[4096];

	for (;;) {
		int nr = poll(&fd, 1, 500);
		if (nr > 0 && read(terminal, bytes, sizeof(bytes)) <= 0)
			return NULL;
		if (!nr && __atomic_load_n(&is_shown, __ATOMIC_RELAXED) &&
		    write(terminal, end_keys, sizeof(end_keys) - 1) < 0)
			return NULL;
	}
}

static void press_keys(void)
{
	/* Each view; down, open, into, find, zoom; what may be open is left before the end. */
	static const char keys[] = "jjj\r  lll/a\rnnN\x1b[B\x1b[B\r\x1b[6~\x1b[F\x1b[H"
				   "2jj\r\x1b[Bsss/e\rn3jj\rk\r4jj\r1zzZ+-:0\r"
				   "g0.001\rrppp   \x1b\x1b\x1b\x1b[6~\x1b[Fcuuoo\r\x1b\x1b";

	if (write(terminal, keys, sizeof(keys) - 1) < 0 ||
	    write(terminal, end_keys, sizeof(end_keys) - 1) < 0)
		abort();
}

static void open_terminal(void)
{
	struct winsize size = { .ws_row = 30, .ws_col = 100 };
	pthread_t thread;

	setenv("TERM", "xterm", true);
	if (openpty(&terminal, &terminal_side, NULL, NULL, &size) ||
	    pthread_create(&thread, NULL, take_all, NULL))
		abort();
}

/* ---- running ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void remove_folder(const char *path)
{
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *word_of(const char *word)
{
	return !strcmp(word, "T")   ? trace
	       : !strcmp(word, "O") ? other
	       : !strcmp(word, "D") ? made
				    : word;
}

static void run(const char *command)
{
	char *text = strdup(command), *words[16] = { "fctrace" }, *rest = text, *word;
	int argc = 1;

	while ((word = strsep(&rest, " ")))
		words[argc++] = strdup(word_of(word));
	int status = fctrace_main(argc, words);
	/* Shown; not usable; shown in parts; what was asked for is not there. */
	if (status != 0 && status != 1 && status != 3 && status != 4) {
		dprintf(STDERR_FILENO, "%s: status %d\n", command, status);
		abort();
	}
	for (int i = 1; i < argc; i++)
		free(words[i]);
	free(text);
}

static void run_in_terminal(const char *command)
{
	int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);

	press_keys();
	dup2(terminal_side, STDIN_FILENO);
	dup2(terminal_side, STDOUT_FILENO);
	__atomic_store_n(&is_shown, true, __ATOMIC_RELAXED);
	run(command);
	__atomic_store_n(&is_shown, false, __ATOMIC_RELAXED);
	tcflush(terminal_side, TCIFLUSH);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	close(in);
	close(out);
}

static unsigned nr_seen, nr_readable;

static bool is_small(const uint8_t *data, size_t size)
{
	struct fc_reader *reader = NULL;
	struct fc_totals totals;

	nr_seen++;
	if (fc_reader_open_memory(data, size, "fuzz", &reader))
		return true;
	nr_readable++;
	fc_reader_totals(reader, &totals);
	fc_reader_close(reader);
	return totals.records <= RECORDS_MAX;
}

static void put_file(int fd, const uint8_t *data, size_t size)
{
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
}

/* $FC_FUZZ_COMMAND: only those that begin so, to look into a finding. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *only = getenv("FC_FUZZ_COMMAND");

	if (!size || !is_small(data, size))
		return 0;
	put_file(trace_fd, data, size);
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (only && strncmp(commands[i], only, strlen(only)))
			continue;
		remove_folder(made);
		if (!strncmp(commands[i], "tui", 3))
			run_in_terminal(commands[i]);
		else
			run(commands[i]);
	}
	return 0;
}

/* ---- changing ---- */

/* Numbers at which something may turn over. */
static uint64_t odd_number(unsigned random)
{
	static const uint64_t odd[] = {
		0,	    1,	       2,	   127,	       128,	      1024,
		65535,	    65536,     INT32_MAX,  1u << 31,   UINT32_MAX,    1ull << 32,
		1ull << 40, INT64_MAX, 1ull << 63, UINT64_MAX, UINT64_MAX - 1
	};
	return odd[random % (sizeof(odd) / sizeof(odd[0]))];
}

/* One number of a piece becomes another. */
static void change_number(struct fc_bytes *piece, unsigned seed)
{
	struct fc_bytes changed = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < piece->nr; i++)
		nr += !(piece->at[i] & 0x80);
	size_t wanted = nr ? seed % nr : 0, begin = 0, end = piece->nr;
	for (size_t i = 0, seen = 0; i < piece->nr; i++) {
		if (piece->at[i] & 0x80)
			continue;
		if (seen == wanted) {
			end = i + 1;
			break;
		}
		if (++seen == wanted)
			begin = i + 1;
	}
	if (begin)
		fc_bytes_copy(&changed, piece->at, begin);
	fc_bytes_varint(&changed, odd_number(seed / 7));
	if (end < piece->nr)
		fc_bytes_copy(&changed, piece->at + end, piece->nr - end);
	fc_bytes_free(piece);
	*piece = changed;
}

static void change_bytes(struct fc_bytes *piece)
{
	enum { MORE = 256 };
	fc_bytes_reserve(piece, MORE);
	if (!piece->nr)
		piece->at[piece->nr++] = 0;
	piece->nr = LLVMFuzzerMutate(piece->at, piece->nr, piece->nr + MORE);
}

static void change_row(struct parcel *parcel, unsigned seed)
{
	size_t nr = parcel->parts.nr, from = seed % nr, to = seed / 11 % nr;
	struct part copy, *parts = parcel->parts.at;

	switch (seed / 3 % 5) {
	case 0: /* twice */
		part_copy(&parts[from], &copy);
		fc_vec_push(&parcel->parts, copy);
		break;
	case 1: /* gone */
		part_deinit(&parts[from]);
		memmove(&parts[from], &parts[from + 1], (nr - from - 1) * sizeof(*parts));
		parcel->parts.nr--;
		break;
	case 2: /* elsewhere */
		copy = parts[from];
		parts[from] = parts[to];
		parts[to] = copy;
		break;
	case 3: /* another's */
		parts[from].kind = (uint8_t)(seed / 13 % 14);
		break;
	default:
		parcel->has_trailer = !parcel->has_trailer;
	}
}

static void change(struct parcel *parcel, unsigned seed)
{
	struct part *part = &parcel->parts.at[seed % parcel->parts.nr];
	int nr_pieces = part->kind == FC_PACKET_EVENTS ? PIECES : 1;
	struct fc_bytes *piece = &part->piece[seed / 5 % (unsigned)nr_pieces];

	if (seed / 17 % 8 == 0)
		change_row(parcel, seed / 19);
	else if (seed / 17 % 2)
		change_number(piece, seed / 19);
	else
		change_bytes(piece);
}

static unsigned next_random(unsigned *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 1 ^ *state << 15;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct parcel parcel;
	struct fc_bytes file = { 0 };
	unsigned state = seed;

	if (!parcel_open(&parcel, data, size) || seed % 32 == 0) {
		parcel_deinit(&parcel);
		return LLVMFuzzerMutate(data, size, max_size);
	}
	for (unsigned i = next_random(&state) % 4 + 1; i && parcel.parts.nr; i--)
		change(&parcel, next_random(&state));
	parcel_close(&parcel, next_random(&state) % 8, &file);
	parcel_deinit(&parcel);
	size_t nr = file.nr < max_size ? file.nr : max_size;
	memcpy(data, file.at, nr);
	fc_bytes_free(&file);
	return nr;
}

/* ---- begin and end ---- */

/* $FC_FUZZ_TOLD: how many inputs could be read as a trace, and how many there were. */
static void leave(void)
{
	const char *told = getenv("FC_FUZZ_TOLD");
	FILE *f = told ? fopen(told, "w") : NULL;
	if (f) {
		fprintf(f, "%u %u\n", nr_readable, nr_seen);
		fclose(f);
	}
	remove_folder(folder);
}

static void put_other(const char *from)
{
	enum { MOST = 1 << 20 };
	static uint8_t bytes[MOST];
	int fd = from ? open(from, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t size = fd >= 0 ? read(fd, bytes, sizeof(bytes)) : 0;
	int to = open(other, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

	if (to < 0 || size < 0)
		abort();
	put_file(to, bytes, (size_t)size);
	close(to);
	if (fd >= 0)
		close(fd);
}

/* $FC_FUZZ_OTHER: the trace to compare with. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (!mkdtemp(folder))
		abort();
	atexit(leave);
	snprintf(trace, sizeof(trace), "%s/trace", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	snprintf(made, sizeof(made), "%s/made", folder);
	trace_fd = open(trace, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	put_other(getenv("FC_FUZZ_OTHER"));
	open_terminal();
	return trace_fd < 0;
}
