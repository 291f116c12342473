/* SPDX-License-Identifier: Apache-2.0 */
/* What host.c asks of the library, linked or loaded. */

/* Call fn(x), with %gs pointing to a memory of this thread's; twice what it returns. */
typedef long guest_run_fn(long (*fn)(long), long x);

/* How %gs is set, and whether it is left so, as compilers of sandboxes do. */
enum guest_way { WRITES, ASKS_THE_KERNEL, RESTORES };
typedef void guest_begin_fn(enum guest_way way);
