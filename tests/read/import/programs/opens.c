/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the libraries that it is given, and calls work() of each. */
#include <dlfcn.h>

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		int (*work)(int) = library ? (int (*)(int))dlsym(library, "work") : 0;
		if (!work)
			return 1;
		sum += work(10);
	}
	return sum != 90;
}
