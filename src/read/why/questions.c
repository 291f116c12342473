/* SPDX-License-Identifier: Apache-2.0 */
/*
 * questions.c - the questions, and the sentences that answer them.
 *
 * The time of a run is that of all its threads, but for what they wait for the end of others
 * (paths.joined_ns). A spot is a path that has a tenth of it for itself: in the function's own code,
 * in a wait, or in calls of which none has a tenth. So spots have no time in common.
 */
#include "read/why/questions.h"

/* clang-format off */

#define WHOLE                                                                                  \
	"whole(ns) AS (\n"                                                                     \
	"  SELECT max(sum(total_ns - joined_ns), 1) FROM paths WHERE parent = 0)"

#define SPOTS                                                                                  \
	WHOLE ",\n"                                                                            \
	      "heavy AS (\n"                                                                   \
	      "  SELECT p.*, total_ns - joined_ns AS busy_ns FROM paths p, whole\n"            \
	      "  WHERE parent = 0 AND total_ns - joined_ns >= 0.1 * ns\n"                      \
	      "  UNION ALL\n"                                                                  \
	      "  SELECT p.*, p.total_ns - p.joined_ns FROM heavy h, whole JOIN paths p\n"      \
	      "  ON p.parent = h.id WHERE h.waits_for IS NULL\n"                               \
	      "  AND p.total_ns - p.joined_ns >= 0.1 * ns),\n"                                 \
	      "spots AS (\n"                                                                   \
	      "  SELECT h.*, EXISTS (SELECT 1 FROM heavy c WHERE c.parent = h.id) AS "         \
	      "is_inner\n"                                                                     \
	      "  FROM heavy h WHERE name IS NOT NULL)"

/* Of a spot: who calls it, for whom, and where on the way to it calls become many. */
#define UP                                                                                     \
	"up AS (\n"                                                                            \
	"  SELECT s.id AS spot, p.id, p.parent, p.name, p.module, p.calls,\n"                  \
	"    s.name AS callee, s.calls AS callee_calls, 1 AS step\n"                           \
	"  FROM spots s JOIN paths p ON p.id = s.parent\n"                                     \
	"  UNION ALL\n"                                                                        \
	"  SELECT spot, p.id, p.parent, p.name, p.module, p.calls, u.name, u.calls, step + "   \
	"1\n"                                                                                  \
	"  FROM up u JOIN paths p ON p.id = u.parent),\n"                                      \
	"loops AS (\n"                                                                         \
	"  SELECT spot, name AS loop_caller, callee AS loop_callee, calls AS loop_times,\n"    \
	"    callee_calls * 1.0 / calls AS loop_calls, min(step) AS step FROM up\n"            \
	"  WHERE calls > 0 AND callee_calls >= 20 * calls GROUP BY spot)"

static const char overview[] =
	"WITH " WHOLE ",\n"
	"waits AS (\n"
	"  SELECT waits_for, sum(total_ns) AS ns FROM paths\n"
	"  WHERE waits_for NOT IN ('the end of a thread or process', 'its own end')\n"
	"  GROUP BY waits_for),\n"
	"parts AS (\n"
	"  SELECT group_concat(part, ', ') AS parts FROM (\n"
	"    SELECT printf('%.0f %% ', 100.0 * w.ns / whole.ns) || CASE waits_for\n"
	"      WHEN 'a timer' THEN 'sleeping'\n"
	"      WHEN 'input or output' THEN 'in input and output'\n"
	"      WHEN 'the kernel' THEN 'in other calls of the kernel'\n"
	"      ELSE 'waiting for ' || waits_for END AS part\n"
	"    FROM waits w, whole WHERE w.ns >= 0.02 * whole.ns ORDER BY w.ns DESC)),\n"
	"run AS (\n"
	"  SELECT max(end_ns) - min(begin_ns) AS run_ns, count(*) AS threads,\n"
	"    count(DISTINCT pid) AS processes, sum(waited_ns) AS waited_ns\n"
	"  FROM threads WHERE calls > 0)\n"
	"SELECT 1e300 AS weight, whole.ns AS whole_ns, run_ns, threads, processes, parts,\n"
	"  CASE WHEN waited_ns >= 0.05 * ns THEN waited_ns END AS waited_ns,\n"
	"  CASE WHEN processes > 1 THEN 'processes' WHEN threads > 1 THEN 'threads'\n"
	"    ELSE 'one' END AS shape,\n"
	"  coalesce((SELECT m.name FROM processes p JOIN modules m ON m.path = p.program\n"
	"    ORDER BY p.begin_ns LIMIT 1), 'the program') AS program,\n"
	"  max(0.0, 1 - coalesce((SELECT sum(ns) FROM waits), 0) * 1.0 / whole.ns)\n"
	"    AS computing_share\n"
	"FROM run, whole, parts WHERE run_ns > 0";

static const char hot[] =
	"WITH RECURSIVE " SPOTS ",\n" UP "\n"
	"SELECT time_ns AS weight, whole.ns AS whole_ns, time_ns, time_ns * 1.0 / whole.ns AS share,\n"
	"  CASE WHEN t.waits_for IS NOT NULL THEN t.waits_for\n"
	"    WHEN is_spread THEN 'spread'\n"
	"    WHEN t.recursive * 2 > t.calls THEN 'recursive'\n"
	"    WHEN t.calls = 1 THEN 'once' ELSE 'many' END AS shape,\n"
	"  t.func, t.name, t.module, t.calls, t.recursive, t.calls - t.recursive AS outer_calls,\n"
	"  CASE WHEN t.calls > 1 THEN time_ns / t.calls END AS each_ns,\n"
	"  p.name AS caller,\n"
	"  (SELECT u.name FROM up u WHERE u.spot = t.id AND u.module <> p.module\n"
	"     AND u.step > 1 AND p.module GLOB 'lib*' ORDER BY u.step LIMIT 1) AS user,\n"
	"  l.loop_caller, l.loop_callee, l.loop_calls,\n"
	"  nullif(l.loop_times, 1) AS loops,\n"
	"  CASE l.loop_times WHEN 1 THEN l.loop_caller END AS loop_single\n"
	"FROM (SELECT s.*, CASE WHEN is_inner THEN self_ns ELSE busy_ns END AS time_ns,\n"
	"    NOT is_inner AND self_ns * 2 < busy_ns AS is_spread FROM spots s) t, whole\n"
	"LEFT JOIN paths p ON p.id = t.parent\n"
	"LEFT JOIN loops l ON l.spot = t.id\n"
	"WHERE time_ns >= 0.15 * whole.ns OR time_ns = (\n"
	"  SELECT max(CASE WHEN is_inner THEN self_ns ELSE busy_ns END) FROM spots)";

/* The deepest function in and below which half of the time went, if it is spread in there. */
static const char path[] =
	"WITH RECURSIVE " SPOTS ",\n"
	"most AS (\n"
	"  SELECT h.* FROM heavy h, whole WHERE busy_ns >= 0.5 * ns AND waits_for IS NULL\n"
	"  ORDER BY depth DESC LIMIT 1),\n"
	"line AS (\n"
	"  SELECT id, parent, name, 0 AS step FROM most\n"
	"  UNION ALL\n"
	"  SELECT p.id, p.parent, p.name, step + 1 FROM line l JOIN paths p ON p.id = l.parent),\n"
	"inside AS (\n"
	"  SELECT group_concat(part, ', ') AS parts FROM (\n"
	"    SELECT p.name || '() ' || CAST(round(100.0 * (p.total_ns - p.joined_ns) / ns) AS INTEGER)\n"
	"      || ' %' AS part FROM paths p, most m, whole WHERE p.parent = m.id\n"
	"    AND p.total_ns - p.joined_ns >= 0.05 * ns ORDER BY p.total_ns - p.joined_ns DESC LIMIT 5))\n"
	"SELECT busy_ns * 0.99 AS weight, whole.ns AS whole_ns, busy_ns AS time_ns,\n"
	"  busy_ns * 1.0 / whole.ns AS share, m.func, m.name, m.calls, self_ns * 1.0 / ns AS self_share,\n"
	"  (SELECT group_concat(name, ' > ') FROM (SELECT name FROM line WHERE step <= 4\n"
	"    ORDER BY step DESC)) AS line, parts\n"
	"FROM most m, whole, inside\n"
	"WHERE parts IS NOT NULL AND NOT EXISTS (SELECT 1 FROM spots\n"
	"  WHERE CASE WHEN is_inner THEN self_ns ELSE busy_ns END >= 0.4 * ns)";

/* What runs once, and is over before the first of the calls that repeat. */
static const char start[] =
	"WITH " WHOLE ",\n"
	"once AS (\n"
	"  SELECT p.id, p.parent, p.func, p.name, p.total_ns - p.joined_ns AS time_ns, f.first_ns,\n"
	"    f.first_ns + f.max_ns AS end_ns\n"
	"  FROM paths p, whole JOIN functions f ON f.id = p.func\n"
	"  WHERE p.calls = 1 AND f.calls = 1 AND p.waits_for IS NULL AND p.name <> 'main' AND p.module NOT GLOB 'libc.so*'\n"
	"  AND p.total_ns - p.joined_ns >= 0.25 * whole.ns),\n"
	"work AS (\n"
	"  SELECT id, name, calls, first_ns, total_ns FROM functions\n"
	"  WHERE calls >= 20 AND module NOT GLOB '[[]*' AND module NOT GLOB 'libc.so*')\n"
	"SELECT o.time_ns * 1.01 AS weight, whole.ns AS whole_ns, o.time_ns,\n"
	"  o.time_ns * 1.0 / whole.ns AS share, o.func, o.name, p.name AS caller,\n"
	"  w.name AS work, w.calls AS work_calls, w.total_ns AS work_ns,\n"
	"  max(w.total_ns) AS most\n"
	"FROM once o, whole JOIN work w ON w.first_ns >= o.end_ns AND w.total_ns >= 0.05 * whole.ns\n"
	"LEFT JOIN paths p ON p.id = o.parent\n"
	"WHERE NOT EXISTS (SELECT 1 FROM once x WHERE x.id = o.parent)\n"
	"GROUP BY o.id";

/*
 * Calls that take longer and longer: the medians of some thousand calls at the begin, in the middle and
 * near the end. A median of short calls is the same on a busy machine.
 */
static const char growth[] =
	"WITH " WHOLE ",\n"
	"busy AS (\n"
	"  SELECT f.id, f.name, f.calls, f.total_ns, f.first_ns,\n"
	"    (f.last_ns - f.first_ns) AS time, (f.last_ns - f.first_ns) / max(20, f.calls / 5000) AS part\n"
	"  FROM functions f, whole\n"
	"  WHERE f.p50_ns > 0 AND f.calls >= 500 AND f.total_ns >= 0.2 * whole.ns\n"
	"  AND f.last_ns > f.first_ns AND f.id NOT IN (SELECT func FROM paths WHERE recursive > 0)\n"
	"  ORDER BY f.self_ns DESC LIMIT 2),\n"
	"ages AS (\n"
	"  SELECT 1 AS age, b.id, c.duration_ns FROM busy b CROSS JOIN calls c ON c.func = b.id\n"
	"    AND c.begin_ns >= first_ns AND c.begin_ns < first_ns + part\n"
	"  UNION ALL\n"
	"  SELECT 2, b.id, c.duration_ns FROM busy b CROSS JOIN calls c ON c.func = b.id\n"
	"    AND c.begin_ns >= first_ns + time / 2 AND c.begin_ns < first_ns + time / 2 + part\n"
	"  UNION ALL\n"
	"  SELECT 3, b.id, c.duration_ns FROM busy b CROSS JOIN calls c ON c.func = b.id\n"
	"    AND c.begin_ns >= first_ns + time * 9 / 10 AND c.begin_ns < first_ns + time * 9 / 10 + part),\n"
	"ranks AS (\n"
	"  SELECT *, row_number() OVER (PARTITION BY age, id ORDER BY duration_ns) AS rank,\n"
	"    count(*) OVER (PARTITION BY age, id) AS nr FROM ages),\n"
	"medians AS (\n"
	"  SELECT id, max(duration_ns) FILTER (WHERE age = 1) AS early_ns,\n"
	"    max(duration_ns) FILTER (WHERE age = 2) AS middle_ns,\n"
	"    max(duration_ns) FILTER (WHERE age = 3) AS late_ns\n"
	"  FROM ranks WHERE rank = (nr + 1) / 2 AND nr >= 5 GROUP BY id)\n"
	"SELECT total_ns * 0.9 AS weight, whole.ns AS whole_ns, b.id AS func, name, calls,\n"
	"  total_ns * 1.0 / whole.ns AS share, early_ns, late_ns,\n"
	"  late_ns * 1.0 / max(early_ns, 1) AS times\n"
	"FROM medians JOIN busy b USING (id), whole\n"
	"WHERE middle_ns > 2 * early_ns AND late_ns * 5 > middle_ns * 4 AND late_ns > 4 * early_ns\n"
	"ORDER BY total_ns DESC LIMIT 1";

/* The longest call of what repeats, and what in it took most of that time. */
static const char outlier[] =
	"WITH " WHOLE ",\n"
	"slow AS (\n"
	"  SELECT f.id, f.name, f.calls, f.p50_ns, f.max_ns, f.longest_ns, f.longest_strand\n"
	"  FROM functions f, whole WHERE f.calls >= 200 AND f.max_ns > 50 * f.p50_ns\n"
	"  AND f.max_ns > 10 * f.p99_ns AND f.max_ns - f.p50_ns >= 0.04 * whole.ns\n"
	"  AND f.max_ns >= 20000000 AND f.module NOT GLOB 'libc.so*'\n"
	"  AND f.id NOT IN (SELECT func FROM paths WHERE recursive > 0)\n"
	"  AND f.module NOT GLOB '[[]*'\n"
	"  ORDER BY f.max_ns DESC LIMIT 1),\n"
	"inside AS (\n"
	"  SELECT c.func, c.name, c.duration_ns, max(c.depth) AS depth\n"
	"  FROM slow s CROSS JOIN calls c ON c.strand = s.longest_strand AND c.begin_ns >= s.longest_ns\n"
	"    AND c.end_ns <= s.longest_ns + s.max_ns\n"
	"  WHERE c.func <> s.id AND c.duration_ns >= 0.5 * s.max_ns)\n"
	"SELECT max(s.max_ns - s.p50_ns, 0.3 * whole.ns) AS weight, whole.ns AS whole_ns, s.id AS func, s.name, s.calls,\n"
	"  s.p50_ns, s.max_ns, s.max_ns * 1.0 / max(s.p50_ns, 1) AS times,\n"
	"  s.longest_ns AS begin_ns,\n"
	"  i.name AS inner, i.duration_ns AS inner_ns, f.calls AS inner_calls\n"
	"FROM slow s, whole LEFT JOIN inside i LEFT JOIN functions f ON f.id = i.func\n"
	"WHERE f.calls * 10 <= s.calls OR s.max_ns >= 200000000";

/* What changed, by more than the noise: as diff lists it. */
static const char changed[] =
	"WITH " WHOLE "\n"
	"SELECT 1e200 / place AS weight, whole.ns AS whole_ns, name, old_calls, calls, old_self_ns,\n"
	"  self_ns, abs(self_ns - old_self_ns) AS change_ns, nullif(old_calls, calls) AS other_calls,\n"
	"  CASE WHEN old_calls = 0 THEN 'new' WHEN calls = 0 THEN 'gone'\n"
	"    WHEN self_ns > old_self_ns THEN 'more' ELSE 'less' END AS shape\n"
	"FROM changes, whole WHERE matters AND place <= 3";

static const char unchanged[] =
	"WITH " WHOLE "\n"
	"SELECT 1e200 AS weight, whole.ns AS whole_ns, count(*) AS functions FROM changes, whole\n"
	"HAVING count(*) > 0 AND sum(matters) = 0";

/* Many calls that move few bytes each; their results must have been recorded. */
static const char small[] =
	"WITH " WHOLE ",\n"
	"io AS (\n"
	"  SELECT p.func, p.name, p.calls, p.total_ns, c.func AS caller, c.name AS caller_name\n"
	"  FROM paths p JOIN paths c ON c.id = p.parent, whole\n"
	"  WHERE p.waits_for = 'input or output' AND p.calls >= 1000 AND p.total_ns >= 0.1 * ns\n"
	"  ORDER BY p.total_ns DESC LIMIT 1),\n"
	"sizes AS (\n"
	"  SELECT avg(result) AS bytes, sum(result) AS sum FROM calls\n"
	"  WHERE func = (SELECT func FROM io) AND caller = (SELECT caller FROM io)\n"
	"  AND typeof(result) = 'integer' AND result > 0)\n"
	"SELECT total_ns * 1.02 AS weight, whole.ns AS whole_ns, total_ns AS time_ns,\n"
	"  total_ns * 1.0 / whole.ns AS share, func, name, calls, caller_name AS caller, bytes, sum\n"
	"FROM io, sizes, whole WHERE bytes <= 64";

/* Memory that is allocated and never freed. */
static const char leak[] =
	"WITH " WHOLE ",\n"
	"sums AS (\n"
	"  SELECT sum(calls) FILTER (WHERE name <> 'free') AS allocated,\n"
	"    coalesce(sum(calls) FILTER (WHERE name = 'free'), 0) AS freed FROM functions\n"
	"  WHERE name IN ('malloc', 'calloc', 'aligned_alloc', 'posix_memalign', 'free')\n"
	"    AND module GLOB 'libc.*'),\n"
	"by AS (\n"
	"  SELECT p.name, sum(a.calls) AS calls FROM paths a JOIN paths p ON p.id = a.parent\n"
	"  WHERE a.name IN ('malloc', 'calloc', 'aligned_alloc', 'posix_memalign')\n"
	"  GROUP BY p.name ORDER BY 2 DESC LIMIT 1)\n"
	"SELECT 0.4 * whole.ns AS weight, whole.ns AS whole_ns, allocated, freed,\n"
	"  allocated - freed AS kept, by.name AS caller, by.calls AS caller_calls\n"
	"FROM sums, by, whole WHERE allocated - freed >= 2000 AND freed * 2 < allocated\n"
	"AND by.calls * 2 > allocated";

/* Each call of what asks a cache is followed by the work that the cache is there to save. */
static const char cache[] =
	"WITH " WHOLE ",\n"
	"asked AS (\n"
	"  SELECT id, parent, name, calls FROM paths\n"
	"  WHERE (name LIKE '%cache%' OR name LIKE '%memo%') AND calls >= 50),\n"
	"done AS (\n"
	"  SELECT a.id, a.name AS cache, a.calls AS asked, w.func, w.name, w.calls,\n"
	"    w.total_ns - w.joined_ns AS time_ns, w.parent\n"
	"  FROM asked a CROSS JOIN paths w ON w.parent = a.parent\n"
	"  WHERE w.id <> a.id AND w.calls * 20 >= a.calls * 19 AND w.calls <= a.calls\n"
	"  UNION ALL\n"
	"  SELECT a.id, a.name, a.calls, w.func, w.name, w.calls, w.total_ns - w.joined_ns, w.parent\n"
	"  FROM asked a CROSS JOIN paths w ON w.parent = a.id\n"
	"  WHERE w.calls * 20 >= a.calls * 19 AND w.calls <= a.calls)\n"
	"SELECT time_ns * 1.05 AS weight, whole.ns AS whole_ns, time_ns,\n"
	"  time_ns * 1.0 / whole.ns AS share, cache, asked, d.func, d.name, d.calls, p.name AS caller,\n"
	"  min(d.id) AS first\n"
	"FROM done d, whole LEFT JOIN paths p ON p.id = d.parent WHERE time_ns >= 0.2 * whole.ns\n"
	"AND d.name NOT LIKE '%cache%' AND d.name NOT LIKE '%memo%' GROUP BY d.func";

/* clang-format on */

#define WAITED	"[ {waited_ns} of it passed in waiting for fctrace, which could not keep up.]"
#define TIME_OF "{share} of the time ({time_ns} of {whole_ns}) "
#define LOOP                                                                                   \
	"[ {loop_caller}() calls {loop_callee}() {loop_calls} times in each of its {loops} "   \
	"calls.][ {loop_single}(), called once, calls {loop_callee}() {loop_calls} times.]"
#define BY_CALLER                                                                              \
	"{calls} call{calls:s} of {name}()[ by {caller}()][ for {user}()][, {each_ns} each]."

const struct fc_question fc_questions[] = {
	{ "overview",
	  overview,
	  { { "one",
	      "The calls of {program} took {whole_ns}: {computing_share} of that it computed[, "
	      "{parts}]." WAITED,
	      "fctrace report -s self" },
	    { "threads",
	      "{program} ran for {run_ns}; the calls of its {threads} threads took {whole_ns} "
	      "together: {computing_share} of that they computed[, {parts}]." WAITED,
	      "fctrace report --by thread" },
	    { "processes",
	      "{program} ran for {run_ns}, in {processes} processes; their calls took "
	      "{whole_ns} together: {computing_share} of that they computed[, {parts}]." WAITED,
	      "fctrace report --by process" } } },
	{ "hot",
	  hot,
	  { { "once", TIME_OF "was spent in one call of {name}()[, which {caller}() made].",
	      "fctrace graph --from {name:q}" },
	    { "recursive",
	      TIME_OF "was spent in {name}(), which calls itself: {outer_calls} "
		      "call{outer_calls:s}[ by {caller}()] became {calls} calls, {each_ns} "
		      "each.",
	      "fctrace report --callers {name:q}" },
	    { "spread",
	      TIME_OF "was spent in {name}() and what it calls, {calls} time{calls:s}[ for "
		      "{caller}()]: none of these functions has a tenth of the time." LOOP,
	      "fctrace graph --from {name:q}" },
	    { "a timer",
	      "[{caller}() slept for ]" TIME_OF "in {calls} call{calls:s} of {name}()"
	      "[, {each_ns} each]." LOOP,
	      "fctrace report --callers {name:q}" },
	    { "a lock", TIME_OF "was spent waiting for a lock: " BY_CALLER LOOP,
	      "fctrace report --callers {name:q}" },
	    { "another thread", TIME_OF "was spent waiting for other threads: " BY_CALLER LOOP,
	      "fctrace report --callers {name:q}" },
	    { "an event", TIME_OF "was spent waiting for something to happen: " BY_CALLER LOOP,
	      "fctrace report --callers {name:q}" },
	    { "a CPU",
	      TIME_OF "passed in waiting for a CPU, while other threads ran there: {calls} "
		      "time{calls:s}[ in {caller}()][, {each_ns} each].",
	      "fctrace report --callers {name:q}" },
	    { "something else",
	      TIME_OF "was slept in the kernel, which does not tell for what: {calls} "
		      "time{calls:s}[ in {caller}()][, {each_ns} each].",
	      "fctrace report --callers {name:q}" },
	    { "input or output", TIME_OF "was spent in input and output: " BY_CALLER LOOP,
	      "fctrace report --callers {name:q}" },
	    { NULL, TIME_OF "was spent in " BY_CALLER LOOP,
	      "fctrace report --callers {name:q}" } } },
	{ "changed",
	  changed,
	  { { "new",
	      "{name}() is new: {calls} call{calls:s} of it took {self_ns}, in its own code.",
	      "fctrace diff" },
	    { "gone",
	      "{name}() is not called any more: before, {old_calls} call{old_calls:s} of it "
	      "took "
	      "{old_self_ns}, in its own code.",
	      "fctrace diff" },
	    { "more",
	      "{name}() took {change_ns} longer than before: {self_ns} in its own code, "
	      "instead of "
	      "{old_self_ns}, in {calls} call{calls:s}[ instead of {other_calls}].",
	      "fctrace diff" },
	    { "less",
	      "{name}() took {change_ns} less than before: {self_ns} in its own code, instead "
	      "of "
	      "{old_self_ns}, in {calls} call{calls:s}[ instead of {other_calls}].",
	      "fctrace diff" } },
	  .needs_than = true },
	{ "unchanged",
	  unchanged,
	  { { NULL,
	      "Nothing changed: none of {functions} functions was called more often or less, "
	      "or "
	      "took another time than the noise explains.",
	      "fctrace diff" } },
	  .needs_than = true },
	{ "path",
	  path,
	  { { NULL, TIME_OF "was spent in {name}() and below ({line}): {parts}.",
	      "fctrace graph --from {name:q}" } } },
	{ "start",
	  start,
	  { { NULL,
	      "{name}()[, which {caller}() called once, ]took {share} of the time ({time_ns} "
	      "of "
	      "{whole_ns}), before the first of {work_calls} calls of {work}() began, which "
	      "took "
	      "{work_ns} together.",
	      "fctrace graph --from {name:q}" } } },
	{ "growth",
	  growth,
	  { { NULL,
	      "The calls of {name}() take longer and longer: {early_ns} each at first, "
	      "{late_ns} at the end, {times} times as long. There were {calls}, in {share} of "
	      "the time.",
	      "fctrace report --hist {name:q}" } } },
	{ "outlier",
	  outlier,
	  { { NULL,
	      "One of {calls} calls of {name}() took {max_ns}, {times} times as long as the "
	      "median ({p50_ns}): it began {begin_ns} after the start[, and spent {inner_ns} "
	      "in {inner}()][, which was called {inner_calls} time{inner_calls:s} in all].",
	      "fctrace requests --root {name:q}" } } },
	{ "small",
	  small,
	  { { NULL,
	      "{name}() moved {bytes} bytes a call: {calls} calls by {caller}() took {share} "
	      "of "
	      "the time ({time_ns} of {whole_ns}), for {sum} bytes in all.",
	      "fctrace report --callers {name:q}" } } },
	{ "leak",
	  leak,
	  { { NULL,
	      "{kept} blocks of memory were not freed: {allocated} were allocated, "
	      "{caller_calls} of them by {caller}(), and free() was called {freed} "
	      "time{freed:s}.",
	      "fctrace report --callers malloc" } } },
	{ "cache",
	  cache,
	  { { NULL,
	      "{name}() took {share} of the time ({time_ns} of {whole_ns}), and the cache "
	      "saved none of it: [{caller}() called ]{cache}() {asked} times, and {name}() "
	      "{calls} times all the same.",
	      "fctrace report --callers {name:q}" } } },
};

const size_t fc_nr_questions = sizeof(fc_questions) / sizeof(fc_questions[0]);
