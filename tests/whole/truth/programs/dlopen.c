/* SPDX-License-Identifier: Apache-2.0 */
/* A library of the program's own, opened, called, called back from, closed and opened
 * again. */
#include <dlfcn.h>
#include <stdio.h>
#include "truth.h"

FN int callback(int x)
{
	ENTER;
	LEAVE;
	return x * 2;
}

FN int use(const char *path, int x)
{
	ENTER;
	void *lib = dlopen(path, RTLD_NOW);
	if (!lib) {
		printf("%s\n", dlerror());
		_exit(99);
	}
	int (*entry)(int, int (*)(int)) =
		(int (*)(int, int (*)(int)))dlsym(lib, "plugin_entry");
	int r = entry(x, callback);
	dlclose(lib);
	LEAVE;
	return r;
}

FN int main(int argc, char **argv)
{
	char path[4096];

	(void)argc;
	ENTER;
	snprintf(path, sizeof(path), "%s.plugin.so", argv[0]);
	printf("%d\n", use(path, 3));
	printf("%d\n", use(path, 5));
	LEAVE;
	return 0;
}
