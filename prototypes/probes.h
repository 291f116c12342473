/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.h - what the static probes of common programs are given: provider:name is provider__name here.
 * See libc.h for how it is read. One with another number of arguments is not the one meant.
 */

/* CPython: Doc/howto/instrumentation.rst. */
void python__function__entry(const char *file, const char *function, int line);
void python__function__return(const char *file, const char *function, int line);
void python__line(const char *file, const char *function, int line);
void python__gc__start(int generation);
void python__gc__done(long collected);
void python__import__find__load__start(const char *module);
void python__import__find__load__done(const char *module, int found);
void python__audit(const char *event, void *args);

/* libstdc++: libsupc++'s unwind-cxx.h. */
void libstdcxx__catch(void *object, void *type_info);
void libstdcxx__throw(void *object, void *type_info);
void libstdcxx__rethrow(void *object, void *type_info);

/* glibc: the manual, "Internal Probes". */
void libc__setjmp(void *env, int value, void *address);
void libc__longjmp(void *env, int value, void *address);
void libc__longjmp_target(void *env, int value, void *address);

/* PostgreSQL: the manual, "Dynamic Tracing". */
void postgresql__transaction__start(unsigned int id);
void postgresql__transaction__commit(unsigned int id);
void postgresql__transaction__abort(unsigned int id);
void postgresql__query__start(const char *query);
void postgresql__query__done(const char *query);
void postgresql__query__parse__start(const char *query);
void postgresql__query__parse__done(const char *query);
void postgresql__query__rewrite__start(const char *query);
void postgresql__query__rewrite__done(const char *query);
void postgresql__statement__status(const char *status);

/* PHP: "Using PHP and DTrace". */
void php__compile__file__entry(const char *file, const char *path);
void php__compile__file__return(const char *file, const char *path);
void php__error(const char *message, const char *file, int line);
void php__exception__caught(const char *class_name);
void php__exception__thrown(const char *class_name);
void php__execute__entry(const char *file, int line);
void php__execute__return(const char *file, int line);
void php__function__entry(const char *function, const char *file, int line, const char *class_name,
			  const char *scope);
void php__function__return(const char *function, const char *file, int line, const char *class_name,
			   const char *scope);
void php__request__startup(const char *file, const char *uri, const char *method);
void php__request__shutdown(const char *file, const char *uri, const char *method);
