/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_metadata.c - writes the metadata of the trace. */
#include "show/export/ctf/ctf_metadata.h"

#include "calls/call.h"
#include "show/export/ctf/ctf_streams.h"
#include "show/export/quoted.h"
#include "trace/mark.h"

/*
 * The types that all is made of. Bits of an event of calls lie side by side; what has a value
 * takes a whole word more, so that each event begins at a word.
 */
static const char types[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 64; align = 64; signed = true; } := value_t;\n"
	"typealias string { encoding = UTF8; } := text_t;\n\n"
	"trace {\n"
	"\tmajor = 1;\n"
	"\tminor = 8;\n"
	"\tbyte_order = le;\n"
	"\tpacket.header := struct {\n"
	"\t\tuint32_t magic;\n"
	"\t\tuint32_t stream_id;\n"
	"\t};\n"
	"};\n\n";

static const char streams[] =
	"typealias integer { size = 64; align = 8; signed = false; map = clock.session.value; "
	"} "
	":= time_t;\n"
	"typealias integer { size = 37; align = 1; signed = false; map = clock.session.value; "
	"} "
	":= time_low_t;\n"
	"typealias integer { size = 4; align = 1; signed = false; } := id_t;\n\n"
	"struct context {\n"
	"\ttime_t timestamp_begin;\n"
	"\ttime_t timestamp_end;\n"
	"\tuint64_t content_size;\n"
	"\tuint64_t packet_size;\n"
	"\tuint64_t packet_seq_num;\n"
	"\tuint64_t events_discarded;\n"
	"\tint32_t pid;\n"
	"\tint32_t tid;\n"
	"\tuint64_t strand;\n"
	"};\n\n"
	"/* calls-N: calls, each packet of one strand, which is one stack of one thread */\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct context;\n"
	"\tevent.header := struct { id_t id; time_low_t timestamp; };\n"
	"};\n\n"
	"/* processes: what happens to processes and threads */\n"
	"stream {\n"
	"\tid = 1;\n"
	"\tpacket.context := struct context;\n"
	"\tevent.header := struct { uint32_t id; time_t timestamp; };\n"
	"};\n\n";

static const struct {
	unsigned id;
	const char *name, *about;
} calls[] = {
	{ FC_CTF_ENTER, "enter", "a function was called" },
	{ FC_CTF_LEAVE + FC_LEFT_RETURN, "leave", "the call returned" },
	{ FC_CTF_LEAVE + FC_LEFT_TAIL, "leave_tail", "it became the call that follows" },
	{ FC_CTF_LEAVE + FC_LEFT_POP, "leave_pop", "it was left by longjmp, an exception..." },
	{ FC_CTF_LEAVE + FC_LEFT_LOST, "leave_lost", "its end is among lost records" },
	{ FC_CTF_LEAVE + FC_LEFT_END, "leave_end", "it was open when its thread ended" },
	{ FC_CTF_CALL, "call", "a function was called whose end is not observed" },
	{ FC_CTF_OPEN, "open", "a call that began before, or in the process that forked" },
};

/* Each is written with all that it may say: see put_life() in ctf.c. */
static const struct {
	unsigned id;
	const char *name, *fields;
} lives[] = {
	{ FC_LIFE_START, "start", "int32_t pid; int32_t parent;" },
	{ FC_LIFE_EXEC, "exec", "int32_t pid; text_t program;" },
	{ FC_LIFE_EXIT, "exit", "int32_t pid; int32_t status; int32_t signal;" },
	{ FC_LIFE_THREAD_START, "thread_start", "int32_t pid; int32_t tid;" },
	{ FC_LIFE_THREAD_EXIT, "thread_exit", "int32_t pid; int32_t tid;" },
	{ FC_LIFE_SAY, "said", "int32_t pid; text_t text;" },
	{ FC_LIFE_NOTE, "note", "int32_t pid; text_t text;" },
	{ FC_LIFE_SIGNAL, "signal", "int32_t pid; int32_t tid; int32_t number; text_t text;" },
	{ FC_LIFE_NAME, "thread_name", "int32_t pid; int32_t tid; text_t name;" },
};

#define each_of(table, i) (size_t i = 0; i < sizeof(table) / sizeof((table)[0]); i++)

static void put_quoted(struct fc_stream *out, const char *text)
{
	fc_quote_tsdl(out, text, strlen(text));
}

/* A name and what it is worth, within braces. */
static void put_number(struct fc_stream *out, const char *name, uint64_t n)
{
	fc_stream_text(out, name);
	fc_stream_number(out, n);
	fc_stream_text(out, ";");
}

static void put_env(struct fc_stream *out, const struct fc_reader *reader)
{
	fc_stream_text(out, "env {\n\ttracer_name = \"fctrace\";\n\tmachine = ");
	put_quoted(out, fc_reader_machine(reader));
	for (int i = 0; i < fc_reader_argc(reader); i++) {
		fc_stream_text(out, ";\n\targ");
		fc_stream_number(out, (uint64_t)i);
		fc_stream_text(out, " = ");
		put_quoted(out, fc_reader_arg(reader, i));
	}
	fc_stream_text(out, ";\n};\n\n");
}

/* Times are since the session's start; this is where that is in real time. */
static void put_clock(struct fc_stream *out, const struct fc_clock *clock)
{
	uint64_t begin_ns = clock->real0_ns < FC_CTF_TIME_MAX ? clock->real0_ns : 0;

	fc_stream_text(out, "clock {\n\tname = session;\n"
			    "\tdescription = \"real time, as CLOCK_MONOTONIC went on from the "
			    "begin of the session\";\n");
	put_number(out, "\tfreq = ", 1000000000);
	put_number(out, "\n\toffset_s = ", begin_ns / 1000000000);
	put_number(out, "\n\toffset = ", begin_ns % 1000000000);
	fc_stream_text(out, "\n};\n\n");
}

/* A base name: nothing in it ends the comment. */
static void put_comment(struct fc_stream *out, const char *module)
{
	fc_stream_text(out, " /* ");
	put_quoted(out, *module && !strchr(module, '/') ? module : "?");
	fc_stream_text(out, " */");
}

/* Functions of one name are told apart by their numbers; of what module they are is for people. */
static void put_functions(struct fc_stream *out, struct fc_namer namer, const bool *is_used,
			  size_t nr_used)
{
	bool is_first = true;

	fc_stream_text(out,
		       "typealias enum : integer { size = 23; align = 1; signed = false; } {");
	for (size_t func = 0; func < nr_used; func++) {
		if (!is_used[func])
			continue;
		struct fc_name name = namer.name_of(namer.ctx, (uint32_t)func);
		fc_stream_text(out, is_first ? "\n\t" : ",\n\t");
		put_quoted(out, name.name);
		fc_stream_text(out, " = ");
		fc_stream_number(out, func);
		put_comment(out, name.module);
		is_first = false;
	}
	if (is_first)
		fc_stream_text(out, "\n\t\"?\" = 0"); /* it may not be empty */
	fc_stream_text(out, "\n} := function_t;\n\n");
}

static void put_event(struct fc_stream *out, unsigned stream, unsigned id, const char *name,
		      const char *about)
{
	if (about) {
		fc_stream_text(out, "/* ");
		fc_stream_text(out, about);
		fc_stream_text(out, " */\n");
	}
	fc_stream_text(out, "event {\n\tname = \"");
	fc_stream_text(out, name);
	fc_stream_text(out, "\";\n");
	put_number(out, "\tid = ", id);
	put_number(out, "\n\tstream_id = ", stream);
	fc_stream_text(out, "\n\tfields := struct { ");
}

static void end_event(struct fc_stream *out)
{
	fc_stream_text(out, " };\n};\n\n");
}

static void put_events(struct fc_stream *out)
{
	for
		each_of(calls, i)
		{
			put_event(out, 0, calls[i].id, calls[i].name, calls[i].about);
			fc_stream_text(out, "function_t function;");
			end_event(out);
		}
	put_event(out, 0, FC_CTF_VALUES, "values",
		  "what the call that ends next was given and returned; known: 1 its "
		  "arguments, 2 "
		  "its result");
	fc_stream_text(out, "function_t function; text_t args; text_t result; value_t known;");
	end_event(out);
	for (unsigned mark = 1; mark < FC_NR_MARKS; mark++) {
		if (!fc_mark_word(mark))
			continue;
		put_event(out, 0, FC_CTF_MARK + mark, fc_mark_word(mark), NULL);
		fc_stream_text(out, "value_t ");
		fc_stream_text(out, fc_mark_value_word(mark));
		fc_stream_text(out, ";");
		end_event(out);
	}
	for
		each_of(lives, i)
		{
			put_event(out, 1, lives[i].id, lives[i].name, NULL);
			fc_stream_text(out, lives[i].fields);
			end_event(out);
		}
}

void fc_ctf_put_metadata(struct fc_stream *out, const struct fc_reader *reader,
			 struct fc_namer namer, const bool *is_used, size_t nr_used)
{
	fc_stream_text(out, types);
	put_env(out, reader);
	put_clock(out, fc_reader_clock(reader));
	fc_stream_text(out, streams);
	put_functions(out, namer, is_used, nr_used);
	put_events(out);
}
