/* SPDX-License-Identifier: Apache-2.0 */
/* signatures.c - asks the jail for the signatures of functions, and checks them. */
#include "dwarf/signatures.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/bisect.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "dwarf/debuginfo.h"
#include "dwarf/findings.h"
#include "dwarf/functions.h"
#include "dwarf/handle.h"
#include "dwarf/jail.h"
#include "values/types.h"

enum {
	PIECE = 64 << 10, /* bytes of what was found that are sent at a time */
	MOST = 512 << 20, /* bytes of all */
};

struct fc_signatures {
	struct fc_debuginfo info;
	uint64_t *vaddrs; /* in order, each once */
	size_t nr, *at;	  /* at: of those that were asked for, among them */
	struct fc_found_bytes bytes;
	struct fc_findings findings;
};

/* The child has the addresses from us. It is asked for pieces, by where they begin. */
static void find_all(const void *ctx)
{
	const struct fc_signatures *signatures = ctx;
	const struct fc_debuginfo *info = &signatures->info;
	struct fc_found_bytes found = { 0 };
	struct {
		uint64_t size;
		uint8_t piece[PIECE];
	} answer;
	uint64_t from;

	if (fc_dwarf_functions_find(info->told, info->common, &info->splits.files, &info->size,
				    signatures->vaddrs, signatures->nr, &found))
		fc_jail_leave(FC_DWARF_NO_MEMORY);
	answer.size = found.bytes.nr;
	while (read(0, &from, sizeof(from)) == sizeof(from) && from <= answer.size) {
		size_t nr = answer.size - from < PIECE ? answer.size - from : PIECE;
		if (nr)
			memcpy(answer.piece, found.bytes.at + from, nr);
		if (write(0, &answer, sizeof(answer.size) + nr) < 0)
			return;
	}
}

/* The next piece. False: that is none, or there is none any more. */
static bool ask_for_piece(struct fc_signatures *signatures, uint64_t *size)
{
	struct {
		uint64_t size;
		uint8_t piece[PIECE];
	} answer;
	uint64_t from = signatures->bytes.bytes.nr;
	ssize_t got = fc_debuginfo_ask(&signatures->info, &from, sizeof(from), &answer,
				       sizeof(answer));

	if (got <= 0)
		return false; /* the debug information says why */
	size_t nr = got > (ssize_t)sizeof(answer.size) ? (size_t)got - sizeof(answer.size) : 0;
	bool is_piece = nr && (size_t)got <= sizeof(answer) && answer.size <= MOST &&
			nr <= answer.size - from && (!from || answer.size == *size);
	if (!is_piece) {
		fc_debuginfo_distrust(&signatures->info);
		return false;
	}
	*size = answer.size;
	fc_found_put(&signatures->bytes, answer.piece, nr);
	return true;
}

static bool ask_for_all(struct fc_signatures *signatures)
{
	uint64_t size = 0;

	do
		if (!ask_for_piece(signatures, &size))
			return false;
	while (signatures->bytes.bytes.nr < size);
	return true;
}

/* By one child. What it tells counts instead of what one before it told. */
static int find_once(struct fc_signatures *signatures, const char *path)
{
	struct fc_debuginfo *info = &signatures->info;
	int err = fc_debuginfo_start(info, path, find_all, signatures);

	if (err)
		return err;
	fc_types_destroy(signatures->findings.types);
	signatures->findings = (struct fc_findings){ 0 };
	signatures->bytes.bytes.nr = 0;
	bool has_all = ask_for_all(signatures);
	fc_inmate_end(&info->child);
	if (has_all && fc_findings_load(signatures->bytes.bytes.at, signatures->bytes.bytes.nr,
					signatures->nr, fc_arch_call_frame(info->told->machine),
					&signatures->findings))
		fc_debuginfo_distrust(info);
	return 0;
}

static int find(struct fc_signatures *signatures, const char *path)
{
	struct fc_debuginfo *info = &signatures->info;
	const struct fc_findings *findings = &signatures->findings;
	int err = find_once(signatures, path);

	if (!err && findings->types && findings->splits < findings->splits_end &&
	    fc_debuginfo_open_splits(info, findings))
		err = find_once(signatures, path);
	if (err)
		return err;
	if (findings->types)
		fc_debuginfo_note(info, findings->wrong);
	else
		return fc_fail(EBADMSG, "%s: %s", path, fc_debuginfo_wrong(info));
	return 0;
}

static void sort_vaddrs(struct fc_signatures *signatures, const uint64_t *vaddrs, size_t nr)
{
	signatures->vaddrs = fc_memdup(vaddrs, nr * sizeof(*vaddrs));
	signatures->nr = fc_sort_once(signatures->vaddrs, nr);
	signatures->at = fc_alloc((nr + 1) * sizeof(*signatures->at));
	for (size_t i = 0; i < nr; i++)
		signatures->at[i] =
			fc_bisect(signatures->vaddrs, signatures->nr, item, *item < vaddrs[i]);
}

int fc_signatures_read(const char *path, const char *build_id, const uint64_t *vaddrs,
		       size_t nr, struct fc_signatures **ret)
{
	struct fc_signatures *signatures = fc_alloc(sizeof(*signatures));
	int err = fc_debuginfo_open(&signatures->info, path, build_id, FC_DWARF_SIGNATURES);

	if (!err && !fc_arch_call_frame(signatures->info.told->machine))
		err = fc_fail(ENODATA, "%s: it is for a machine that fctrace does not know",
			      path);
	if (!err) {
		sort_vaddrs(signatures, vaddrs, nr);
		err = find(signatures, path);
	}
	if (err)
		fc_signatures_destroy(signatures);
	else
		*ret = signatures;
	return err;
}

void fc_signatures_destroy(struct fc_signatures *signatures)
{
	if (!signatures)
		return;
	fc_debuginfo_close(&signatures->info);
	fc_types_destroy(signatures->findings.types);
	free(signatures->vaddrs);
	fc_vec_free(&signatures->bytes.bytes);
	free(signatures->at);
	free(signatures);
}

const struct fc_types *fc_signatures_types(const struct fc_signatures *signatures)
{
	return signatures->findings.types;
}

void fc_signatures_get(const struct fc_signatures *signatures, size_t i,
		       struct fc_signature *ret)
{
	fc_findings_get(&signatures->findings, signatures->at[i], ret);
}

const char *fc_signatures_wrong(const struct fc_signatures *signatures)
{
	return fc_debuginfo_wrong(&signatures->info);
}
