/* SPDX-License-Identifier: Apache-2.0 */
/* known.c - parses the prototypes of a library when it is first asked for. */
#include "values/proto/known.h"

#include <fnmatch.h>
#include <stddef.h>

#include "values/proto/protos.h"

static const char libc_h[] = {
#include "libc_proto.h"
};
/* System calls have the prototypes of libc, unless syscall_proto.h has others. */
static const char syscall_h[] = {
#include "libc_proto.h"
#include "syscall_proto.h"
};
static const char libm_h[] = {
#include "libm_proto.h"
};
static const char libstdcxx_h[] = {
#include "libstdc++_proto.h"
};
static const char zlib_h[] = {
#include "zlib_proto.h"
};
static const char sqlite3_h[] = {
#include "sqlite3_proto.h"
};
static const char openssl_h[] = {
#include "openssl_proto.h"
};
static const char probes_h[] = {
#include "probes_proto.h"
};
static const char python_h[] = {
#include "python_proto.h"
};

/* Files that declare the functions of libraries with such names. */
static const struct {
	const char *globs[4];
	const char *name, *text;
	size_t size;
} files[] = {
#define OF(file) #file ".h", file##_h, sizeof(file##_h) - 1
	{ { "libc.so.*", "libc-2.*.so", "libpthread.so.*", "libdl.so.*" }, OF(libc) },
	{ { "ld-musl-*", "libc.musl-*", "libc.so", "librt.so.*" }, OF(libc) },
	{ { "libm.so.*", "libm-2.*.so" }, OF(libm) },
	{ { "[[]system call]" }, OF(syscall) },
	{ { "[[]probe]" }, OF(probes) },
	{ { "libstdc++.so.*", "libgcc_s.so.*", "libc++abi.so.*" }, OF(libstdcxx) },
	{ { "libz.so.*" }, OF(zlib) },
	{ { "libsqlite3.so.*" }, OF(sqlite3) },
	{ { "libssl.so.*", "libcrypto.so.*" }, OF(openssl) },
	{ { "libpython3.*", "python3", "python3.*" }, OF(python) },
#undef OF
};

enum { NR_FILES = sizeof(files) / sizeof(files[0]) };

static bool is_of(size_t i, const char *library)
{
	for (size_t k = 0; k < 4 && files[i].globs[k]; k++)
		if (!fnmatch(files[i].globs[k], library, 0))
			return true;
	return false;
}

const struct fc_types *fc_known_types(const char *library)
{
	static struct fc_types *known[NR_FILES];
	static bool is_read[NR_FILES];
	size_t i = 0;
	while (i < NR_FILES && !is_of(i, library))
		i++;
	if (i == NR_FILES)
		return NULL;
	if (!is_read[i] &&
	    fc_protos_read(files[i].name, files[i].text, files[i].size, &known[i]))
		known[i] = NULL; /* tests see to it that it can be read */
	is_read[i] = true;
	return known[i];
}
