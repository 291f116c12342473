/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flamegraph.c - a flame graph: a picture (SVG) that a browser can zoom into and search.
 *
 *	           [2 others]
 *	  | b    | |c|              each frame as wide as what it takes, in it and below
 *	 | a            |  | d |
 *	|  main                  |
 *	| program                        |
 *
 * What would be too narrow to be seen is left out; beside its neighbours stands how much that
 * was, if that can be seen. Frames are drawn as they are first shown, so that viewers without
 * scripts show them; flamegraph.js does the rest.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/vec.h"
#include "base/whole.h"
#include "show/export/format.h"
#include "show/export/stacked.h"
#include "show/export/xml.h"

#define WIDTH	   1200.0 /* pixels, of the picture as it is first shown */
#define EDGE	   10.0	  /* left and right of the frames */
#define HEAD	   72	  /* above them */
#define FOOT	   48	  /* below them */
#define LEVEL	   17	  /* a frame's height with the gap above */
#define LETTER	   7.25	  /* of the font, at most */
#define NARROWEST  0.1	  /* pixels */
#define FRAMES_MAX 20000  /* a browser is quick with as many */
#define TITLE_MAX  100	  /* letters */

/* The sums of a node and all nodes below it. */
struct below {
	double width;
	uint64_t calls, self; /* ticks */
	uint32_t level, nr;
};

struct flamegraph {
	struct fc_stacked stacked;
	struct fc_export_opts opts;
	double min; /* as asked for; then a width */

	struct below *below; /* by number; 0: of all */
	uint32_t nr_levels;
	uint32_t nr_left_out;
	double height;
};

static const char script[] = {
#include "flamegraph_js.h"
};

__attribute__((format(printf, 2, 3))) static void put(struct flamegraph *flame, const char *fmt,
						      ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	int len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fc_stream_put(flame->opts.out, text,
		      (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

static void put_xml(struct flamegraph *flame, const char *text)
{
	fc_quote_xml(flame->opts.out, text, strlen(text));
}

/* ---- widths ---- */

/* What it adds to what is below it, and how wide it is at least. */
static void weigh(const struct flamegraph *flame, const struct fc_graph_sums *sums, double *own,
		  double *least)
{
	*own = (double)(flame->opts.by_calls  ? sums->calls
			: flame->opts.by_wait ? 0
					      : sums->self);
	*least = (double)(flame->opts.by_calls	? 0
			  : flame->opts.by_wait ? sums->wait
						: sums->total);
}

/* Of waits, what has none has no frame. */
static bool is_wide(const struct flamegraph *flame, const struct below *below, double min)
{
	return below->width >= min && (!flame->opts.by_wait || below->width > 0);
}

/* Children come behind their parents. A call that outlives its caller needs its width, too. */
static void measure(struct flamegraph *flame)
{
	const struct fc_stacks *stacks = flame->stacked.stacks;
	uint32_t nr = fc_stacks_nr(stacks);

	flame->below = fc_alloc(((size_t)nr + 1) * sizeof(*flame->below));
	for (uint32_t i = nr; i > 0; i--) {
		struct fc_graph_node node = fc_stacks_get(stacks, i);
		struct below *below = &flame->below[i], *outer = &flame->below[node.parent];
		double own, least;

		weigh(flame, &node.sums, &own, &least);
		below->width += own;
		if (below->width < least)
			below->width = least;
		below->calls += node.sums.calls;
		below->self += node.sums.self;
		below->nr++;
		outer->width += below->width;
		outer->calls += below->calls;
		outer->self += below->self;
		outer->nr += below->nr;
	}
}

static int widest_first(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* The width of the narrowest frame to draw: at least min, and more if there were too many. */
static double limit_frames(const struct flamegraph *flame, double min)
{
	uint32_t nr = fc_stacks_nr(flame->stacked.stacks), nr_wide = 0;
	double *widths = fc_alloc((size_t)nr * sizeof(*widths) + 1);

	for (uint32_t i = 1; i <= nr; i++) {
		if (is_wide(flame, &flame->below[i], min))
			widths[nr_wide++] = flame->below[i].width;
	}
	if (nr_wide > FRAMES_MAX) {
		qsort(widths, nr_wide, sizeof(*widths), widest_first);
		/* Frames exactly as wide as the first one left out are left out, too. */
		min = widths[FRAMES_MAX] * (1 + 1e-9);
	}
	free(widths);
	return min;
}

static void choose(struct flamegraph *flame)
{
	double whole = flame->below[0].width;

	flame->min = flame->min >= 0
			     ? flame->min * whole
			     : limit_frames(flame, whole * NARROWEST / (WIDTH - 2 * EDGE));
	for (uint32_t i = 1; i <= fc_stacks_nr(flame->stacked.stacks); i++) {
		struct below *below = &flame->below[i];
		uint32_t parent = fc_stacks_get(flame->stacked.stacks, i).parent;
		below->level = parent ? flame->below[parent].level + 1 : 0;
		if (!is_wide(flame, below, flame->min))
			flame->nr_left_out += !flame->opts.by_wait || below->width > 0;
		else if (below->level >= flame->nr_levels)
			flame->nr_levels = below->level + 1;
	}
	/* The sum of what is left out may stand above the highest frame. */
	flame->nr_levels += flame->nr_left_out > 0;
	flame->height = HEAD + FOOT + (double)flame->nr_levels * LEVEL;
}

/* ---- colours ---- */

static uint32_t hash(const char *text)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 16777619u;
	return h ^ h >> 15;
}

/*
 * A hue for each module; near it, and of a shade of its own, one for each function: of a program that is one
 * module all would look alike.
 */
static void put_colour(struct flamegraph *flame, struct fc_name name)
{
	if (!*name.module) {
		put(flame, "#ccc");
		return;
	}
	uint32_t own = hash(name.name);
	double hue = hash(name.module) % 360 / 60.0 + own / 64 % 128 / 128.0 - 0.5;
	double light = 0.62 + own % 64 / 300.0, chroma = (1 - light) * 1.3;
	hue = hue < 0 ? hue + 6 : hue >= 6 ? hue - 6 : hue;
	double rgb[3];

	for (int i = 0; i < 3; i++) {
		/* As far from this colour on the circle of hues (CSS Color 3, 4.2.4). */
		double at = hue + 2 - 2 * i;
		at = at < 0 ? at + 6 : at >= 6 ? at - 6 : at;
		double part = at < 1 ? at : at < 3 ? 1 : at < 4 ? 4 - at : 0;
		rgb[i] = 255 * (light + chroma * (part - 0.5));
	}
	put(flame, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

/* ---- frames ---- */

/* A rectangle of the picture: a node, or the sum of some. */
struct frame {
	struct fc_name name;
	double x, width;
	uint32_t level;
	uint64_t calls, total, self; /* ticks */
	uint64_t calls_below;
	uint32_t nr_others; /* 0: it is a node */
};

static double share(const struct flamegraph *flame, double width)
{
	return flame->below[0].width > 0 ? width / flame->below[0].width : 0;
}

/* As flamegraph.js does it when it is made wider. */
static void put_label(struct flamegraph *flame, const struct frame *frame, double y)
{
	double x = EDGE + share(flame, frame->x) * (WIDTH - 2 * EDGE);
	double pixels = share(flame, frame->width) * (WIDTH - 2 * EDGE);
	size_t room = fc_whole((pixels - 6) / LETTER), len = strlen(frame->name.name);
	size_t nr = 0, end = 0, cut = 0;

	if (pixels < 6 + 3 * LETTER)
		return;
	for (; end < len && nr < room; nr++) {
		size_t step = fc_utf8_len(frame->name.name + end, len - end);
		end += step ? step : 1;
		cut = nr + 3 == room ? end : cut;
	}
	put(flame, "<text x=\"%.1f\" y=\"%.0f\">", x + 3, y + LEVEL - 5);
	fc_quote_xml(flame->opts.out, frame->name.name, end < len ? cut : len);
	put(flame, end < len ? "..</text>" : "</text>");
}

static void put_details(struct flamegraph *flame, const struct frame *frame)
{
	char total[FC_CLOCK_TEXT], self[FC_CLOCK_TEXT];

	fc_clock_duration_text(flame->opts.clock, frame->total, total);
	fc_clock_duration_text(flame->opts.clock, frame->self, self);
	put(flame, "\n%.2f%%", 100 * share(flame, frame->width));
	if (flame->opts.by_calls)
		put(flame, " of the calls, %" PRIu64 " in it and below", frame->calls_below);
	if (flame->opts.by_wait) {
		char wait[FC_CLOCK_TEXT];
		fc_clock_duration_text(flame->opts.clock, fc_whole(frame->width), wait);
		put(flame, " of the waits, %s in it and below", wait);
	}
	put(flame, ", %" PRIu64 " %s, total %s, self %s", frame->calls,
	    frame->calls == 1 ? "call" : "calls", total, self);
}

static void put_frame(struct flamegraph *flame, const struct frame *frame)
{
	double y = HEAD + (double)(flame->nr_levels - 1 - frame->level) * LEVEL;
	double of_pixels = WIDTH - 2 * EDGE;

	put(flame,
	    "<g class=\"f\" data-f=\"%.9g %.9g %" PRIu32 "\" data-v=\"%" PRIu64 " %" PRIu64
	    " %" PRIu64 "\"%s><title>",
	    share(flame, frame->x), share(flame, frame->width), frame->level, frame->calls,
	    fc_clock_duration_ns(flame->opts.clock, frame->total),
	    fc_clock_duration_ns(flame->opts.clock, frame->self),
	    frame->nr_others ? " data-others=\"\"" : "");
	put_xml(flame, frame->name.name);
	put(flame, "\n");
	put_xml(flame, frame->name.module);
	put_details(flame, frame);
	put(flame, "</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"",
	    EDGE + share(flame, frame->x) * of_pixels, y,
	    share(flame, frame->width) * of_pixels, LEVEL - 1);
	put_colour(flame, frame->name);
	put(flame, "\"/>");
	put_label(flame, frame, y);
	put(flame, "</g>\n");
}

struct child {
	uint32_t number;
	const char *name;
};

static int by_name(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

typedef FC_VEC(struct child) children;

/* Children that are drawn, in order; those that are not are added to rest. */
static void gather(struct flamegraph *flame, uint32_t parent, children *shown,
		   struct frame *rest)
{
	struct fc_stacks *stacks = flame->stacked.stacks;

	for (uint32_t i = fc_stacks_first(stacks, parent); i; i = fc_stacks_next(stacks, i)) {
		const struct below *below = &flame->below[i];
		struct fc_graph_node node = fc_stacks_get(stacks, i);
		if (is_wide(flame, below, flame->min)) {
			struct fc_name name =
				fc_stacks_name(stacks, &flame->opts.namer, node.func);
			fc_vec_push(shown, (struct child){ i, name.name });
			continue;
		}
		rest->width += below->width;
		rest->calls += below->calls;
		rest->self += below->self;
		rest->total += node.sums.total;
		rest->nr_others += !flame->opts.by_wait || below->width > 0 ? below->nr : 0;
	}
	fc_vec_sort(shown, by_name);
}

static void draw_rest(struct flamegraph *flame, struct frame *rest)
{
	char name[64];

	if (!rest->nr_others || rest->width < flame->min)
		return;
	snprintf(name, sizeof(name), "[%" PRIu32 " %s]", rest->nr_others,
		 rest->nr_others == 1 ? "other" : "others");
	rest->name = (struct fc_name){ name, "" };
	rest->calls_below = rest->calls;
	put_frame(flame, rest);
}

static void draw_below(struct flamegraph *flame, uint32_t parent, double x);

static void draw(struct flamegraph *flame, uint32_t number, double x)
{
	struct fc_stacks *stacks = flame->stacked.stacks;
	const struct below *below = &flame->below[number];
	struct fc_graph_node node = fc_stacks_get(stacks, number);
	struct frame frame = {
		.name = fc_stacks_name(stacks, &flame->opts.namer, node.func),
		.x = x,
		.width = below->width,
		.level = below->level,
		.calls = node.sums.calls,
		.total = node.sums.total,
		.self = node.sums.self,
		.calls_below = below->calls,
	};

	put_frame(flame, &frame);
	draw_below(flame, number, x);
}

/* It calls itself: there are no more levels than stacks have (FC_STACKS_LEVELS). */
static void draw_below(struct flamegraph *flame, uint32_t parent, double x)
{
	struct frame rest = { .level = parent ? flame->below[parent].level + 1 : 0 };
	children shown = { 0 };

	gather(flame, parent, &shown, &rest);
	fc_vec_each (&shown, child) {
		if (flame->opts.out->err)
			break;
		draw(flame, child->number, x);
		x += flame->below[child->number].width;
	}
	fc_vec_free(&shown);
	rest.x = x;
	draw_rest(flame, &rest);
}

/* ---- the picture ---- */

/* As many letters of a word as there is room for; returns how many are left. */
static size_t put_word(struct flamegraph *flame, const char *word, size_t room)
{
	size_t len = strlen(word), end = 0;

	for (; end < len && room; room--) {
		size_t step = fc_utf8_len(word + end, len - end);
		end += step ? step : 1;
	}
	fc_quote_xml(flame->opts.out, word, end);
	return room;
}

/* A process that was attached to has no command line: print its programs instead. */
static void put_title(struct flamegraph *flame)
{
	struct fc_stacks *stacks = flame->stacked.stacks;
	size_t room = TITLE_MAX;

	for (int i = 0; i < fc_reader_argc(flame->opts.reader) && room; i++) {
		put(flame, i ? " " : "");
		room = put_word(flame, fc_reader_arg(flame->opts.reader, i), room);
	}
	uint32_t root = fc_reader_argc(flame->opts.reader) ? 0 : fc_stacks_first(stacks, 0);
	for (uint32_t i = root; i && room; i = fc_stacks_next(stacks, i)) {
		uint32_t func = fc_stacks_get(stacks, i).func;
		put(flame, i == root ? "" : " ");
		room = put_word(flame, fc_stacks_name(stacks, &flame->opts.namer, func).name,
				room);
	}
	put(flame, room ? "" : "…");
}

static void put_sums(struct flamegraph *flame)
{
	const struct below *all = &flame->below[0];
	char total[FC_CLOCK_TEXT];

	fc_clock_duration_text(flame->opts.clock, fc_whole(all->width), total);
	if (flame->opts.by_calls)
		put(flame, "%" PRIu64 " calls: a frame is as wide as the calls in it and below",
		    all->calls);
	else if (flame->opts.by_wait)
		put(flame,
		    "%s off the CPU: a frame is as wide as what it waited, in it and below",
		    total);
	else
		put(flame,
		    "%s in %" PRIu64 " calls: a frame is as wide as the time in it and below",
		    total, all->calls);
	if (flame->nr_left_out)
		put(flame, "; %" PRIu32 " narrower than %.2g%% are summed", flame->nr_left_out,
		    100 * share(flame, flame->min));
}

static void put_begin(struct flamegraph *flame)
{
	put(flame,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
	    "viewBox=\"0 0 %.0f %.0f\" data-calls=\"%" PRIu64 "\" data-self=\"%" PRIu64 "\">\n",
	    WIDTH, flame->height, WIDTH, flame->height, flame->below[0].calls,
	    fc_clock_duration_ns(flame->opts.clock, flame->below[0].self));
	put(flame,
	    "<style>text{font:12px monospace;pointer-events:none}.back{fill:#fff}"
	    "#title{font-size:17px;text-anchor:middle}#sums{text-anchor:middle;fill:#555}"
	    ".b{fill:#06c;cursor:pointer;pointer-events:all}"
	    ".b:hover{text-decoration:underline}#search,#matched{text-anchor:end}");
	put(flame, ".f{cursor:pointer}.f:hover rect{stroke:#000;stroke-width:1}"
		   ".outer{opacity:.5}.found rect{fill:#e3e}"
		   "input{width:100%%;box-sizing:border-box;font:12px monospace}\n"
		   "@media(prefers-color-scheme:dark){.back{fill:#161616}text{fill:#ddd}"
		   ".f text{fill:#000}#sums{fill:#aaa}.b{fill:#7bf}.f:hover rect{stroke:#fff}"
		   ".f rect{opacity:.9}.found rect{fill:#f6f}}</style>\n"
		   "<rect class=\"back\" width=\"100%%\" height=\"100%%\"/>\n"
		   "<g id=\"frames\">\n");
}

/* Head and foot stay in sight when the frames are scrolled, so they are drawn over them. */
static void put_head(struct flamegraph *flame)
{
	put(flame,
	    "</g>\n<g id=\"head\"><rect class=\"back\" width=\"100%%\" height=\"%d\"/>"
	    "<text id=\"title\" x=\"50%%\" y=\"22\">",
	    HEAD);
	put_title(flame);
	put(flame, "</text>\n<text id=\"sums\" x=\"50%%\" y=\"40\">");
	put_sums(flame);
	put(flame,
	    "</text>\n<text id=\"reset\" class=\"b\" x=\"%.0f\" y=\"62\" display=\"none\">"
	    "Reset zoom (Esc)</text>\n"
	    "<text id=\"search\" class=\"b\" x=\"%.0f\" y=\"62\" display=\"none\">"
	    "Search (Ctrl-F)</text>\n",
	    EDGE, WIDTH - EDGE);
	put(flame,
	    "<foreignObject id=\"box\" x=\"%.0f\" y=\"46\" width=\"300\" height=\"24\" "
	    "display=\"none\"><input xmlns=\"http://www.w3.org/1999/xhtml\" id=\"term\" "
	    "placeholder=\"function or module, or a regular expression\"/>"
	    "</foreignObject></g>\n",
	    WIDTH - EDGE - 300);
}

static void put_foot(struct flamegraph *flame)
{
	put(flame,
	    "<g id=\"foot\" transform=\"translate(0,%.0f)\">"
	    "<rect class=\"back\" width=\"100%%\" height=\"%d\"/>"
	    "<text id=\"name\" x=\"%.0f\" y=\"18\"></text>"
	    "<text id=\"details\" x=\"%.0f\" y=\"36\"></text>"
	    "<text id=\"matched\" x=\"%.0f\" y=\"36\"></text></g>\n",
	    flame->height - FOOT, FOOT, EDGE, EDGE, WIDTH - EDGE);
	fc_stream_text(flame->opts.out, "<script><![CDATA[\n");
	fc_stream_put(flame->opts.out, script, sizeof(script) - 1);
	fc_stream_text(flame->opts.out, "]]></script>\n</svg>\n");
}

/* ---- */

static int flamegraph_end(struct fc_exporter *exporter)
{
	struct flamegraph *flame = (struct flamegraph *)exporter;

	fc_stacked_note(&flame->stacked);
	measure(flame);
	choose(flame);
	put_begin(flame);
	draw_below(flame, 0, 0);
	put_head(flame);
	put_foot(flame);
	return 0;
}

static void flamegraph_destroy(struct fc_exporter *exporter)
{
	struct flamegraph *flame = (struct flamegraph *)exporter;

	fc_stacked_deinit(&flame->stacked);
	free(flame->below);
	free(flame);
}

static struct fc_exporter *flamegraph_create(const struct fc_export_opts *opts)
{
	struct flamegraph *flame = fc_alloc(sizeof(*flame));

	flame->opts = *opts;
	fc_stacked_init(&flame->stacked, opts);
	flame->stacked.summed.exporter.end = flamegraph_end;
	flame->stacked.summed.exporter.destroy = flamegraph_destroy;
	flame->min = opts->min;
	return &flame->stacked.summed.exporter;
}

const struct fc_format fc_format_flamegraph = {
	.name = "flamegraph",
	.suffix = "svg",
	.about = "flame graph: a picture to zoom into and search; any browser",
	.can_by_calls = true,
	.can_by_wait = true,
	.can_by_thread = true,
	.can_min = true,
	.create = flamegraph_create,
};
