/* SPDX-License-Identifier: Apache-2.0 */
/* reading.h - what the commands that read a trace have in common. */
#ifndef FC_CMD_VIEW_READING_H
#define FC_CMD_VIEW_READING_H

#include "calls/names.h"
#include "cmd/options/options.h"
#include "trace/reader.h"

#define FC_DEFAULT_TRACE "fctrace.data"

/*
 * Open the trace that argv names, or the default. False: it has been said why not, and
 * *status is what to exit with.
 */
bool fc_reading_open(int argc, char **argv, struct fc_reader **ret, int *status);
/*
 * Open the trace of --than, too; *ret is NULL if none was asked for. False: as above; then what was
 * opened before is the caller's to close.
 */
bool fc_reading_open_than(const struct fc_settings *settings, struct fc_reader **ret,
			  int *status);
/* Close it; says what was missing in it. Returns the exit status. */
int fc_reading_close(struct fc_reader *reader);

/* Who names the functions of this trace, as --demangle says; until it is closed. */
struct fc_namer fc_reading_namer(struct fc_reader *reader);

/* The types of its values, until it is closed. Prints once what of them is damaged. */
struct fc_values;
const struct fc_values *fc_reading_values(struct fc_reader *reader);

/* Is the thread of --tid in it, if one was asked for? False: said, *status is set. */
bool fc_reading_has_thread(const struct fc_settings *settings, struct fc_reader *reader,
			   int *status);

/* The time that -r and --around ask for; 0 and 0: all. False: said why not, *status is set. */
bool fc_reading_find_span(const struct fc_settings *settings, struct fc_reader *reader,
			  uint64_t *from_tsc, uint64_t *to_tsc, int *status);

/* Restrict opts to the part that -r, --around, --pid and --tid ask for. False: as above. */
struct fc_play_opts;
bool fc_reading_choose(const struct fc_settings *settings, struct fc_reader *reader,
		       struct fc_play_opts *opts, int *status);

/* Play the trace through the filter that was asked for. False: said, *status is set. */
bool fc_reading_play(const struct fc_settings *settings, struct fc_reader *reader,
		     const struct fc_play_opts *opts, struct fc_call_sink *sink, int *status);
/* Say what -Z left out in the last play, if anything. */
void fc_reading_say_failures(struct fc_reader *reader);

#endif
