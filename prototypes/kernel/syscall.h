/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscall.h - what system calls are given and return, where it differs from what the function of
 * the C library with the same name is given (libc.h, which is read before this), or where it has
 * none. All pass at most six words, and none a variable number.
 */

enum futex_operation {
	FUTEX_WAIT,
	FUTEX_WAKE,
	FUTEX_FD,
	FUTEX_REQUEUE,
	FUTEX_CMP_REQUEUE,
	FUTEX_WAKE_OP,
	FUTEX_LOCK_PI,
	FUTEX_UNLOCK_PI,
	FUTEX_TRYLOCK_PI,
	FUTEX_WAIT_BITSET,
	FUTEX_WAKE_BITSET,
	FUTEX_WAIT_REQUEUE_PI,
	FUTEX_CMP_REQUEUE_PI,
	FUTEX_LOCK_PI2,
	FUTEX_WAIT_PRIVATE = 128,
	FUTEX_WAKE_PRIVATE,
	FUTEX_REQUEUE_PRIVATE = 131,
	FUTEX_CMP_REQUEUE_PRIVATE,
	FUTEX_WAKE_OP_PRIVATE,
	FUTEX_LOCK_PI_PRIVATE,
	FUTEX_UNLOCK_PI_PRIVATE,
	FUTEX_TRYLOCK_PI_PRIVATE,
	FUTEX_WAIT_BITSET_PRIVATE,
	FUTEX_WAKE_BITSET_PRIVATE,
	FUTEX_WAIT_REQUEUE_PI_PRIVATE,
	FUTEX_CMP_REQUEUE_PI_PRIVATE,
	FUTEX_WAIT_BITSET_CLOCK_REALTIME = 256 + 9,
	FUTEX_WAIT_BITSET_PRIVATE_CLOCK_REALTIME = 256 + 128 + 9,
};
enum arch_request {
	ARCH_SET_GS = 0x1001,
	ARCH_SET_FS,
	ARCH_GET_FS,
	ARCH_GET_GS,
	ARCH_GET_CPUID = 0x1011,
	ARCH_SET_CPUID,
	ARCH_CET_STATUS = 0x3001,
	ARCH_SHSTK_ENABLE = 0x5001,
};
enum prctl_option {
	PR_SET_PDEATHSIG = 1,
	PR_GET_PDEATHSIG,
	PR_GET_DUMPABLE,
	PR_SET_DUMPABLE,
	PR_GET_KEEPCAPS = 7,
	PR_SET_KEEPCAPS,
	PR_SET_NAME = 15,
	PR_GET_NAME,
	PR_GET_SECCOMP = 21,
	PR_SET_SECCOMP,
	PR_CAPBSET_READ,
	PR_CAPBSET_DROP,
	PR_GET_TSC,
	PR_SET_TSC,
	PR_GET_SECUREBITS,
	PR_SET_SECUREBITS,
	PR_SET_TIMERSLACK,
	PR_GET_TIMERSLACK,
	PR_SET_MM = 35,
	PR_SET_CHILD_SUBREAPER,
	PR_GET_CHILD_SUBREAPER,
	PR_SET_NO_NEW_PRIVS,
	PR_GET_NO_NEW_PRIVS,
	PR_GET_TID_ADDRESS,
	PR_SET_THP_DISABLE,
	PR_GET_THP_DISABLE,
	PR_CAP_AMBIENT = 47,
	PR_SET_SYSCALL_USER_DISPATCH = 59,
	PR_SET_PTRACER = 0x59616d61,
	PR_SET_VMA = 0x53564d41,
};
enum seccomp_operation {
	SECCOMP_SET_MODE_STRICT,
	SECCOMP_SET_MODE_FILTER,
	SECCOMP_GET_ACTION_AVAIL,
	SECCOMP_GET_NOTIF_SIZES,
};
enum membarrier_command {
	MEMBARRIER_CMD_QUERY,
	MEMBARRIER_CMD_GLOBAL,
	MEMBARRIER_CMD_GLOBAL_EXPEDITED,
	MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED = 4,
	MEMBARRIER_CMD_PRIVATE_EXPEDITED = 8,
	MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 16,
	MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE = 32,
	MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE = 64,
	MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ = 128,
	MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ = 256,
};
enum sigaction_flags {
	SA_NOCLDSTOP = 1,
	SA_NOCLDWAIT = 2,
	SA_SIGINFO = 4,
	SA_UNSUPPORTED = 0x400,
	SA_EXPOSE_TAGBITS = 0x800,
	SA_RESTORER = 0x4000000,
	SA_ONSTACK = 0x8000000,
	SA_RESTART = 0x10000000,
	SA_NODEFER = 0x40000000,
	SA_RESETHAND = 0x80000000,
} __attribute__((flag_enum));
/* As the kernel has it; the flags have 4 more bytes there, which are 0. */
struct kernel_sigaction {
	void *handler;
	enum sigaction_flags flags;
	void *restorer;
	sigset_t mask;
};
struct pair_of_descriptors {
	int first;
	int second;
};
typedef struct __linux_dirent linux_dirent;
typedef struct __io_event io_event;
typedef unsigned long aio_context_t;

/* ---- what the C library passes on in another way ---- */

void *brk(void *addr) __attribute__((annotate("fails(never)")));
int open(const char *path, enum open_flags flags, mode_t mode)
	__attribute__((annotate("returns(fd)")));
int openat(enum directory fd, const char *path, enum open_flags flags, mode_t mode)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
int ioctl(int fd, enum ioctl_request request, void *argument) __attribute__((fd_arg(1)));
int fcntl(int fd, enum fcntl_command cmd, unsigned long argument) __attribute__((fd_arg(1)));
void *mremap(void *addr, size_t old_len, size_t new_len, enum mremap_flags flags,
	     void *new_addr) __attribute__((annotate("fails(-1)")));
long ptrace(enum ptrace_request request, pid_t pid, void *addr, void *data);
int prctl(enum prctl_option option, unsigned long arg2, unsigned long arg3, unsigned long arg4,
	  unsigned long arg5);
int semctl(int semid, int semnum, int cmd, unsigned long arg);
ssize_t getcwd(char *buf, size_t size);
int getpriority(enum priority_which which, id_t who);
int nice(int increment);
int poll(struct pollfd *fds, unsigned int nfds, int timeout)
	__attribute__((access(read_write, 1, 2)));
int ppoll(struct pollfd *fds, unsigned int nfds, struct timespec *timeout, const sigset_t *mask,
	  size_t size);
int pselect6(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds,
	     struct timespec *timeout, void *mask);
int epoll_pwait(int epfd, struct epoll_event *events, int maxevents, int timeout,
		const sigset_t *mask, size_t size) __attribute__((fd_arg(1)));
int epoll_pwait2(int epfd, struct epoll_event *events, int maxevents,
		 const struct timespec *timeout, const sigset_t *mask, size_t size)
	__attribute__((fd_arg(1)));
int signalfd(int fd, const sigset_t *mask, size_t size);
int signalfd4(int fd, const sigset_t *mask, size_t size, enum signalfd_flags flags);
int eventfd(unsigned int count) __attribute__((annotate("returns(fd)")));
int eventfd2(unsigned int count, enum eventfd_flags flags)
	__attribute__((annotate("returns(fd)")));
int pipe(struct pair_of_descriptors *ends) __attribute__((access(write_only, 1)));
int pipe2(struct pair_of_descriptors *ends, enum open_flags flags)
	__attribute__((access(write_only, 1)));
int syslog(int type, char *buf, int size);
int waitid(enum id_type idtype, id_t id, siginfo_t *infop, int options, struct rusage *usage);
int faccessat(enum directory fd, const char *file, enum access_mode mode);
int faccessat2(enum directory fd, const char *file, enum access_mode mode, enum at_flags flags);
int fchmodat(enum directory fd, const char *file, mode_t mode);
int fchmodat2(enum directory fd, const char *file, mode_t mode, enum at_flags flags);
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *cpuset);
int timer_create(enum clock_number clock_id, struct sigevent *event, int *timerid);
int timer_settime(int timerid, int flags, const struct itimerspec *value,
		  struct itimerspec *old);
int timer_gettime(int timerid, struct itimerspec *value);
int timer_getoverrun(int timerid);
int timer_delete(int timerid);
int clock_nanosleep(enum clock_number clock_id, int flags, const struct timespec *request,
		    struct timespec *remaining);
mqd_t mq_open(const char *name, enum open_flags flags, mode_t mode, struct mq_attr *attr);
int mq_getsetattr(mqd_t mqdes, const struct mq_attr *new_attr, struct mq_attr *old_attr);
ssize_t preadv(int fd, const struct iovec *iovec, unsigned long count, unsigned long pos_low,
	       unsigned long pos_high) __attribute__((fd_arg(1)));
ssize_t pwritev(int fd, const struct iovec *iovec, unsigned long count, unsigned long pos_low,
		unsigned long pos_high) __attribute__((fd_arg(1)));
ssize_t preadv2(int fd, const struct iovec *iovec, unsigned long count, unsigned long pos_low,
		unsigned long pos_high, int flags) __attribute__((fd_arg(1)));
ssize_t pwritev2(int fd, const struct iovec *iovec, unsigned long count, unsigned long pos_low,
		 unsigned long pos_high, int flags) __attribute__((fd_arg(1)));
int sync(void);
int reboot(int magic, int magic2, unsigned int cmd, void *argument);
int pause(void);
int vhangup(void);
int umask(mode_t mask);
int getcpu(unsigned int *cpu, unsigned int *node, void *unused);
pid_t vfork(void);
int execve(const char *path, char *const *argv, char *const *envp);
int execveat(enum directory fd, const char *path, char *const *argv, char *const *envp,
	     enum at_flags flags) __attribute__((fd_arg(1)));

/* ---- what it does not call so ---- */

pid_t clone(enum clone_flags flags, void *stack, int *parent_tid, int *child_tid,
	    unsigned long tls);
pid_t clone3(struct clone_args *args, size_t size);
void exit_group(int status);
int set_tid_address(int *tid);
int restart_syscall(void);
int rt_sigaction(enum signal_number sig, const struct kernel_sigaction *action,
		 struct kernel_sigaction *old, size_t size);
int rt_sigprocmask(enum sigmask_how how, const sigset_t *set, sigset_t *old, size_t size);
void rt_sigreturn(void);
int rt_sigpending(sigset_t *set, size_t size);
int rt_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout,
		    size_t size);
int rt_sigqueueinfo(pid_t pid, enum signal_number sig, siginfo_t *info);
int rt_tgsigqueueinfo(pid_t tgid, pid_t tid, enum signal_number sig, siginfo_t *info);
int rt_sigsuspend(const sigset_t *set, size_t size);
int tkill(pid_t tid, enum signal_number sig);
int futex(unsigned int *word, enum futex_operation operation, unsigned int value, void *timeout,
	  unsigned int *word2, unsigned int value3);
int futex_waitv(void *waiters, unsigned int nr, unsigned int flags, struct timespec *timeout,
		enum clock_number clock_id);
int set_robust_list(void *head, size_t len);
int get_robust_list(pid_t pid, void **head, size_t *len);
int rseq(void *rseq, unsigned int size, int flags, unsigned int signature);
int arch_prctl(enum arch_request request, void *addr);
int newfstatat(enum directory fd, const char *path, struct stat *buf, enum at_flags flags)
	__attribute__((fd_arg(1)));
ssize_t getdents(int fd, linux_dirent *buf, size_t size) __attribute__((fd_arg(1)));
int setfsuid(uid_t uid) __attribute__((annotate("fails(never)")));
int setfsgid(gid_t gid) __attribute__((annotate("fails(never)")));
int capget(void *header, void *data);
int capset(void *header, const void *data);
int ustat(dev_t dev, void *buf);
int sysfs(int option, unsigned long arg1, unsigned long arg2);
int modify_ldt(int func, void *ptr, unsigned long size);
int pivot_root(const char *new_root, const char *put_old);
int iopl(unsigned int level);
int ioperm(unsigned long from, unsigned long nr, int on);
int init_module(void *image, unsigned long len, const char *args);
int finit_module(int fd, const char *args, int flags) __attribute__((fd_arg(1)));
int delete_module(const char *name, unsigned int flags);
int io_setup(unsigned int nr, aio_context_t *context);
int io_destroy(aio_context_t context);
int io_getevents(aio_context_t context, long least, long nr, io_event *events,
		 struct timespec *timeout);
int io_pgetevents(aio_context_t context, long least, long nr, io_event *events,
		  struct timespec *timeout, const void *mask);
int io_submit(aio_context_t context, long nr, void **requests);
int io_cancel(aio_context_t context, void *request, io_event *result);
int fadvise64(int fd, off_t offset, size_t len, enum file_advice advice)
	__attribute__((fd_arg(1)));
int mbind(void *addr, unsigned long len, int mode, const unsigned long *nodes,
	  unsigned long most, unsigned int flags);
int set_mempolicy(int mode, const unsigned long *nodes, unsigned long most);
int get_mempolicy(int *mode, unsigned long *nodes, unsigned long most, void *addr,
		  unsigned long flags);
int set_mempolicy_home_node(unsigned long start, unsigned long len, unsigned long node,
			    unsigned long flags);
int migrate_pages(pid_t pid, unsigned long most, const unsigned long *from,
		  const unsigned long *to);
int move_pages(pid_t pid, unsigned long nr, void *const *pages, const int *nodes, int *status,
	       int flags);
int kexec_load(unsigned long entry, unsigned long nr, void *segments, unsigned long flags);
int kexec_file_load(int kernel_fd, int initrd_fd, unsigned long len, const char *cmdline,
		    unsigned long flags);
int add_key(const char *type, const char *description, const void *payload, size_t size,
	    int keyring);
int request_key(const char *type, const char *description, const char *info, int keyring);
long keyctl(int operation, unsigned long arg2, unsigned long arg3, unsigned long arg4,
	    unsigned long arg5);
int ioprio_set(int which, int who, int ioprio);
int ioprio_get(int which, int who);
int perf_event_open(void *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
	__attribute__((annotate("returns(fd)")));
int fanotify_init(unsigned int flags, unsigned int event_flags)
	__attribute__((annotate("returns(fd)")));
int fanotify_mark(int fd, unsigned int flags, uint64_t mask, enum directory dir,
		  const char *path) __attribute__((fd_arg(1)));
int kcmp(pid_t pid1, pid_t pid2, int type, unsigned long index1, unsigned long index2);
int sched_setattr(pid_t pid, void *attr, unsigned int flags);
int sched_getattr(pid_t pid, void *attr, unsigned int size, unsigned int flags);
int seccomp(enum seccomp_operation operation, unsigned int flags, void *args);
long bpf(int cmd, void *attr, unsigned int size);
int userfaultfd(int flags) __attribute__((annotate("returns(fd)")));
int membarrier(enum membarrier_command command, unsigned int flags, int cpu);
int pidfd_open(pid_t pid, unsigned int flags) __attribute__((annotate("returns(fd)")));
int pidfd_getfd(int pidfd, int fd, unsigned int flags) __attribute__((fd_arg(1)))
__attribute__((annotate("returns(fd)")));
int pidfd_send_signal(int pidfd, enum signal_number sig, siginfo_t *info, unsigned int flags)
	__attribute__((fd_arg(1)));
int io_uring_setup(unsigned int entries, void *params) __attribute__((annotate("returns(fd)")));
int io_uring_enter(unsigned int fd, unsigned int to_submit, unsigned int least,
		   unsigned int flags, const void *argument, size_t size);
int io_uring_register(unsigned int fd, unsigned int opcode, void *argument, unsigned int nr);
int openat2(enum directory fd, const char *path, void *how, size_t size)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
int mount_setattr(enum directory fd, const char *path, enum at_flags flags, void *attr,
		  size_t size) __attribute__((fd_arg(1)));
int quotactl_fd(unsigned int fd, unsigned int cmd, unsigned int id, void *addr);
int landlock_create_ruleset(const void *attr, size_t size, unsigned int flags);
int landlock_add_rule(int ruleset_fd, int type, const void *attr, unsigned int flags);
int landlock_restrict_self(int ruleset_fd, unsigned int flags);
int memfd_secret(unsigned int flags) __attribute__((annotate("returns(fd)")));
int cachestat(unsigned int fd, void *range, void *result, unsigned int flags);
int map_shadow_stack(unsigned long addr, unsigned long size, unsigned int flags);
int statmount(const void *request, void *buf, size_t size, unsigned int flags);
int listmount(const void *request, uint64_t *ids, size_t nr, unsigned int flags);
int mseal(void *addr, size_t len, unsigned long flags);

/* One whose number no header had when fctrace was built. */
long syscall(long number, void *arg1, void *arg2, void *arg3, void *arg4, void *arg5);
