/* SPDX-License-Identifier: Apache-2.0 */
/* What valued.c declares, and what its debug information does not say. */
struct iovec {
	void *iov_base;
	unsigned long iov_len;
};
struct sockaddr {
	unsigned short sa_family;
	char sa_data[14];
};
long gather(const struct iovec *rows, long nr)
	__attribute__((access(read_only, 1, 2), annotate("pieces(read,1)")));
long fill(const struct iovec *rows, long nr)
	__attribute__((access(read_only, 1, 2), annotate("pieces(written,1)")));
int connect_to(const struct sockaddr *addr, unsigned len)
	__attribute__((access(read_only, 1, 2)));
int open_file(const char *path, const char *other_path);
int last(int argc, const char *const *argv);
int first(void);
