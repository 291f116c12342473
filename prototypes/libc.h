/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libc.h - what the functions of the C library are given and return, for fctrace's -a, -A and -R.
 *
 * Plain C, as the parser of --proto reads it (fctrace.1). What C does not say of values is said by
 * attributes that compilers know:
 *
 *   enum ... __attribute__((flag_enum))       a set of flags: shown by their names
 *   __attribute__((access(write_only, 2, 3))) what argument 2 points to is written by the call, as
 *                                             many as argument 3 says; it is shown when it returns
 *   __attribute__((access(read_only, 2, 3)))  it is there when the call begins
 */

typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef int wchar_t;
typedef unsigned int wint_t;
typedef unsigned short char16_t;
typedef unsigned int char32_t;
typedef unsigned char char8_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef __builtin_va_list va_list;

typedef int pid_t, id_t, key_t, clockid_t, idtype_t, error_t, regoff_t, nl_item, mqd_t;
/* Shown in octal. */
typedef enum file_mode {
	S_IFSOCK = 0140000,
	S_IFLNK = 0120000,
	S_IFREG = 0100000,
	S_IFBLK = 060000,
	S_IFDIR = 040000,
	S_IFCHR = 020000,
	S_IFIFO = 010000,
	S_ISUID = 04000,
	S_ISGID = 02000,
	S_ISVTX = 01000,
} __attribute__((flag_enum)) __attribute__((annotate("octal"))) mode_t;
typedef unsigned int uid_t, gid_t, socklen_t, useconds_t, in_addr_t, pthread_key_t;
typedef unsigned int speed_t, tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long dev_t, ino_t, ino64_t, nlink_t, nfds_t, reg_syntax_t, wctype_t, pthread_t;
typedef long off_t, off64_t, time_t, clock_t, suseconds_t, blksize_t, blkcnt_t, blkcnt64_t;
typedef unsigned short sa_family_t, in_port_t;
typedef unsigned long eventfd_t;
typedef int pthread_once_t, once_flag, pthread_spinlock_t;
typedef void *timer_t, *iconv_t, *nl_catd, *locale_t;
typedef const int *wctrans_t;
typedef char *caddr_t;
typedef void (*sighandler_t)(int);

typedef struct _IO_FILE FILE;
typedef struct __dirstream DIR;
typedef struct __fpos_t fpos_t;
typedef struct __fpos64_t fpos64_t;
typedef struct __mbstate_t mbstate_t;
typedef struct __fd_set fd_set;
typedef struct __cpu_set_t cpu_set_t;
typedef struct __siginfo_t siginfo_t;
typedef struct __stack_t stack_t;
typedef struct __glob_t glob_t;
typedef struct __glob64_t glob64_t;
typedef struct __regex_t regex_t;
typedef struct {
	regoff_t rm_so, rm_eo;
} regmatch_t;
typedef struct __sem_t sem_t;
typedef struct __pthread_attr_t pthread_attr_t;
typedef struct __pthread_mutex_t pthread_mutex_t;
typedef struct __pthread_mutexattr_t pthread_mutexattr_t;
typedef struct __pthread_cond_t pthread_cond_t;
typedef struct __pthread_condattr_t pthread_condattr_t;
typedef struct __pthread_rwlock_t pthread_rwlock_t;
typedef struct __pthread_rwlockattr_t pthread_rwlockattr_t;
typedef struct __pthread_barrier_t pthread_barrier_t;
typedef struct __pthread_barrierattr_t pthread_barrierattr_t;
typedef struct __posix_spawnattr_t posix_spawnattr_t;
typedef struct __posix_spawn_file_actions_t posix_spawn_file_actions_t;
/* The kernel's. What the C libraries have behind it nobody sets. */
typedef enum signal_set {
	HUP = 1 << 0,
	INT = 1 << 1,
	QUIT = 1 << 2,
	ILL = 1 << 3,
	TRAP = 1 << 4,
	ABRT = 1 << 5,
	BUS = 1 << 6,
	FPE = 1 << 7,
	KILL = 1 << 8,
	USR1 = 1 << 9,
	SEGV = 1 << 10,
	USR2 = 1 << 11,
	PIPE = 1 << 12,
	ALRM = 1 << 13,
	TERM = 1 << 14,
	STKFLT = 1 << 15,
	CHLD = 1 << 16,
	CONT = 1 << 17,
	STOP = 1 << 18,
	TSTP = 1 << 19,
	TTIN = 1 << 20,
	TTOU = 1 << 21,
	URG = 1 << 22,
	XCPU = 1 << 23,
	XFSZ = 1 << 24,
	VTALRM = 1 << 25,
	PROF = 1 << 26,
	WINCH = 1 << 27,
	IO = 1 << 28,
	PWR = 1 << 29,
	SYS = 1ULL << 30,
	RT_63 = 1ULL << 63,
} __attribute__((flag_enum)) sigset_t;
typedef struct {
	int quot, rem;
} div_t;
typedef struct {
	long quot, rem;
} ldiv_t;
typedef struct {
	long long quot, rem;
} lldiv_t;
typedef struct entry {
	char *key;
	void *data;
} ENTRY;
typedef enum { FIND, ENTER } ACTION;

struct file_handle;
struct hsearch_data;
struct if_nameindex;
struct ifaddrs;
struct mntent;
struct mq_attr;
struct msqid_ds;
struct shmid_ds;
struct sigaction;
struct sigevent;
struct cmsghdr;
struct hostent;
struct netent;
struct servent;
struct protoent;
struct rpcent;
struct spwd;
struct lconv;
struct mallinfo;
struct mallinfo2;
struct statfs;
struct statfs64;
struct statvfs;
struct statvfs64;
struct statx;
struct sysinfo;
struct timex;
struct utmp;
struct utmpx;
struct sockaddr_storage;
struct in6_addr;
struct drand48_data;
struct random_data;

struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
struct timeval {
	time_t tv_sec;
	suseconds_t tv_usec;
};
struct timezone {
	int tz_minuteswest, tz_dsttime;
};
struct itimerspec {
	struct timespec it_interval, it_value;
};
struct itimerval {
	struct timeval it_interval, it_value;
};
struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
	long tm_gmtoff;
	const char *tm_zone;
};
struct tms {
	clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
struct stat {
	dev_t st_dev;
	ino_t st_ino;
	nlink_t st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	int __pad0;
	dev_t st_rdev;
	off_t st_size;
	blksize_t st_blksize;
	blkcnt_t st_blocks;
	struct timespec st_atim, st_mtim, st_ctim;
	long __unused[3];
};
struct stat64 {
	dev_t st_dev;
	ino64_t st_ino;
	nlink_t st_nlink;
	mode_t st_mode;
	uid_t st_uid;
	gid_t st_gid;
	int __pad0;
	dev_t st_rdev;
	off_t st_size;
	blksize_t st_blksize;
	blkcnt64_t st_blocks;
	struct timespec st_atim, st_mtim, st_ctim;
	long __unused[3];
};
struct dirent {
	ino_t d_ino;
	off_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[256];
};
struct dirent64 {
	ino64_t d_ino;
	off64_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[256];
};
struct iovec {
	void *iov_base;
	size_t iov_len;
};
struct sockaddr {
	sa_family_t sa_family;
	char sa_data[14];
};
struct in_addr {
	in_addr_t s_addr;
};
struct sockaddr_in {
	sa_family_t sin_family;
	in_port_t sin_port;
	struct in_addr sin_addr;
	unsigned char sin_zero[8];
};
struct msghdr {
	struct sockaddr *msg_name;
	socklen_t msg_namelen;
	struct iovec *msg_iov;
	size_t msg_iovlen;
	void *msg_control;
	size_t msg_controllen;
	int msg_flags;
};
struct mmsghdr {
	struct msghdr msg_hdr;
	unsigned int msg_len;
};
struct pollfd {
	int fd;
	short events, revents;
};
typedef union epoll_data {
	void *ptr;
	int fd;
	uint32_t u32;
	uint64_t u64;
} epoll_data_t;
enum epoll_events {
	EPOLLIN = 1,
	EPOLLPRI = 2,
	EPOLLOUT = 4,
	EPOLLERR = 8,
	EPOLLHUP = 0x10,
	EPOLLRDNORM = 0x40,
	EPOLLRDBAND = 0x80,
	EPOLLWRNORM = 0x100,
	EPOLLWRBAND = 0x200,
	EPOLLMSG = 0x400,
	EPOLLRDHUP = 0x2000,
	EPOLLEXCLUSIVE = 1 << 28,
	EPOLLWAKEUP = 1 << 29,
	EPOLLONESHOT = 1 << 30,
	EPOLLET = 1u << 31
} __attribute__((flag_enum));
struct epoll_event {
	enum epoll_events events;
	epoll_data_t data;
} __attribute__((packed));
struct passwd {
	char *pw_name, *pw_passwd;
	uid_t pw_uid;
	gid_t pw_gid;
	char *pw_gecos, *pw_dir, *pw_shell;
};
struct group {
	char *gr_name, *gr_passwd;
	gid_t gr_gid;
	char **gr_mem;
};
struct addrinfo {
	int ai_flags, ai_family, ai_socktype, ai_protocol;
	socklen_t ai_addrlen;
	struct sockaddr *ai_addr;
	char *ai_canonname;
	struct addrinfo *ai_next;
};
struct rlimit {
	unsigned long rlim_cur, rlim_max;
};
struct rlimit64 {
	unsigned long rlim_cur, rlim_max;
};
struct rusage {
	struct timeval ru_utime, ru_stime;
	long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap,
		ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
struct utsname {
	char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};
struct winsize {
	unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
struct utimbuf {
	time_t actime, modtime;
};
struct sched_param {
	int sched_priority;
};
struct sembuf {
	unsigned short sem_num;
	short sem_op, sem_flg;
};
struct option {
	const char *name;
	int has_arg, *flag, val;
};
union sigval {
	int sival_int;
	void *sival_ptr;
};
struct termios {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_line, c_cc[32];
	speed_t c_ispeed, c_ospeed;
};

enum open_flags {
	O_WRONLY = 01,
	O_RDWR = 02,
	O_CREAT = 0100,
	O_EXCL = 0200,
	O_NOCTTY = 0400,
	O_TRUNC = 01000,
	O_APPEND = 02000,
	O_NONBLOCK = 04000,
	O_SYNC = 04010000,
	O_DSYNC = 010000,
	O_ASYNC = 020000,
	O_DIRECT = 040000,
	O_LARGEFILE = 0100000,
	O_TMPFILE = 020200000,
	O_DIRECTORY = 0200000,
	O_NOFOLLOW = 0400000,
	O_NOATIME = 01000000,
	O_CLOEXEC = 02000000,
	O_PATH = 010000000,
	O_RDONLY = 0,
} __attribute__((flag_enum)) __attribute__((annotate("zero(3)")));
enum mmap_prot {
	PROT_NONE = 0,
	PROT_READ = 1,
	PROT_WRITE = 2,
	PROT_EXEC = 4,
	PROT_GROWSDOWN = 0x01000000,
	PROT_GROWSUP = 0x02000000,
} __attribute__((flag_enum));
enum mmap_flags {
	MAP_SHARED_VALIDATE = 3,
	MAP_SHARED = 1,
	MAP_PRIVATE = 2,
	MAP_FIXED = 0x10,
	MAP_ANONYMOUS = 0x20,
	MAP_32BIT = 0x40,
	MAP_GROWSDOWN = 0x100,
	MAP_DENYWRITE = 0x800,
	MAP_EXECUTABLE = 0x1000,
	MAP_LOCKED = 0x2000,
	MAP_NORESERVE = 0x4000,
	MAP_POPULATE = 0x8000,
	MAP_NONBLOCK = 0x10000,
	MAP_STACK = 0x20000,
	MAP_HUGETLB = 0x40000,
	MAP_SYNC = 0x80000,
	MAP_FIXED_NOREPLACE = 0x100000,
} __attribute__((flag_enum));
enum mremap_flags {
	MREMAP_MAYMOVE = 1,
	MREMAP_FIXED = 2,
	MREMAP_DONTUNMAP = 4
} __attribute__((flag_enum));
enum msync_flags { MS_ASYNC = 1, MS_INVALIDATE = 2, MS_SYNC = 4 } __attribute__((flag_enum));
enum mmap_advice {
	MADV_NORMAL,
	MADV_RANDOM,
	MADV_SEQUENTIAL,
	MADV_WILLNEED,
	MADV_DONTNEED,
	MADV_FREE = 8,
	MADV_REMOVE,
	MADV_DONTFORK,
	MADV_DOFORK,
	MADV_MERGEABLE,
	MADV_UNMERGEABLE,
	MADV_HUGEPAGE,
	MADV_NOHUGEPAGE,
	MADV_DONTDUMP,
	MADV_DODUMP,
	MADV_WIPEONFORK,
	MADV_KEEPONFORK,
	MADV_COLD,
	MADV_PAGEOUT,
	MADV_POPULATE_READ,
	MADV_POPULATE_WRITE,
};
enum seek_whence { SEEK_SET, SEEK_CUR, SEEK_END, SEEK_DATA, SEEK_HOLE };
enum address_family {
	AF_UNSPEC,
	AF_UNIX,
	AF_INET,
	AF_INET6 = 10,
	AF_NETLINK = 16,
	AF_PACKET = 17,
	AF_ALG = 38,
	AF_VSOCK = 40,
	AF_XDP = 44,
};
enum socket_type {
	SOCK_STREAM = 1,
	SOCK_DGRAM,
	SOCK_RAW,
	SOCK_RDM,
	SOCK_SEQPACKET,
	SOCK_CLOEXEC = 02000000,
	SOCK_NONBLOCK = 04000,
} __attribute__((flag_enum));
enum message_flags {
	MSG_OOB = 1,
	MSG_PEEK = 2,
	MSG_DONTROUTE = 4,
	MSG_CTRUNC = 8,
	MSG_TRUNC = 0x20,
	MSG_DONTWAIT = 0x40,
	MSG_EOR = 0x80,
	MSG_WAITALL = 0x100,
	MSG_CONFIRM = 0x800,
	MSG_ERRQUEUE = 0x2000,
	MSG_NOSIGNAL = 0x4000,
	MSG_MORE = 0x8000,
	MSG_WAITFORONE = 0x10000,
	MSG_FASTOPEN = 0x20000000,
	MSG_CMSG_CLOEXEC = 0x40000000,
} __attribute__((flag_enum));
enum signal_number {
	SIGHUP = 1,
	SIGINT,
	SIGQUIT,
	SIGILL,
	SIGTRAP,
	SIGABRT,
	SIGBUS,
	SIGFPE,
	SIGKILL,
	SIGUSR1,
	SIGSEGV,
	SIGUSR2,
	SIGPIPE,
	SIGALRM,
	SIGTERM,
	SIGSTKFLT,
	SIGCHLD,
	SIGCONT,
	SIGSTOP,
	SIGTSTP,
	SIGTTIN,
	SIGTTOU,
	SIGURG,
	SIGXCPU,
	SIGXFSZ,
	SIGVTALRM,
	SIGPROF,
	SIGWINCH,
	SIGIO,
	SIGPWR,
	SIGSYS,
};
enum clock_number {
	CLOCK_REALTIME,
	CLOCK_MONOTONIC,
	CLOCK_PROCESS_CPUTIME_ID,
	CLOCK_THREAD_CPUTIME_ID,
	CLOCK_MONOTONIC_RAW,
	CLOCK_REALTIME_COARSE,
	CLOCK_MONOTONIC_COARSE,
	CLOCK_BOOTTIME,
	CLOCK_REALTIME_ALARM,
	CLOCK_BOOTTIME_ALARM,
	CLOCK_TAI = 11,
};
enum fcntl_command {
	F_DUPFD,
	F_GETFD,
	F_SETFD,
	F_GETFL,
	F_SETFL,
	F_GETLK,
	F_SETLK,
	F_SETLKW,
	F_SETOWN,
	F_GETOWN,
	F_SETSIG,
	F_GETSIG,
	F_SETOWN_EX = 15,
	F_GETOWN_EX,
	F_OFD_GETLK = 36,
	F_OFD_SETLK,
	F_OFD_SETLKW,
	F_SETLEASE = 1024,
	F_GETLEASE,
	F_NOTIFY,
	F_DUPFD_CLOEXEC = 1030,
	F_SETPIPE_SZ,
	F_GETPIPE_SZ,
	F_ADD_SEALS,
	F_GET_SEALS,
};
enum access_mode { F_OK = 0, X_OK = 1, W_OK = 2, R_OK = 4 } __attribute__((flag_enum));
enum epoll_operation { EPOLL_CTL_ADD = 1, EPOLL_CTL_DEL, EPOLL_CTL_MOD };
enum shutdown_how { SHUT_RD, SHUT_WR, SHUT_RDWR };
enum sigmask_how { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
enum wait_options {
	WNOHANG = 1,
	WUNTRACED = 2,
	WCONTINUED = 8,
	__WALL = 0x40000000
} __attribute__((flag_enum));
enum flock_operation {
	LOCK_SH = 1,
	LOCK_EX = 2,
	LOCK_NB = 4,
	LOCK_UN = 8
} __attribute__((flag_enum));
enum dlopen_mode {
	RTLD_LOCAL = 0,
	RTLD_LAZY = 1,
	RTLD_NOW = 2,
	RTLD_NOLOAD = 4,
	RTLD_DEEPBIND = 8,
	RTLD_GLOBAL = 0x100,
	RTLD_NODELETE = 0x1000,
} __attribute__((flag_enum));
enum at_flags {
	AT_SYMLINK_NOFOLLOW = 0x100,
	AT_REMOVEDIR = 0x200,
	AT_SYMLINK_FOLLOW = 0x400,
	AT_NO_AUTOMOUNT = 0x800,
	AT_EMPTY_PATH = 0x1000,
	AT_STATX_FORCE_SYNC = 0x2000,
	AT_STATX_DONT_SYNC = 0x4000,
} __attribute__((flag_enum));
enum locale_category {
	LC_CTYPE,
	LC_NUMERIC,
	LC_TIME,
	LC_COLLATE,
	LC_MONETARY,
	LC_MESSAGES,
	LC_ALL,
	LC_PAPER,
	LC_NAME,
	LC_ADDRESS,
	LC_TELEPHONE,
	LC_MEASUREMENT,
	LC_IDENTIFICATION,
};
enum rlimit_resource {
	RLIMIT_CPU,
	RLIMIT_FSIZE,
	RLIMIT_DATA,
	RLIMIT_STACK,
	RLIMIT_CORE,
	RLIMIT_RSS,
	RLIMIT_NPROC,
	RLIMIT_NOFILE,
	RLIMIT_MEMLOCK,
	RLIMIT_AS,
	RLIMIT_LOCKS,
	RLIMIT_SIGPENDING,
	RLIMIT_MSGQUEUE,
	RLIMIT_NICE,
	RLIMIT_RTPRIO,
	RLIMIT_RTTIME,
};

enum itimer_which { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
enum priority_which { PRIO_PROCESS, PRIO_PGRP, PRIO_USER };
enum rusage_who { RUSAGE_SELF = 0, RUSAGE_CHILDREN = -1, RUSAGE_THREAD = 1 };
enum ptrace_request {
	PTRACE_TRACEME,
	PTRACE_PEEKTEXT,
	PTRACE_PEEKDATA,
	PTRACE_PEEKUSER,
	PTRACE_POKETEXT,
	PTRACE_POKEDATA,
	PTRACE_POKEUSER,
	PTRACE_CONT,
	PTRACE_KILL,
	PTRACE_SINGLESTEP,
	PTRACE_GETREGS = 12,
	PTRACE_SETREGS,
	PTRACE_GETFPREGS,
	PTRACE_SETFPREGS,
	PTRACE_ATTACH,
	PTRACE_DETACH,
	PTRACE_SYSCALL = 24,
	PTRACE_SETOPTIONS = 0x4200,
	PTRACE_GETEVENTMSG,
	PTRACE_GETSIGINFO,
	PTRACE_SETSIGINFO,
	PTRACE_GETREGSET,
	PTRACE_SETREGSET,
	PTRACE_SEIZE,
	PTRACE_INTERRUPT,
	PTRACE_LISTEN,
	PTRACE_PEEKSIGINFO,
	PTRACE_GETSIGMASK,
	PTRACE_SETSIGMASK,
	PTRACE_SECCOMP_GET_FILTER,
	PTRACE_SECCOMP_GET_METADATA,
	PTRACE_GET_SYSCALL_INFO,
};
/* The directory of openat() and the like. */
enum directory { AT_FDCWD = -100 };
enum epoll_flags { EPOLL_CLOEXEC = 02000000 } __attribute__((flag_enum));
enum eventfd_flags {
	EFD_SEMAPHORE = 1,
	EFD_NONBLOCK = 04000,
	EFD_CLOEXEC = 02000000
} __attribute__((flag_enum));
enum timerfd_flags { TFD_NONBLOCK = 04000, TFD_CLOEXEC = 02000000 } __attribute__((flag_enum));
enum timerfd_settime_flags {
	TFD_TIMER_ABSTIME = 1,
	TFD_TIMER_CANCEL_ON_SET = 2
} __attribute__((flag_enum));
enum signalfd_flags { SFD_NONBLOCK = 04000, SFD_CLOEXEC = 02000000 } __attribute__((flag_enum));
enum inotify_flags { IN_NONBLOCK = 04000, IN_CLOEXEC = 02000000 } __attribute__((flag_enum));
enum inotify_mask {
	IN_ACCESS = 1,
	IN_MODIFY = 2,
	IN_ATTRIB = 4,
	IN_CLOSE_WRITE = 8,
	IN_CLOSE_NOWRITE = 0x10,
	IN_OPEN = 0x20,
	IN_MOVED_FROM = 0x40,
	IN_MOVED_TO = 0x80,
	IN_CREATE = 0x100,
	IN_DELETE = 0x200,
	IN_DELETE_SELF = 0x400,
	IN_MOVE_SELF = 0x800,
	IN_ONLYDIR = 0x01000000,
	IN_DONT_FOLLOW = 0x02000000,
	IN_EXCL_UNLINK = 0x04000000,
	IN_MASK_CREATE = 0x10000000,
	IN_MASK_ADD = 0x20000000,
	IN_ISDIR = 0x40000000,
	IN_ONESHOT = 0x80000000,
} __attribute__((flag_enum));
enum memfd_flags {
	MFD_CLOEXEC = 1,
	MFD_ALLOW_SEALING = 2,
	MFD_HUGETLB = 4,
	MFD_NOEXEC_SEAL = 8,
	MFD_EXEC = 0x10
} __attribute__((flag_enum));
enum getrandom_flags {
	GRND_NONBLOCK = 1,
	GRND_RANDOM = 2,
	GRND_INSECURE = 4
} __attribute__((flag_enum));
enum file_advice {
	POSIX_FADV_NORMAL,
	POSIX_FADV_RANDOM,
	POSIX_FADV_SEQUENTIAL,
	POSIX_FADV_WILLNEED,
	POSIX_FADV_DONTNEED,
	POSIX_FADV_NOREUSE,
};
enum fallocate_mode {
	FALLOC_FL_KEEP_SIZE = 1,
	FALLOC_FL_PUNCH_HOLE = 2,
	FALLOC_FL_COLLAPSE_RANGE = 8,
	FALLOC_FL_ZERO_RANGE = 0x10,
	FALLOC_FL_INSERT_RANGE = 0x20,
	FALLOC_FL_UNSHARE_RANGE = 0x40,
} __attribute__((flag_enum));
enum lockf_command { F_ULOCK, F_LOCK, F_TLOCK, F_TEST };
enum rename_flags {
	RENAME_NOREPLACE = 1,
	RENAME_EXCHANGE = 2,
	RENAME_WHITEOUT = 4
} __attribute__((flag_enum));
enum mlockall_flags {
	MCL_CURRENT = 1,
	MCL_FUTURE = 2,
	MCL_ONFAULT = 4
} __attribute__((flag_enum));
enum clone_flags {
	CLONE_NEWTIME = 0x80,
	CLONE_VM = 0x100,
	CLONE_FS = 0x200,
	CLONE_FILES = 0x400,
	CLONE_SIGHAND = 0x800,
	CLONE_PIDFD = 0x1000,
	CLONE_PTRACE = 0x2000,
	CLONE_VFORK = 0x4000,
	CLONE_PARENT = 0x8000,
	CLONE_THREAD = 0x10000,
	CLONE_NEWNS = 0x20000,
	CLONE_SYSVSEM = 0x40000,
	CLONE_SETTLS = 0x80000,
	CLONE_PARENT_SETTID = 0x100000,
	CLONE_CHILD_CLEARTID = 0x200000,
	CLONE_UNTRACED = 0x800000,
	CLONE_CHILD_SETTID = 0x1000000,
	CLONE_NEWCGROUP = 0x2000000,
	CLONE_NEWUTS = 0x4000000,
	CLONE_NEWIPC = 0x8000000,
	CLONE_NEWUSER = 0x10000000,
	CLONE_NEWPID = 0x20000000,
	CLONE_NEWNET = 0x40000000,
	CLONE_IO = 0x80000000,
} __attribute__((flag_enum));
enum umount_flags {
	MNT_FORCE = 1,
	MNT_DETACH = 2,
	MNT_EXPIRE = 4,
	UMOUNT_NOFOLLOW = 8
} __attribute__((flag_enum));
enum scheduler {
	SCHED_OTHER,
	SCHED_FIFO,
	SCHED_RR,
	SCHED_BATCH,
	SCHED_IDLE = 5,
	SCHED_DEADLINE,
};
enum id_type { P_ALL, P_PID, P_PGID, P_PIDFD };
enum tty_when { TCSANOW, TCSADRAIN, TCSAFLUSH };
enum tty_queue { TCIFLUSH, TCOFLUSH, TCIOFLUSH };
enum tty_flow { TCOOFF, TCOON, TCIOFF, TCION };
enum socket_level {
	SOL_IP = 0,
	SOL_SOCKET = 1,
	SOL_TCP = 6,
	SOL_UDP = 17,
	SOL_IPV6 = 41,
	SOL_RAW = 255,
	SOL_PACKET = 263,
	SOL_NETLINK = 270,
};
enum ioctl_request {
	TCGETS = 0x5401,
	TCSETS,
	TCSETSW,
	TCSETSF,
	TCSBRK = 0x5409,
	TCXONC,
	TCFLSH,
	TIOCEXCL,
	TIOCNXCL,
	TIOCSCTTY,
	TIOCGPGRP,
	TIOCSPGRP,
	TIOCOUTQ,
	TIOCSTI,
	TIOCGWINSZ,
	TIOCSWINSZ,
	FIONREAD = 0x541b,
	TIOCCONS = 0x541d,
	FIONBIO = 0x5421,
	TIOCNOTTY,
	TIOCGSID = 0x5429,
	TIOCGPTN = 0x80045430,
	TIOCSPTLCK = 0x40045431,
	TIOCGPTPEER = 0x5441,
	FIONCLEX = 0x5450,
	FIOCLEX,
	FIOASYNC,
	SIOCATMARK = 0x8905,
	SIOCGIFNAME = 0x8910,
	SIOCGIFCONF = 0x8912,
	SIOCGIFFLAGS,
	SIOCSIFFLAGS,
	SIOCGIFADDR,
	SIOCGIFMTU = 0x8921,
	SIOCGIFHWADDR = 0x8927,
	SIOCGIFINDEX = 0x8933,
	FICLONE = 0x40049409,
	FICLONERANGE = 0x4020940d,
	FS_IOC_GETFLAGS = 0x80086601,
	FS_IOC_SETFLAGS = 0x40086602,
};

void _Exit(int status);
pid_t _Fork(void);
size_t __argz_count(const char *argz, size_t len);
char *__argz_next(const char *argz, size_t argz_len, const char *entry);
void __argz_stringify(char *argz, size_t len, int sep);
int __asprintf(char **ptr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void __assert(const char *assertion, const char *file, int line);
void __assert_fail(const char *assertion, const char *file, unsigned int line,
		   const char *function);
void __assert_perror_fail(int errnum, const char *file, unsigned int line,
			  const char *function);
struct cmsghdr *__cmsg_nxthdr(struct msghdr *mhdr, struct cmsghdr *cmsg);
const unsigned short **__ctype_b_loc(void);
size_t __ctype_get_mb_cur_max(void);
const int32_t **__ctype_tolower_loc(void);
const int32_t **__ctype_toupper_loc(void);
char *__dcgettext(const char *domainname, const char *msgid, int category);
char *__dgettext(const char *domainname, const char *msgid);
int *__errno_location(void);
void __error_alias(int status, int errnum, const char *format, ...) __asm__("error")
	__attribute__((format(printf, 3, 4)));
void __error_at_line_alias(int status, int errnum, const char *fname, unsigned int line,
			   const char *format, ...) __asm__("error_at_line")
	__attribute__((format(printf, 5, 6)));
void __error_at_line_noreturn(int status, int errnum, const char *fname, unsigned int line,
			      const char *format, ...) __asm__("error_at_line")
	__attribute__((format(printf, 5, 6)));
void __error_noreturn(int status, int errnum, const char *format, ...) __asm__("error")
	__attribute__((format(printf, 3, 4)));
size_t __fbufsize(FILE *fp);
int __flbf(FILE *fp);
size_t __fpending(FILE *fp);
void __fpurge(FILE *fp);
int __freadable(FILE *fp);
int __freading(FILE *fp);
int __fsetlocking(FILE *fp, int type);
int __fwritable(FILE *fp);
int __fwriting(FILE *fp);
ssize_t __getdelim(char **lineptr, size_t *n, int delimiter, FILE *stream)
	__attribute__((annotate("fails(never)")));
int __getpagesize(void);
pid_t __getpgid(pid_t pid);
int *__h_errno_location(void);
size_t __mbrlen(const char *s, size_t n, mbstate_t *ps);
int __memcmpeq(const void *s1, const void *s2, size_t n)
	__attribute__((annotate("fails(never)")));
void *__mempcpy(void *dest, const void *src, size_t n);
int __overflow(FILE *, int);
cpu_set_t *__sched_cpualloc(size_t count);
int __sched_cpucount(size_t setsize, const cpu_set_t *setp);
void __sched_cpufree(cpu_set_t *set);
char *__stpcpy(char *dest, const char *src);
char *__stpncpy(char *dest, const char *src, size_t n)
	__attribute__((access(write_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)))
	__attribute__((annotate("returns(address)")));
char *__strtok_r(char *s, const char *delim, char **save_ptr)
	__attribute__((annotate("fails(never)")));
long __sysconf(int name);
sighandler_t __sysv_signal(int sig, sighandler_t handler)
	__attribute__((annotate("fails(-1)")));
int __tolower_l(int c, locale_t l);
int __toupper_l(int c, locale_t l);
int __uflow(FILE *) __attribute__((annotate("fails(never)")));
char *__xpg_basename(char *path);
void _exit(int status);
void _flushlbf(void);
int _tolower(int);
int _toupper(int);
long a64l(const char *s);
void abort(void);
int abs(int x) __attribute__((annotate("fails(never)")));
int accept(int fd, struct sockaddr *addr, socklen_t *addr_len) __attribute__((fd_arg(1)))
__attribute__((access(write_only, 2))) __attribute__((access(read_write, 3)))
__attribute__((annotate("length(2,3)")))
__attribute__((annotate("returns(fd)")));
int accept4(int fd, struct sockaddr *addr, socklen_t *addr_len, enum socket_type flags)
	__attribute__((access(write_only, 2))) __attribute__((access(read_write, 3)))
__attribute__((annotate("length(2,3)")))
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
int access(const char *name, enum access_mode type)
	__attribute__((annotate("path(1)")));
int acct(const char *name)
	__attribute__((annotate("path(1)")));
int addmntent(FILE *stream, const struct mntent *mnt);
int adjtime(const struct timeval *delta, struct timeval *olddelta);
int adjtimex(struct timex *ntx);
unsigned int alarm(unsigned int seconds);
void *aligned_alloc(size_t alignment, size_t size);
int alphasort(const struct dirent **e1, const struct dirent **e2)
	__attribute__((annotate("fails(never)")));
int alphasort64(const struct dirent64 **e1, const struct dirent64 **e2)
	__attribute__((annotate("fails(never)")));
uint32_t arc4random(void);
void arc4random_buf(void *buf, size_t size);
uint32_t arc4random_uniform(uint32_t upper_bound);
char *asctime(const struct tm *tp);
char *asctime_r(const struct tm *tp, char *buf);
int asprintf(char **ptr, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
double atof(const char *nptr);
int atoi(const char *nptr) __attribute__((annotate("fails(never)")));
long atol(const char *nptr) __attribute__((annotate("fails(never)")));
long long atoll(const char *nptr) __attribute__((annotate("fails(never)")));
int backtrace(void **array, int size) __attribute__((access(write_only, 1)))
__attribute__((annotate("returns(count,1)")));
char **backtrace_symbols(void *const *array, int size);
void backtrace_symbols_fd(void *const *array, int size, int fd) __attribute__((fd_arg(3)));
char *basename(const char *filename);
int bcmp(const void *s1, const void *s2, size_t n) __attribute__((annotate("fails(never)")));
void bcopy(const void *src, void *dest, size_t n);
int bind(int fd, const struct sockaddr *addr, socklen_t len) __attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3)));
char *bind_textdomain_codeset(const char *domainname, const char *codeset);
int bindresvport(int sockfd, struct sockaddr_in *sock_in) __attribute__((fd_arg(1)));
char *bindtextdomain(const char *domainname, const char *dirname)
	__attribute__((annotate("fails(never)")));
int brk(void *addr);
void *bsearch(const void *key, const void *base, size_t nmemb, size_t size,
	      int (*compar)(const void *, const void *))
	__attribute__((annotate("fails(never)")));
wint_t btowc(int c) __attribute__((annotate("fails(no errno)")));
void bzero(void *s, size_t n);
size_t c16rtomb(char *s, char16_t c16, mbstate_t *ps);
size_t c32rtomb(char *s, char32_t c32, mbstate_t *ps);
size_t c8rtomb(char *s, char8_t c8, mbstate_t *ps);
void *calloc(size_t nmemb, size_t size);
char *canonicalize_file_name(const char *name)
	__attribute__((annotate("path(0)")))
	__attribute__((annotate("path(1)")));
int catclose(nl_catd catalog);
char *catgets(nl_catd catalog, int set, int number, const char *string)
	__attribute__((annotate("fails(no errno)")));
nl_catd catopen(const char *cat_name, int flag);
speed_t cfgetispeed(const struct termios *termios_p);
speed_t cfgetospeed(const struct termios *termios_p);
void cfmakeraw(struct termios *termios_p);
int cfsetispeed(struct termios *termios_p, speed_t speed);
int cfsetospeed(struct termios *termios_p, speed_t speed);
int cfsetspeed(struct termios *termios_p, speed_t speed);
int chdir(const char *path);
int chmod(const char *file, mode_t mode);
int chown(const char *file, uid_t owner, gid_t group);
int chroot(const char *path);
int clearenv(void);
void clearerr(FILE *stream);
void clearerr_unlocked(FILE *stream);
clock_t clock(void);
int clock_adjtime(clockid_t clock_id, struct timex *utx);
int clock_getcpuclockid(pid_t pid, clockid_t *clock_id);
int clock_getres(enum clock_number clock_id, struct timespec *res);
int clock_gettime(enum clock_number clock_id, struct timespec *tp)
	__attribute__((access(write_only, 2)));
int clock_nanosleep(enum clock_number clock_id, int flags, const struct timespec *req,
		    struct timespec *rem) __attribute__((annotate("fails(nonzero)")));
int clock_settime(enum clock_number clock_id, const struct timespec *tp);
int close(int fd) __attribute__((fd_arg(1)));
int close_range(unsigned int fd, unsigned int max_fd, int flags);
int closedir(DIR *dirp);
void closefrom(int lowfd);
void closelog(void);
size_t confstr(int name, char *buf, size_t len) __attribute__((access(write_only, 2, 3)));
int connect(int fd, const struct sockaddr *addr, socklen_t len) __attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3)));
ssize_t copy_file_range(int infd, off64_t *pinoff, int outfd, off64_t *poutoff, size_t length,
			unsigned int flags) __attribute__((fd_arg(1)))
__attribute__((fd_arg(3)));
int creat(const char *path, mode_t mode) __attribute__((annotate("returns(fd)")));
int creat64(const char *path, mode_t mode) __attribute__((annotate("returns(fd)")));
char *ctermid(char *s) __attribute__((access(write_only, 1)));
char *ctime(const time_t *timer);
char *ctime_r(const time_t *timer, char *buf);
char *cuserid(char *s) __attribute__((access(write_only, 1)));
int daemon(int nochdir, int noclose);
char *dcgettext(const char *domainname, const char *msgid, int category);
char *dcngettext(const char *domainname, const char *msgid1, const char *msgid2,
		 unsigned long n, int category);
char *dgettext(const char *domainname, const char *msgid);
double difftime(time_t time1, time_t time0);
int dirfd(DIR *dirp) __attribute__((annotate("returns(fd)")));
char *dirname(char *path);
div_t div(int numer, int denom);
int dlclose(void *handle);
char *dlerror(void) __attribute__((annotate("fails(never)")));
int dlinfo(void *handle, int request, void *arg);
void *dlopen(const char *file, enum dlopen_mode mode)
	__attribute__((annotate("fails(no errno)")));
void *dlsym(void *handle, const char *name) __attribute__((annotate("fails(no errno)")));
void *dlvsym(void *handle, const char *name, const char *version)
	__attribute__((annotate("fails(no errno)")));
char *dngettext(const char *domainname, const char *msgid1, const char *msgid2,
		unsigned long n);
int dprintf(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)))
__attribute__((fd_arg(1)));
double drand48(void);
int dup(int fd) __attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
int dup2(int fd, int fd2) __attribute__((fd_arg(1))) __attribute__((fd_arg(2)))
__attribute__((annotate("returns(fd)")));
int dup3(int fd, int fd2, int flags) __attribute__((fd_arg(1))) __attribute__((fd_arg(2)))
__attribute__((annotate("returns(fd)")));
locale_t duplocale(locale_t dataset);
int dysize(int year);
int eaccess(const char *name, enum access_mode type);
char *ecvt(double value, int ndigit, int *decpt, int *sign);
int ecvt_r(double value, int ndigit, int *decpt, int *sign, char *buf, size_t len);
void endgrent(void);
void endhostent(void);
int endmntent(FILE *stream);
void endnetent(void);
void endnetgrent(void);
void endprotoent(void);
void endpwent(void);
void endrpcent(void);
void endservent(void);
void endspent(void);
void endusershell(void);
void endutent(void);
void endutxent(void);
int epoll_create(int size) __attribute__((annotate("returns(fd)")));
int epoll_create1(enum epoll_flags flags) __attribute__((annotate("returns(fd)")));
int epoll_ctl(int epfd, enum epoll_operation op, int fd, struct epoll_event *event)
	__attribute__((fd_arg(1))) __attribute__((fd_arg(3)))
	__attribute__((access(read_only, 4)));
int epoll_pwait(int epfd, struct epoll_event *events, int maxevents, int timeout,
		const sigset_t *ss) __attribute__((access(write_only, 2)))
	__attribute__((annotate("returns(count,2)"))) __attribute__((fd_arg(1)));
int epoll_pwait2(int epfd, struct epoll_event *events, int maxevents,
		 const struct timespec *timeout, const sigset_t *ss)
	__attribute__((access(write_only, 2))) __attribute__((annotate("returns(count,2)")))
	__attribute__((fd_arg(1)));
int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
	__attribute__((access(write_only, 2))) __attribute__((annotate("returns(count,2)")))
	__attribute__((fd_arg(1)));
double erand48(unsigned short xsubi[3]);
void err(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void error(int status, int errnum, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void error_at_line(int status, int errnum, const char *fname, unsigned int lineno,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));
void errx(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
int euidaccess(const char *name, enum access_mode type);
int eventfd(unsigned int count, enum eventfd_flags flags)
	__attribute__((annotate("returns(fd)")));
int eventfd_read(int fd, eventfd_t *value) __attribute__((fd_arg(1)));
int eventfd_write(int fd, eventfd_t value) __attribute__((fd_arg(1)));
int execl(const char *path, const char *arg, ...);
int execle(const char *path, const char *arg, ...);
int execlp(const char *file, const char *arg, ...);
int execv(const char *path, char *const argv[]);
int execve(const char *path, char *const argv[], char *const envp[]);
int execveat(enum directory fd, const char *path, char *const argv[], char *const envp[],
	     enum at_flags flags) __attribute__((fd_arg(1)));
int execvp(const char *file, char *const argv[]);
int execvpe(const char *file, char *const argv[], char *const envp[]);
void exit(int status);
void explicit_bzero(void *s, size_t n) __attribute__((access(write_only, 1, 2)));
int faccessat(enum directory fd, const char *file, enum access_mode type, int flag)
	__attribute__((fd_arg(1)));
int fallocate(int fd, enum fallocate_mode mode, off_t offset, off_t len)
	__attribute__((fd_arg(1)));
int fallocate64(int fd, enum fallocate_mode mode, off64_t offset, off64_t len)
	__attribute__((fd_arg(1)));
int fchdir(int fd) __attribute__((fd_arg(1)));
int fchmod(int fd, mode_t mode) __attribute__((fd_arg(1)));
int fchmodat(enum directory fd, const char *file, mode_t mode, enum at_flags flag)
	__attribute__((fd_arg(1)));
int fchown(int fd, uid_t owner, gid_t group) __attribute__((fd_arg(1)));
int fchownat(enum directory fd, const char *file, uid_t owner, gid_t group, enum at_flags flag)
	__attribute__((fd_arg(1)));
int fclose(FILE *stream);
int fcloseall(void);
int fcntl(int fd, enum fcntl_command cmd, ...) __attribute__((fd_arg(1)))
__attribute__((annotate("rest(signed,4,is,2,0,2,4,8,10,1024,1026,1030,1031,1033)")));
int fcntl64(int fd, enum fcntl_command cmd, ...) __attribute__((fd_arg(1)))
__attribute__((annotate("rest(signed,4,is,2,0,2,4,8,10,1024,1026,1030,1031,1033)")));
char *fcvt(double value, int ndigit, int *decpt, int *sign);
int fcvt_r(double value, int ndigit, int *decpt, int *sign, char *buf, size_t len);
int fdatasync(int fildes) __attribute__((fd_arg(1)));
FILE *fdopen(int fd, const char *modes) __attribute__((fd_arg(1)));
DIR *fdopendir(int fd) __attribute__((fd_arg(1)));
int feof(FILE *stream);
int feof_unlocked(FILE *stream);
int ferror(FILE *stream);
int ferror_unlocked(FILE *stream);
int fexecve(int fd, char *const argv[], char *const envp[]) __attribute__((fd_arg(1)));
int fflush(FILE *stream);
int fflush_unlocked(FILE *stream);
int ffs(int i) __attribute__((annotate("fails(never)")));
int ffsl(long l) __attribute__((annotate("fails(never)")));
int ffsll(long long ll) __attribute__((annotate("fails(never)")));
int fgetc(FILE *stream) __attribute__((annotate("fails(never)")));
int fgetc_unlocked(FILE *stream) __attribute__((annotate("fails(never)")));
struct group *fgetgrent(FILE *stream) __attribute__((annotate("fails(no errno)")));
int fgetgrent_r(FILE *stream, struct group *resultbuf, char *buffer, size_t buflen,
		struct group **result) __attribute__((access(write_only, 3, 4)));
int fgetpos(FILE *stream, fpos_t *pos);
int fgetpos64(FILE *stream, fpos64_t *pos);
struct passwd *fgetpwent(FILE *stream) __attribute__((annotate("fails(no errno)")));
int fgetpwent_r(FILE *stream, struct passwd *resultbuf, char *buffer, size_t buflen,
		struct passwd **result) __attribute__((access(write_only, 3, 4)));
char *fgets(char *s, int n, FILE *stream) __attribute__((access(write_only, 1, 2)))
__attribute__((annotate("fails(never)")));
char *fgets_unlocked(char *s, int n, FILE *stream) __attribute__((access(write_only, 1, 2)))
__attribute__((annotate("fails(never)")));
struct spwd *fgetspent(FILE *stream);
int fgetspent_r(FILE *stream, struct spwd *result_buf, char *buffer, size_t buflen,
		struct spwd **result) __attribute__((access(write_only, 3, 4)));
wint_t fgetwc(FILE *stream) __attribute__((annotate("fails(never)")));
wint_t fgetwc_unlocked(FILE *stream);
wchar_t *fgetws(wchar_t *ws, int n, FILE *stream) __attribute__((annotate("fails(never)")));
wchar_t *fgetws_unlocked(wchar_t *ws, int n, FILE *stream);
ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
	__attribute__((access(write_only, 3, 4))) __attribute__((fd_arg(1)));
int fileno(FILE *stream) __attribute__((annotate("returns(fd)")));
int fileno_unlocked(FILE *stream) __attribute__((annotate("returns(fd)")));
ssize_t flistxattr(int fd, char *list, size_t size) __attribute__((access(write_only, 2, 3)))
__attribute__((fd_arg(1)));
int flock(int fd, enum flock_operation operation) __attribute__((fd_arg(1)));
void flockfile(FILE *stream);
FILE *fmemopen(void *s, size_t len, const char *modes);
int fnmatch(const char *pattern, const char *name, int flags);
FILE *fopen(const char *filename, const char *modes);
FILE *fopen64(const char *filename, const char *modes);
pid_t fork(void);
int forkpty(int *amaster, char *name, const struct termios *termp, const struct winsize *winp);
long fpathconf(int fd, int name) __attribute__((fd_arg(1)));
int fprintf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));
int fputc(int c, FILE *stream);
int fputc_unlocked(int c, FILE *stream);
int fputs(const char *s, FILE *stream);
int fputs_unlocked(const char *s, FILE *stream);
wint_t fputwc(wchar_t wc, FILE *stream);
wint_t fputwc_unlocked(wchar_t wc, FILE *stream);
int fputws(const wchar_t *ws, FILE *stream);
int fputws_unlocked(const wchar_t *ws, FILE *stream);
size_t fread(void *ptr, size_t size, size_t n, FILE *stream);
size_t fread_unlocked(void *ptr, size_t size, size_t n, FILE *stream);
void free(void *ptr);
void freeaddrinfo(struct addrinfo *ai);
void freeifaddrs(struct ifaddrs *ifa);
void freelocale(locale_t dataset);
int fremovexattr(int fd, const char *name) __attribute__((fd_arg(1)));
FILE *freopen(const char *filename, const char *modes, FILE *stream);
FILE *freopen64(const char *filename, const char *modes, FILE *stream);
int fscanf(FILE *stream, const char *format, ...) __attribute__((annotate("fails(no errno)")));
int fsconfig(int fd, unsigned int cmd, const char *key, const void *value, int aux)
	__attribute__((fd_arg(1)));
int fseek(FILE *stream, long off, enum seek_whence whence);
int fseeko(FILE *stream, off_t off, enum seek_whence whence);
int fseeko64(FILE *stream, off64_t off, enum seek_whence whence);
int fsetpos(FILE *stream, const fpos_t *pos);
int fsetpos64(FILE *stream, const fpos64_t *pos);
int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
	__attribute__((access(read_only, 3, 4))) __attribute__((fd_arg(1)));
int fsmount(int fd, unsigned int flags, unsigned int ms_flags) __attribute__((fd_arg(1)))
__attribute__((annotate("returns(fd)")));
int fsopen(const char *fs_name, unsigned int flags) __attribute__((annotate("returns(fd)")));
int fspick(enum directory dfd, const char *path, unsigned int flags) __attribute__((fd_arg(1)))
__attribute__((annotate("returns(fd)")));
int fstat(int fd, struct stat *buf) __attribute__((access(write_only, 2)))
__attribute__((fd_arg(1)));
int fstat64(int fd, struct stat64 *buf) __attribute__((access(write_only, 2)))
__attribute__((fd_arg(1)));
int fstatat(enum directory fd, const char *file, struct stat *buf, enum at_flags flag)
	__attribute__((access(write_only, 3))) __attribute__((fd_arg(1)));
int fstatat64(enum directory fd, const char *file, struct stat64 *buf, enum at_flags flag)
	__attribute__((fd_arg(1)));
int fstatfs(int fildes, struct statfs *buf) __attribute__((fd_arg(1)));
int fstatfs64(int fildes, struct statfs64 *buf) __attribute__((fd_arg(1)));
int fstatvfs(int fildes, struct statvfs *buf) __attribute__((fd_arg(1)));
int fstatvfs64(int fildes, struct statvfs64 *buf) __attribute__((fd_arg(1)));
int fsync(int fd) __attribute__((fd_arg(1)));
long ftell(FILE *stream);
off_t ftello(FILE *stream);
off64_t ftello64(FILE *stream);
key_t ftok(const char *pathname, int proj_id);
int ftruncate(int fd, off_t length) __attribute__((fd_arg(1)));
int ftruncate64(int fd, off64_t length) __attribute__((fd_arg(1)));
int ftrylockfile(FILE *stream);
void funlockfile(FILE *stream);
int futimens(int fd, const struct timespec times[2]) __attribute__((fd_arg(1)));
int futimes(int fd, const struct timeval tvp[2]) __attribute__((fd_arg(1)));
int futimesat(enum directory fd, const char *file, const struct timeval tvp[2])
	__attribute__((fd_arg(1)));
int fwide(FILE *fp, int mode);
int fwprintf(FILE *stream, const wchar_t *format, ...);
size_t fwrite(const void *ptr, size_t size, size_t n, FILE *s)
	__attribute__((access(read_only, 1)));
size_t fwrite_unlocked(const void *ptr, size_t size, size_t n, FILE *stream);
int fwscanf(FILE *stream, const wchar_t *format, ...)
	__attribute__((annotate("fails(no errno)")));
char *gcvt(double value, int ndigit, char *buf);
long get_avphys_pages(void);
char *get_current_dir_name(void);
int get_nprocs(void);
int get_nprocs_conf(void);
long get_phys_pages(void);
int getaddrinfo(const char *name, const char *service, const struct addrinfo *req,
		struct addrinfo **pai) __attribute__((annotate("fails(nonzero)")));
unsigned long getauxval(unsigned long type) __attribute__((annotate("fails(never)")));
int getc(FILE *stream) __attribute__((annotate("fails(never)")));
int getc_unlocked(FILE *stream) __attribute__((annotate("fails(never)")));
int getchar(void) __attribute__((annotate("fails(never)")));
int getchar_unlocked(void) __attribute__((annotate("fails(never)")));
int getcpu(unsigned int *, unsigned int *);
char *getcwd(char *buf, size_t size)
	__attribute__((annotate("path(0)")))
	__attribute__((annotate("path(1)")));
struct tm *getdate(const char *string);
int getdate_r(const char *string, struct tm *resbufp);
ssize_t getdelim(char **lineptr, size_t *n, int delimiter, FILE *stream)
	__attribute__((annotate("fails(never)")));
ssize_t getdents64(int fd, void *buffer, size_t length) __attribute__((fd_arg(1)));
ssize_t getdirentries(int fd, char *buf, size_t nbytes, off_t *basep)
	__attribute__((fd_arg(1)));
ssize_t getdirentries64(int fd, char *buf, size_t nbytes, off64_t *basep)
	__attribute__((fd_arg(1)));
int getdomainname(char *name, size_t len) __attribute__((access(write_only, 1, 2)));
int getdtablesize(void);
gid_t getegid(void);
int getentropy(void *buffer, size_t length) __attribute__((access(write_only, 1, 2)));
char *getenv(const char *name) __attribute__((annotate("fails(never)")));
uid_t geteuid(void);
gid_t getgid(void);
struct group *getgrent(void) __attribute__((annotate("fails(never)")));
int getgrent_r(struct group *resultbuf, char *buffer, size_t buflen, struct group **result)
	__attribute__((access(write_only, 2, 3))) __attribute__((annotate("fails(nonzero)")));
struct group *getgrgid(gid_t gid) __attribute__((annotate("fails(no errno)")));
int getgrgid_r(gid_t gid, struct group *resultbuf, char *buffer, size_t buflen,
	       struct group **result) __attribute__((access(write_only, 3, 4)))
__attribute__((annotate("fails(nonzero)")));
struct group *getgrnam(const char *name) __attribute__((annotate("fails(no errno)")));
int getgrnam_r(const char *name, struct group *resultbuf, char *buffer, size_t buflen,
	       struct group **result) __attribute__((access(write_only, 3, 4)))
__attribute__((annotate("fails(nonzero)")));
int getgrouplist(const char *user, gid_t group, gid_t *groups, int *ngroups);
int getgroups(int size, gid_t list[]) __attribute__((access(write_only, 2)))
	__attribute__((annotate("returns(count,2)")));
struct hostent *gethostbyaddr(const void *addr, socklen_t len, int type)
	__attribute__((annotate("fails(no errno)")));
int gethostbyaddr_r(const void *addr, socklen_t len, int type, struct hostent *result_buf,
		    char *buf, size_t buflen, struct hostent **result, int *h_errnop);
struct hostent *gethostbyname(const char *name) __attribute__((annotate("fails(no errno)")));
struct hostent *gethostbyname2(const char *name, int af)
	__attribute__((annotate("fails(no errno)")));
int gethostbyname2_r(const char *name, int af, struct hostent *result_buf, char *buf,
		     size_t buflen, struct hostent **result, int *h_errnop);
int gethostbyname_r(const char *name, struct hostent *result_buf, char *buf, size_t buflen,
		    struct hostent **result, int *h_errnop);
struct hostent *gethostent(void) __attribute__((annotate("fails(no errno)")));
int gethostent_r(struct hostent *result_buf, char *buf, size_t buflen, struct hostent **result,
		 int *h_errnop);
long gethostid(void);
int gethostname(char *name, size_t len) __attribute__((access(write_only, 1, 2)));
int getifaddrs(struct ifaddrs **ifap);
int getipv4sourcefilter(int s, struct in_addr interface_addr, struct in_addr group,
			uint32_t *fmode, uint32_t *numsrc, struct in_addr *slist);
int getitimer(enum itimer_which which, struct itimerval *value);
ssize_t getline(char **lineptr, size_t *n, FILE *stream) __attribute__((access(read_write, 1)))
__attribute__((annotate("fails(never)")));
int getloadavg(double loadavg[], int nelem) __attribute__((access(write_only, 1)))
__attribute__((annotate("returns(count,1)")));
char *getlogin(void) __attribute__((annotate("fails(no errno)")));
int getlogin_r(char *name, size_t name_len) __attribute__((access(write_only, 1, 2)))
__attribute__((annotate("fails(nonzero)")));
struct mntent *getmntent(FILE *stream) __attribute__((annotate("fails(never)")));
struct mntent *getmntent_r(FILE *stream, struct mntent *result, char *buffer, int bufsize);
int getnameinfo(const struct sockaddr *sa, socklen_t salen, char *host, socklen_t hostlen,
		char *serv, socklen_t servlen, int flags)
	__attribute__((annotate("fails(nonzero)")))
	__attribute__((access(read_only, 1, 2)));
struct netent *getnetbyaddr(uint32_t net, int type)
	__attribute__((annotate("fails(no errno)")));
int getnetbyaddr_r(uint32_t net, int type, struct netent *result_buf, char *buf, size_t buflen,
		   struct netent **result, int *h_errnop);
struct netent *getnetbyname(const char *name) __attribute__((annotate("fails(no errno)")));
int getnetbyname_r(const char *name, struct netent *result_buf, char *buf, size_t buflen,
		   struct netent **result, int *h_errnop);
struct netent *getnetent(void) __attribute__((annotate("fails(no errno)")));
int getnetent_r(struct netent *result_buf, char *buf, size_t buflen, struct netent **result,
		int *h_errnop);
int getnetgrent(char **hostp, char **userp, char **domainp);
int getnetgrent_r(char **hostp, char **userp, char **domainp, char *buffer, size_t buflen);
int getopt(int _argc, char *const *_argv, const char *shortopts)
	__attribute__((annotate("fails(never)")));
int getopt_long(int _argc, char *const *_argv, const char *shortopts,
		const struct option *longopts, int *longind)
	__attribute__((annotate("fails(never)")));
int getopt_long_only(int _argc, char *const *_argv, const char *shortopts,
		     const struct option *longopts, int *longind)
	__attribute__((annotate("fails(never)")));
int getpagesize(void);
char *getpass(const char *prompt);
int getpeername(int fd, struct sockaddr *addr, socklen_t *len) __attribute__((fd_arg(1)))
__attribute__((access(write_only, 2))) __attribute__((access(read_write, 3)))
__attribute__((annotate("length(2,3)")));
pid_t getpgid(pid_t pid);
pid_t getpgrp(void);
pid_t getpid(void);
pid_t getppid(void);
int getpriority(enum priority_which which, id_t who);
struct protoent *getprotobyname(const char *name) __attribute__((annotate("fails(no errno)")));
int getprotobyname_r(const char *name, struct protoent *result_buf, char *buf, size_t buflen,
		     struct protoent **result);
struct protoent *getprotobynumber(int proto) __attribute__((annotate("fails(no errno)")));
int getprotobynumber_r(int proto, struct protoent *result_buf, char *buf, size_t buflen,
		       struct protoent **result);
struct protoent *getprotoent(void) __attribute__((annotate("fails(no errno)")));
int getprotoent_r(struct protoent *result_buf, char *buf, size_t buflen,
		  struct protoent **result);
int getpt(void) __attribute__((annotate("returns(fd)")));
int getpw(uid_t uid, char *buffer);
struct passwd *getpwent(void) __attribute__((annotate("fails(never)")));
int getpwent_r(struct passwd *resultbuf, char *buffer, size_t buflen, struct passwd **result)
	__attribute__((access(write_only, 2, 3))) __attribute__((annotate("fails(nonzero)")));
struct passwd *getpwnam(const char *name) __attribute__((annotate("fails(no errno)")));
int getpwnam_r(const char *name, struct passwd *resultbuf, char *buffer, size_t buflen,
	       struct passwd **result) __attribute__((access(write_only, 3, 4)))
__attribute__((annotate("fails(nonzero)")));
struct passwd *getpwuid(uid_t uid) __attribute__((annotate("fails(no errno)")));
int getpwuid_r(uid_t uid, struct passwd *resultbuf, char *buffer, size_t buflen,
	       struct passwd **result) __attribute__((access(write_only, 3, 4)))
__attribute__((annotate("fails(nonzero)")));
ssize_t getrandom(void *buffer, size_t length, enum getrandom_flags flags)
	__attribute__((access(write_only, 1, 2)));
int getresgid(gid_t *rgid, gid_t *egid, gid_t *sgid);
int getresuid(uid_t *ruid, uid_t *euid, uid_t *suid);
int getrlimit(enum rlimit_resource resource, struct rlimit *rlimits)
	__attribute__((access(write_only, 2)));
int getrlimit64(enum rlimit_resource resource, struct rlimit64 *rlimits);
struct rpcent *getrpcbyname(const char *name);
int getrpcbyname_r(const char *name, struct rpcent *result_buf, char *buffer, size_t buflen,
		   struct rpcent **result);
struct rpcent *getrpcbynumber(int number);
int getrpcbynumber_r(int number, struct rpcent *result_buf, char *buffer, size_t buflen,
		     struct rpcent **result);
struct rpcent *getrpcent(void);
int getrpcent_r(struct rpcent *result_buf, char *buffer, size_t buflen, struct rpcent **result);
int getrusage(enum rusage_who who, struct rusage *usage) __attribute__((access(write_only, 2)));
struct servent *getservbyname(const char *name, const char *proto)
	__attribute__((annotate("fails(no errno)")));
int getservbyname_r(const char *name, const char *proto, struct servent *result_buf, char *buf,
		    size_t buflen, struct servent **result);
struct servent *getservbyport(int port, const char *proto)
	__attribute__((annotate("fails(no errno)")));
int getservbyport_r(int port, const char *proto, struct servent *result_buf, char *buf,
		    size_t buflen, struct servent **result);
struct servent *getservent(void) __attribute__((annotate("fails(no errno)")));
int getservent_r(struct servent *result_buf, char *buf, size_t buflen, struct servent **result);
pid_t getsid(pid_t pid);
int getsockname(int fd, struct sockaddr *addr, socklen_t *len) __attribute__((fd_arg(1)))
__attribute__((access(write_only, 2))) __attribute__((access(read_write, 3)))
__attribute__((annotate("length(2,3)")));
int getsockopt(int fd, enum socket_level level, int optname, void *optval, socklen_t *optlen)
	__attribute__((fd_arg(1))) __attribute__((annotate("option(2,3,4)")))
	__attribute__((access(write_only, 4))) __attribute__((access(read_write, 5)))
	__attribute__((annotate("length(4,5)")));
int getsourcefilter(int s, uint32_t interface_addr, const struct sockaddr *group,
		    socklen_t grouplen, uint32_t *fmode, uint32_t *numsrc,
		    struct sockaddr_storage *slist);
struct spwd *getspent(void) __attribute__((annotate("fails(no errno)")));
int getspent_r(struct spwd *result_buf, char *buffer, size_t buflen, struct spwd **result)
	__attribute__((access(write_only, 2, 3)));
struct spwd *getspnam(const char *name) __attribute__((annotate("fails(no errno)")));
int getspnam_r(const char *name, struct spwd *result_buf, char *buffer, size_t buflen,
	       struct spwd **result) __attribute__((access(write_only, 3, 4)));
int getsubopt(char **optionp, char *const *tokens, char **valuep);
char *gettext(const char *msgid);
pid_t gettid(void);
int gettimeofday(struct timeval *tv, void *tz) __attribute__((access(write_only, 1)));
uid_t getuid(void);
char *getusershell(void) __attribute__((annotate("fails(no errno)")));
struct utmp *getutent(void);
int getutent_r(struct utmp *buffer, struct utmp **result);
struct utmp *getutid(const struct utmp *id);
int getutid_r(const struct utmp *id, struct utmp *buffer, struct utmp **result);
struct utmp *getutline(const struct utmp *line);
int getutline_r(const struct utmp *line, struct utmp *buffer, struct utmp **result);
void getutmp(const struct utmpx *utmpx, struct utmp *utmp);
void getutmpx(const struct utmp *utmp, struct utmpx *utmpx);
struct utmpx *getutxent(void);
struct utmpx *getutxid(const struct utmpx *id);
struct utmpx *getutxline(const struct utmpx *line);
int getw(FILE *stream);
wint_t getwc(FILE *stream) __attribute__((annotate("fails(never)")));
wint_t getwc_unlocked(FILE *stream);
wint_t getwchar(void) __attribute__((annotate("fails(never)")));
wint_t getwchar_unlocked(void);
char *getwd(char *buf) __attribute__((access(write_only, 1)));
ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
	__attribute__((access(write_only, 3, 4)));
int glob(const char *pattern, int flags, int (*errfunc)(const char *, int), glob_t *pglob);
int glob64(const char *pattern, int flags, int (*errfunc)(const char *, int), glob64_t *pglob);
int glob_pattern_p(const char *pattern, int quote);
void globfree(glob_t *pglob);
void globfree64(glob64_t *pglob);
struct tm *gmtime(const time_t *timer);
struct tm *gmtime_r(const time_t *timer, struct tm *tp);
int grantpt(int fd) __attribute__((fd_arg(1)));
int group_member(gid_t gid);
int gsignal(enum signal_number sig);
char *hasmntopt(const struct mntent *mnt, const char *opt);
int hcreate(size_t nel);
int hcreate_r(size_t nel, struct hsearch_data *htab);
void hdestroy(void);
void hdestroy_r(struct hsearch_data *htab);
void herror(const char *str);
ENTRY *hsearch(ENTRY item, ACTION action) __attribute__((annotate("fails(never)")));
const char *hstrerror(int err_num);
uint32_t htonl(uint32_t hostlong);
uint16_t htons(uint16_t hostshort);
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf,
	     size_t *outbytesleft);
int iconv_close(iconv_t cd);
iconv_t iconv_open(const char *tocode, const char *fromcode);
void if_freenameindex(struct if_nameindex *ptr);
char *if_indextoname(unsigned int ifindex, char ifname[16])
	__attribute__((access(write_only, 2)));
struct if_nameindex *if_nameindex(void);
unsigned int if_nametoindex(const char *ifname);
char *index(const char *s, int c) __attribute__((annotate("fails(never)")));
in_addr_t inet_addr(const char *cp) __attribute__((annotate("fails(no errno)")));
int inet_aton(const char *cp, struct in_addr *inp);
in_addr_t inet_lnaof(struct in_addr in);
struct in_addr inet_makeaddr(in_addr_t net, in_addr_t host);
in_addr_t inet_netof(struct in_addr in);
in_addr_t inet_network(const char *cp) __attribute__((annotate("fails(no errno)")));
unsigned int inet_nsap_addr(const char *cp, unsigned char *buf, int len);
char *inet_nsap_ntoa(int len, const unsigned char *cp, char *buf);
char *inet_ntoa(struct in_addr in);
const char *inet_ntop(int af, const void *cp, char *buf, socklen_t len);
int inet_pton(int af, const char *cp, void *buf);
int initgroups(const char *user, gid_t group);
char *initstate(unsigned int seed, char *statebuf, size_t statelen);
int innetgr(const char *netgroup, const char *host, const char *user, const char *domain);
int inotify_add_watch(int fd, const char *name, enum inotify_mask mask)
	__attribute__((fd_arg(1)))
	__attribute__((annotate("path(2)")));
int inotify_init(void) __attribute__((annotate("returns(fd)")));
int inotify_init1(enum inotify_flags flags) __attribute__((annotate("returns(fd)")));
int inotify_rm_watch(int fd, int wd) __attribute__((fd_arg(1)));
void insque(void *elem, void *prev);
int ioctl(int fd, enum ioctl_request request, ...) __attribute__((fd_arg(1))) __attribute__((
	annotate("rest(pointer,8,is,2,21505,21506,21519,21520,21523,21524,21531,21537)")));
int iruserok(uint32_t raddr, int suser, const char *remuser, const char *locuser);
int iruserok_af(const void *raddr, int suser, const char *remuser, const char *locuser,
		sa_family_t af);
int isalnum(int);
int isalnum_l(int, locale_t);
int isalpha(int);
int isalpha_l(int, locale_t);
int isascii(int c);
int isatty(int fd) __attribute__((annotate("fails(never)"))) __attribute__((fd_arg(1)));
int isblank(int);
int isblank_l(int, locale_t);
int iscntrl(int);
int iscntrl_l(int, locale_t);
int isctype(int c, int mask);
int isdigit(int);
int isdigit_l(int, locale_t);
int isfdtype(int fd, int fdtype) __attribute__((fd_arg(1)));
int isgraph(int);
int isgraph_l(int, locale_t);
int islower(int);
int islower_l(int, locale_t);
int isprint(int);
int isprint_l(int, locale_t);
int ispunct(int);
int ispunct_l(int, locale_t);
int isspace(int);
int isspace_l(int, locale_t);
int isupper(int);
int isupper_l(int, locale_t);
int iswalnum(wint_t wc);
int iswalnum_l(wint_t wc, locale_t locale);
int iswalpha(wint_t wc);
int iswalpha_l(wint_t wc, locale_t locale);
int iswblank(wint_t wc);
int iswblank_l(wint_t wc, locale_t locale);
int iswcntrl(wint_t wc);
int iswcntrl_l(wint_t wc, locale_t locale);
int iswctype(wint_t wc, wctype_t desc);
int iswctype_l(wint_t wc, wctype_t desc, locale_t locale);
int iswdigit(wint_t wc);
int iswdigit_l(wint_t wc, locale_t locale);
int iswgraph(wint_t wc);
int iswgraph_l(wint_t wc, locale_t locale);
int iswlower(wint_t wc);
int iswlower_l(wint_t wc, locale_t locale);
int iswprint(wint_t wc);
int iswprint_l(wint_t wc, locale_t locale);
int iswpunct(wint_t wc);
int iswpunct_l(wint_t wc, locale_t locale);
int iswspace(wint_t wc);
int iswspace_l(wint_t wc, locale_t locale);
int iswupper(wint_t wc);
int iswupper_l(wint_t wc, locale_t locale);
int iswxdigit(wint_t wc);
int iswxdigit_l(wint_t wc, locale_t locale);
int isxdigit(int);
int isxdigit_l(int, locale_t);
long jrand48(unsigned short xsubi[3]) __attribute__((annotate("fails(never)")));
int kill(pid_t pid, enum signal_number sig);
int killpg(pid_t pgrp, enum signal_number sig);
int klogctl(int type, char *bufp, int len);
char *l64a(long n);
long labs(long x) __attribute__((annotate("fails(never)")));
int lchmod(const char *file, mode_t mode);
int lchown(const char *file, uid_t owner, gid_t group);
int lckpwdf(void);
void lcong48(unsigned short param[7]);
ldiv_t ldiv(long numer, long denom);
void *lfind(const void *key, const void *base, size_t *nmemb, size_t size,
	    int (*compar)(const void *, const void *))
	__attribute__((annotate("fails(never)")));
ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)
	__attribute__((access(write_only, 3, 4)));
int link(const char *from, const char *to)
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(2)")));
int linkat(enum directory fromfd, const char *from, enum directory tofd, const char *to,
	   enum at_flags flags) __attribute__((fd_arg(1))) __attribute__((fd_arg(3)))
	__attribute__((annotate("path(2)")))
	__attribute__((annotate("path(4)")));
int listen(int fd, int n) __attribute__((fd_arg(1)));
ssize_t listxattr(const char *path, char *list, size_t size)
	__attribute__((access(write_only, 2, 3)));
long long llabs(long long x) __attribute__((annotate("fails(never)")));
lldiv_t lldiv(long long numer, long long denom);
ssize_t llistxattr(const char *path, char *list, size_t size)
	__attribute__((access(write_only, 2, 3)));
struct lconv *localeconv(void) __attribute__((annotate("fails(never)")));
struct tm *localtime(const time_t *timer);
struct tm *localtime_r(const time_t *timer, struct tm *tp);
int lockf(int fd, enum lockf_command cmd, off_t len) __attribute__((fd_arg(1)));
int lockf64(int fd, enum lockf_command cmd, off64_t len) __attribute__((fd_arg(1)));
void login(const struct utmp *entry);
int login_tty(int fd) __attribute__((fd_arg(1)));
int logout(const char *ut_line);
void logwtmp(const char *ut_line, const char *ut_name, const char *ut_host);
long lrand48(void) __attribute__((annotate("fails(never)")));
int lremovexattr(const char *path, const char *name);
void *lsearch(const void *key, void *base, size_t *nmemb, size_t size,
	      int (*compar)(const void *, const void *));
off_t lseek(int fd, off_t offset, enum seek_whence whence) __attribute__((fd_arg(1)));
off64_t lseek64(int fd, off64_t offset, enum seek_whence whence) __attribute__((fd_arg(1)));
int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
	__attribute__((access(read_only, 3, 4)));
int lstat(const char *path, struct stat *buf) __attribute__((access(write_only, 2)));
int lstat64(const char *path, struct stat64 *buf) __attribute__((access(write_only, 2)));
int lutimes(const char *file, const struct timeval tvp[2]);
int madvise(void *addr, size_t len, enum mmap_advice advice);
struct mallinfo mallinfo(void);
struct mallinfo2 mallinfo2(void);
void *malloc(size_t size);
int malloc_info(int options, FILE *fp);
void malloc_stats(void);
int malloc_trim(size_t pad);
size_t malloc_usable_size(void *ptr) __attribute__((annotate("fails(never)")));
int mallopt(int param, int val);
int mblen(const char *s, size_t n);
size_t mbrlen(const char *s, size_t n, mbstate_t *ps);
size_t mbrtoc16(char16_t *pc16, const char *s, size_t n, mbstate_t *p);
size_t mbrtoc32(char32_t *pc32, const char *s, size_t n, mbstate_t *p);
size_t mbrtoc8(char8_t *pc8, const char *s, size_t n, mbstate_t *p);
size_t mbrtowc(wchar_t *pwc, const char *s, size_t n, mbstate_t *p);
int mbsinit(const mbstate_t *ps);
size_t mbsnrtowcs(wchar_t *dst, const char **src, size_t nmc, size_t len, mbstate_t *ps);
size_t mbsrtowcs(wchar_t *dst, const char **src, size_t len, mbstate_t *ps);
size_t mbstowcs(wchar_t *pwcs, const char *s, size_t n) __attribute__((access(read_only, 2)));
int mbtowc(wchar_t *pwc, const char *s, size_t n);
void *memalign(size_t alignment, size_t size);
void *memccpy(void *dest, const void *src, int c, size_t n)
	__attribute__((access(write_only, 1, 4))) __attribute__((annotate("fails(never)")));
void *memchr(const void *s, int c, size_t n) __attribute__((access(read_only, 1, 3)))
__attribute__((annotate("fails(never)")));
int memcmp(const void *s1, const void *s2, size_t n) __attribute__((access(read_only, 1, 3)))
__attribute__((access(read_only, 2, 3))) __attribute__((annotate("fails(never)")));
void *memcpy(void *dest, const void *src, size_t n) __attribute__((access(write_only, 1)))
__attribute__((access(read_only, 2, 3)));
int memfd_create(const char *name, enum memfd_flags flags)
	__attribute__((annotate("returns(fd)")));
void *memfrob(void *s, size_t n) __attribute__((access(read_write, 1, 2)));
void *memmem(const void *haystack, size_t haystacklen, const void *needle, size_t needlelen)
	__attribute__((access(read_only, 1, 2))) __attribute__((access(read_only, 3, 4)))
	__attribute__((annotate("fails(never)")));
void *memmove(void *dest, const void *src, size_t n) __attribute__((access(write_only, 1)))
__attribute__((access(read_only, 2, 3)));
void *mempcpy(void *dest, const void *src, size_t n) __attribute__((access(write_only, 1)))
__attribute__((access(read_only, 2, 3)));
void *memrchr(const void *s, int c, size_t n) __attribute__((access(read_only, 1, 3)))
__attribute__((annotate("fails(never)")));
void *memset(void *s, int c, size_t n) __attribute__((access(write_only, 1)));
int mincore(void *start, size_t len, unsigned char *vec);
int mkdir(const char *path, mode_t mode);
int mkdirat(enum directory fd, const char *path, mode_t mode) __attribute__((fd_arg(1)));
char *mkdtemp(char *template);
int mkfifo(const char *path, mode_t mode);
int mkfifoat(enum directory fd, const char *path, mode_t mode) __attribute__((fd_arg(1)));
int mknod(const char *path, mode_t mode, dev_t dev);
int mknodat(enum directory fd, const char *path, mode_t mode, dev_t dev)
	__attribute__((fd_arg(1)));
int mkostemp(char *template, enum open_flags oflag) __attribute__((annotate("returns(fd)")));
int mkostemp64(char *template, enum open_flags oflag) __attribute__((annotate("returns(fd)")));
int mkostemps(char *template, int suffixlen, int flags)
	__attribute__((annotate("returns(fd)")));
int mkostemps64(char *template, int suffixlen, int flags)
	__attribute__((annotate("returns(fd)")));
int mkstemp(char *template) __attribute__((annotate("returns(fd)")));
int mkstemp64(char *template) __attribute__((annotate("returns(fd)")));
int mkstemps(char *template, int suffixlen) __attribute__((annotate("returns(fd)")));
int mkstemps64(char *template, int suffixlen) __attribute__((annotate("returns(fd)")));
char *mktemp(char *template);
time_t mktime(struct tm *tp);
int mlock(const void *addr, size_t len);
int mlock2(const void *addr, size_t length, unsigned int flags);
int mlockall(enum mlockall_flags flags);
void *mmap(void *addr, size_t len, enum mmap_prot prot, enum mmap_flags flags, int fd,
	   off_t offset) __attribute__((annotate("fails(-1)"))) __attribute__((fd_arg(5)));
void *mmap64(void *addr, size_t len, enum mmap_prot prot, enum mmap_flags flags, int fd,
	     off64_t offset) __attribute__((annotate("fails(-1)"))) __attribute__((fd_arg(5)));
int mount(const char *special_file, const char *dir, const char *fstype, unsigned long rwflag,
	  const void *data);
int move_mount(enum directory from_dfd, const char *from_pathname, enum directory to_dfd,
	       const char *to_pathname, unsigned int flags) __attribute__((fd_arg(1)))
__attribute__((fd_arg(3)));
int mprotect(void *addr, size_t len, enum mmap_prot prot);
int mq_close(mqd_t mqdes) __attribute__((fd_arg(1)));
int mq_getattr(mqd_t mqdes, struct mq_attr *mqstat) __attribute__((fd_arg(1)));
int mq_notify(mqd_t mqdes, const struct sigevent *notification) __attribute__((fd_arg(1)));
mqd_t mq_open(const char *name, enum open_flags oflag, ...)
	__attribute__((annotate("returns(fd)")));
ssize_t mq_receive(mqd_t mqdes, char *msg_ptr, size_t msg_len, unsigned int *msg_prio)
	__attribute__((fd_arg(1)));
int mq_send(mqd_t mqdes, const char *msg_ptr, size_t msg_len, unsigned int msg_prio)
	__attribute__((fd_arg(1)));
int mq_setattr(mqd_t mqdes, const struct mq_attr *mqstat, struct mq_attr *omqstat)
	__attribute__((fd_arg(1)));
ssize_t mq_timedreceive(mqd_t mqdes, char *msg_ptr, size_t msg_len, unsigned int *msg_prio,
			const struct timespec *abs_timeout) __attribute__((fd_arg(1)));
int mq_timedsend(mqd_t mqdes, const char *msg_ptr, size_t msg_len, unsigned int msg_prio,
		 const struct timespec *abs_timeout) __attribute__((fd_arg(1)));
int mq_unlink(const char *name);
long mrand48(void) __attribute__((annotate("fails(never)")));
void *mremap(void *addr, size_t old_len, size_t new_len, enum mremap_flags flags, ...)
	__attribute__((annotate("fails(-1)")));
int msgctl(int msqid, int cmd, struct msqid_ds *buf);
int msgget(key_t key, int msgflg);
ssize_t msgrcv(int msqid, void *msgp, size_t msgsz, long msgtyp, int msgflg);
int msgsnd(int msqid, const void *msgp, size_t msgsz, int msgflg);
int msync(void *addr, size_t len, enum msync_flags flags);
int munlock(const void *addr, size_t len);
int munlockall(void);
int munmap(void *addr, size_t len);
int name_to_handle_at(enum directory dfd, const char *name, struct file_handle *handle,
		      int *mnt_id, enum at_flags flags) __attribute__((fd_arg(1)));
int nanosleep(const struct timespec *requested_time, struct timespec *remaining)
	__attribute__((access(write_only, 2)));
locale_t newlocale(int category_mask, const char *locale, locale_t base);
char *ngettext(const char *msgid1, const char *msgid2, unsigned long n);
int nice(int inc);
long nrand48(unsigned short xsubi[3]) __attribute__((annotate("fails(never)")));
uint32_t ntohl(uint32_t netlong);
uint16_t ntohs(uint16_t netshort);
int ntp_adjtime(struct timex *tntx);
int on_exit(void (*func)(int status, void *arg), void *arg);
int open(const char *path, enum open_flags flags, ...) __attribute__((annotate("returns(fd)")))
	__attribute__((annotate("rest(octal,4,has,2,64,4259840)")));
int open64(const char *path, enum open_flags flags, ...)
	__attribute__((annotate("returns(fd)")))
	__attribute__((annotate("rest(octal,4,has,2,64,4259840)")));
int open_by_handle_at(int mountdirfd, struct file_handle *handle, int flags)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
FILE *open_memstream(char **bufloc, size_t *sizeloc);
int open_tree(enum directory dfd, const char *filename, unsigned int flags)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")));
FILE *open_wmemstream(wchar_t **bufloc, size_t *sizeloc);
int openat(enum directory fd, const char *path, enum open_flags flags, ...)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")))
	__attribute__((annotate("rest(octal,4,has,3,64,4259840)")));
int openat64(enum directory fd, const char *path, enum open_flags flags, ...)
	__attribute__((fd_arg(1))) __attribute__((annotate("returns(fd)")))
	__attribute__((annotate("rest(octal,4,has,3,64,4259840)")));
DIR *opendir(const char *name)
	__attribute__((annotate("path(1)")));
void openlog(const char *ident, int option, int facility);
int openpty(int *amaster, int *aslave, char *name, const struct termios *termp,
	    const struct winsize *winp);
size_t parse_printf_format(const char *fmt, size_t n, int *argtypes);
long pathconf(const char *path, int name);
int pause(void);
int pclose(FILE *stream);
void perror(const char *s);
int personality(unsigned long persona);
int pipe(int pipedes[2]) __attribute__((access(write_only, 1)));
int pipe2(int pipedes[2], int flags) __attribute__((access(write_only, 1)));
int pkey_alloc(unsigned int flags, unsigned int access_rights);
int pkey_free(int key);
int pkey_get(int key);
int pkey_mprotect(void *addr, size_t len, enum mmap_prot prot, int pkey);
int pkey_set(int key, unsigned int access_rights);
int poll(struct pollfd *fds, nfds_t nfds, int timeout)
	__attribute__((access(write_only, 1, 2)));
FILE *popen(const char *command, const char *modes);
int posix_fadvise(int fd, off_t offset, off_t len, enum file_advice advise)
	__attribute__((annotate("fails(nonzero)"))) __attribute__((fd_arg(1)));
int posix_fadvise64(int fd, off64_t offset, off64_t len, enum file_advice advise)
	__attribute__((fd_arg(1)));
int posix_fallocate(int fd, off_t offset, off_t len) __attribute__((annotate("fails(nonzero)")))
__attribute__((fd_arg(1)));
int posix_fallocate64(int fd, off64_t offset, off64_t len) __attribute__((fd_arg(1)));
int posix_madvise(void *addr, size_t len, enum mmap_advice advice);
int posix_memalign(void **memptr, size_t alignment, size_t size)
	__attribute__((annotate("fails(nonzero)")));
int posix_openpt(enum open_flags oflag) __attribute__((annotate("returns(fd)")));
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *file_actions,
		const posix_spawnattr_t *attrp, char *const argv[], char *const envp[])
	__attribute__((annotate("fails(nonzero)")));
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *file_actions, int fd);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int from);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *file_actions, int fd,
				     int newfd);
int posix_spawn_file_actions_addfchdir_np(posix_spawn_file_actions_t *, int fd);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *file_actions, int fd,
				     const char *path, enum open_flags oflag, mode_t mode);
int posix_spawn_file_actions_addtcsetpgrp_np(posix_spawn_file_actions_t *, int tcfd)
	__attribute__((fd_arg(2)));
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *file_actions);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *file_actions);
int posix_spawnattr_destroy(posix_spawnattr_t *attr);
int posix_spawnattr_getflags(const posix_spawnattr_t *attr, short *flags);
int posix_spawnattr_getpgroup(const posix_spawnattr_t *attr, pid_t *pgroup);
int posix_spawnattr_getschedparam(const posix_spawnattr_t *attr,
				  struct sched_param *schedparam);
int posix_spawnattr_getschedpolicy(const posix_spawnattr_t *attr, int *schedpolicy);
int posix_spawnattr_getsigdefault(const posix_spawnattr_t *attr, sigset_t *sigdefault);
int posix_spawnattr_getsigmask(const posix_spawnattr_t *attr, sigset_t *sigmask);
int posix_spawnattr_init(posix_spawnattr_t *attr);
int posix_spawnattr_setflags(posix_spawnattr_t *_attr, short flags);
int posix_spawnattr_setpgroup(posix_spawnattr_t *attr, pid_t pgroup);
int posix_spawnattr_setschedparam(posix_spawnattr_t *attr,
				  const struct sched_param *schedparam);
int posix_spawnattr_setschedpolicy(posix_spawnattr_t *attr, int schedpolicy);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attr, const sigset_t *sigdefault);
int posix_spawnattr_setsigmask(posix_spawnattr_t *attr, const sigset_t *sigmask);
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *file_actions,
		 const posix_spawnattr_t *attrp, char *const argv[], char *const envp[])
	__attribute__((annotate("fails(nonzero)")));
int ppoll(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout, const sigset_t *ss)
	__attribute__((access(write_only, 1, 2)));
int prctl(int option, ...);
ssize_t pread(int fd, void *buf, size_t nbytes, off_t offset)
	__attribute__((access(write_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t pread64(int fd, void *buf, size_t nbytes, off64_t offset)
	__attribute__((access(write_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t preadv(int fd, const struct iovec *iovec, int count, off_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(written,2)")));
ssize_t preadv2(int fp, const struct iovec *iovec, int count, off_t offset, int _flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(written,2)")));
ssize_t preadv64(int fd, const struct iovec *iovec, int count, off64_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(written,2)")));
ssize_t preadv64v2(int fp, const struct iovec *iovec, int count, off64_t offset, int _flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(written,2)")));
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int prlimit(pid_t pid, enum rlimit_resource resource, const struct rlimit *new_limit,
	    struct rlimit *old_limit);
int prlimit64(pid_t pid, enum rlimit_resource resource, const struct rlimit64 *new_limit,
	      struct rlimit64 *old_limit);
ssize_t process_madvise(int pid_fd, const struct iovec *iov, size_t count, int advice,
			unsigned flags) __attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3)));
int process_mrelease(int pidfd, unsigned int flags) __attribute__((fd_arg(1)));
ssize_t process_vm_readv(pid_t pid, const struct iovec *lvec, unsigned long liovcnt,
			 const struct iovec *rvec, unsigned long riovcnt, unsigned long flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((access(read_only, 4, 5)))
	__attribute__((annotate("pieces(written,2)")));
ssize_t process_vm_writev(pid_t pid, const struct iovec *lvec, unsigned long liovcnt,
			  const struct iovec *rvec, unsigned long riovcnt, unsigned long flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((access(read_only, 4, 5)))
	__attribute__((annotate("pieces(read,2)")));
int profil(unsigned short *sample_buffer, size_t size, size_t offset, unsigned int scale);
int pselect(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds,
	    const struct timespec *timeout, const sigset_t *sigmask);
void psiginfo(const siginfo_t *pinfo, const char *s);
void psignal(enum signal_number sig, const char *s);
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_destroy(pthread_attr_t *attr) __attribute__((annotate("fails(nonzero)")));
int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t cpusetsize,
				cpu_set_t *cpuset) __attribute__((annotate("fails(nonzero)")));
int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *detachstate)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *guardsize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getschedparam(const pthread_attr_t *attr, struct sched_param *param)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getscope(const pthread_attr_t *attr, int *scope)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getsigmask_np(const pthread_attr_t *attr, sigset_t *sigmask)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getstack(const pthread_attr_t *attr, void **stackaddr, size_t *stacksize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **stackaddr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *stacksize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_init(pthread_attr_t *attr) __attribute__((annotate("fails(nonzero)")));
int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t cpusetsize,
				const cpu_set_t *cpuset)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setdetachstate(pthread_attr_t *attr, int detachstate)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setguardsize(pthread_attr_t *attr, size_t guardsize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setscope(pthread_attr_t *attr, int scope)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setsigmask_np(pthread_attr_t *attr, const sigset_t *sigmask)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setstack(pthread_attr_t *attr, void *stackaddr, size_t stacksize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setstackaddr(pthread_attr_t *attr, void *stackaddr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_attr_setstacksize(pthread_attr_t *attr, size_t stacksize)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrier_destroy(pthread_barrier_t *barrier)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
			 unsigned int count) __attribute__((annotate("fails(nonzero)")));
int pthread_barrier_wait(pthread_barrier_t *barrier)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrierattr_destroy(pthread_barrierattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrierattr_init(pthread_barrierattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_cancel(pthread_t th) __attribute__((annotate("fails(nonzero)")));
int pthread_clockjoin_np(pthread_t th, void **thread_return, clockid_t clockid,
			 const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_cond_broadcast(pthread_cond_t *cond) __attribute__((annotate("fails(nonzero)")));
int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock_id,
			   const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_cond_destroy(pthread_cond_t *cond) __attribute__((annotate("fails(nonzero)")));
int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *cond_attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_cond_signal(pthread_cond_t *cond) __attribute__((annotate("fails(nonzero)")));
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
	__attribute__((annotate("fails(nonzero)")));
int pthread_condattr_destroy(pthread_condattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *clock_id)
	__attribute__((annotate("fails(nonzero)")));
int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_condattr_init(pthread_condattr_t *attr) __attribute__((annotate("fails(nonzero)")));
int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock_id)
	__attribute__((annotate("fails(nonzero)")));
int pthread_condattr_setpshared(pthread_condattr_t *attr, int pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_create(pthread_t *newthread, const pthread_attr_t *attr,
		   void *(*start_routine)(void *), void *arg)
	__attribute__((annotate("fails(nonzero)")));
int pthread_detach(pthread_t th) __attribute__((annotate("fails(nonzero)")));
int pthread_equal(pthread_t thread1, pthread_t thread2);
void pthread_exit(void *retval);
int pthread_getaffinity_np(pthread_t th, size_t cpusetsize, cpu_set_t *cpuset)
	__attribute__((annotate("fails(nonzero)")));
int pthread_getattr_default_np(pthread_attr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_getattr_np(pthread_t th, pthread_attr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_getconcurrency(void) __attribute__((annotate("fails(nonzero)")));
int pthread_getcpuclockid(pthread_t thread_id, clockid_t *clock_id)
	__attribute__((annotate("fails(nonzero)")));
int pthread_getname_np(pthread_t target_thread, char *buf, size_t buflen)
	__attribute__((annotate("fails(nonzero)")));
int pthread_getschedparam(pthread_t target_thread, int *policy, struct sched_param *param)
	__attribute__((annotate("fails(nonzero)")));
void *pthread_getspecific(pthread_key_t key)
	__attribute__((annotate("fails(never)")));
int pthread_join(pthread_t th, void **thread_return)
	__attribute__((annotate("fails(nonzero)")));
int pthread_key_create(pthread_key_t *key, void (*destr_function)(void *))
	__attribute__((annotate("fails(nonzero)")));
int pthread_key_delete(pthread_key_t key) __attribute__((annotate("fails(nonzero)")));
int pthread_kill(pthread_t threadid, enum signal_number signo)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clockid,
			    const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_consistent(pthread_mutex_t *mutex)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_consistent_np(pthread_mutex_t *) __asm__("pthread_mutex_consistent")
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_destroy(pthread_mutex_t *mutex) __attribute__((annotate("fails(nonzero)")));
int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *prioceiling)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *mutexattr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_lock(pthread_mutex_t *mutex) __attribute__((annotate("fails(nonzero)")));
int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int prioceiling, int *old_ceiling)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutex_trylock(pthread_mutex_t *mutex) __attribute__((annotate("fails(nonzero)")));
int pthread_mutex_unlock(pthread_mutex_t *mutex) __attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_destroy(pthread_mutexattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attr, int *prioceiling)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *protocol)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *robustness)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_getrobust_np(pthread_mutexattr_t *,
				   int *) __asm__("pthread_mutexattr_getrobust")
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attr, int *kind)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_init(pthread_mutexattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int prioceiling)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robustness)
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *,
				   int) __asm__("pthread_mutexattr_setrobust")
	__attribute__((annotate("fails(nonzero)")));
int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int kind)
	__attribute__((annotate("fails(nonzero)")));
int pthread_once(pthread_once_t *once_control, void (*init_routine)(void));
int pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clockid,
			       const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clockid,
			       const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock) __attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_unlock(pthread_rwlock_t *rwlock) __attribute__((annotate("fails(nonzero)")));
int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock) __attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *pref)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_init(pthread_rwlockattr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attr, int pref)
	__attribute__((annotate("fails(nonzero)")));
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int pshared)
	__attribute__((annotate("fails(nonzero)")));
pthread_t pthread_self(void);
int pthread_setaffinity_np(pthread_t th, size_t cpusetsize, const cpu_set_t *cpuset)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setattr_default_np(const pthread_attr_t *attr)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setcancelstate(int state, int *oldstate)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setcanceltype(int type, int *oldtype) __attribute__((annotate("fails(nonzero)")));
int pthread_setconcurrency(int level) __attribute__((annotate("fails(nonzero)")));
int pthread_setname_np(pthread_t target_thread, const char *name)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setschedparam(pthread_t target_thread, int policy, const struct sched_param *param)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setschedprio(pthread_t target_thread, int prio)
	__attribute__((annotate("fails(nonzero)")));
int pthread_setspecific(pthread_key_t key, const void *pointer) __attribute__((access(none, 2)))
__attribute__((annotate("fails(nonzero)")));
int pthread_sigmask(enum sigmask_how how, const sigset_t *newmask, sigset_t *oldmask)
	__attribute__((annotate("fails(nonzero)")));
int pthread_sigqueue(pthread_t threadid, int signo, const union sigval value)
	__attribute__((annotate("fails(nonzero)")));
int pthread_spin_destroy(pthread_spinlock_t *lock) __attribute__((annotate("fails(nonzero)")));
int pthread_spin_init(pthread_spinlock_t *lock, int pshared)
	__attribute__((annotate("fails(nonzero)")));
int pthread_spin_lock(pthread_spinlock_t *lock) __attribute__((annotate("fails(nonzero)")));
int pthread_spin_trylock(pthread_spinlock_t *lock) __attribute__((annotate("fails(nonzero)")));
int pthread_spin_unlock(pthread_spinlock_t *lock) __attribute__((annotate("fails(nonzero)")));
void pthread_testcancel(void);
int pthread_timedjoin_np(pthread_t th, void **thread_return, const struct timespec *abstime)
	__attribute__((annotate("fails(nonzero)")));
int pthread_tryjoin_np(pthread_t th, void **thread_return)
	__attribute__((annotate("fails(nonzero)")));
int pthread_yield(void) __attribute__((annotate("fails(nonzero)")));
long ptrace(enum ptrace_request request, ...);
char *ptsname(int fd) __attribute__((fd_arg(1)));
int ptsname_r(int fd, char *buf, size_t buflen) __attribute__((access(write_only, 2, 3)))
__attribute__((fd_arg(1)));
int putc(int c, FILE *stream);
int putc_unlocked(int c, FILE *stream);
int putchar(int c);
int putchar_unlocked(int c);
int putenv(char *string);
int putgrent(const struct group *p, FILE *f);
int putpwent(const struct passwd *p, FILE *f);
int puts(const char *s);
int putspent(const struct spwd *p, FILE *stream);
struct utmp *pututline(const struct utmp *utmp_ptr);
struct utmpx *pututxline(const struct utmpx *utmpx);
int putw(int w, FILE *stream);
wint_t putwc(wchar_t wc, FILE *stream);
wint_t putwc_unlocked(wchar_t wc, FILE *stream);
wint_t putwchar(wchar_t wc);
wint_t putwchar_unlocked(wchar_t wc);
void *pvalloc(size_t size);
ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t pwritev(int fd, const struct iovec *iovec, int count, off_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(read,2)")));
ssize_t pwritev2(int fd, const struct iovec *iodev, int count, off_t offset, int flags)
	__attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3))) __attribute__((annotate("pieces(read,2)")));
ssize_t pwritev64(int fd, const struct iovec *iovec, int count, off64_t offset)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(read,2)")));
ssize_t pwritev64v2(int fd, const struct iovec *iodev, int count, off64_t offset, int flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(read,2)")));
char *qecvt(long double value, int ndigit, int *decpt, int *sign);
int qecvt_r(long double value, int ndigit, int *decpt, int *sign, char *buf, size_t len);
char *qfcvt(long double value, int ndigit, int *decpt, int *sign);
int qfcvt_r(long double value, int ndigit, int *decpt, int *sign, char *buf, size_t len);
char *qgcvt(long double value, int ndigit, char *buf);
void qsort(void *base, size_t nmemb, size_t size, int (*compar)(const void *, const void *));
void qsort_r(void *base, size_t nmemb, size_t size,
	     int (*compar)(const void *, const void *, void *), void *arg);
void quick_exit(int status);
int quotactl(int cmd, const char *special, int id, caddr_t addr);
int raise(enum signal_number sig);
int rand(void) __attribute__((annotate("fails(never)")));
int rand_r(unsigned int *seed) __attribute__((annotate("fails(never)")));
long random(void) __attribute__((annotate("fails(never)")));
void *rawmemchr(const void *s, int c) __attribute__((annotate("fails(never)")));
int rcmd(char **ahost, unsigned short rport, const char *locuser, const char *remuser,
	 const char *cmd, int *fd2p);
int rcmd_af(char **ahost, unsigned short rport, const char *locuser, const char *remuser,
	    const char *cmd, int *fd2p, sa_family_t af);
ssize_t read(int fd, void *buf, size_t nbytes) __attribute__((access(write_only, 2, 3)))
__attribute__((fd_arg(1)));
ssize_t readahead(int fd, off64_t offset, size_t count) __attribute__((fd_arg(1)));
struct dirent *readdir(DIR *dirp) __attribute__((annotate("fails(never)")));
struct dirent64 *readdir64(DIR *dirp) __attribute__((annotate("fails(never)")));
int readdir64_r(DIR *dirp, struct dirent64 *entry, struct dirent64 **result);
int readdir_r(DIR *dirp, struct dirent *entry, struct dirent **result)
	__attribute__((annotate("fails(nonzero)")));
ssize_t readlink(const char *path, char *buf, size_t len)
	__attribute__((access(write_only, 2, 3)))
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(2)")));
ssize_t readlinkat(enum directory fd, const char *path, char *buf, size_t len)
	__attribute__((access(write_only, 3, 4))) __attribute__((fd_arg(1)))
	__attribute__((annotate("path(2)")))
	__attribute__((annotate("path(3)")));
ssize_t readv(int fd, const struct iovec *iovec, int count)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(written,2)")));
void *realloc(void *ptr, size_t size);
void *reallocarray(void *ptr, size_t nmemb, size_t size);
char *realpath(const char *name, char *resolved) __attribute__((access(write_only, 2)))
	__attribute__((annotate("path(0)")))
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(2)")));
int reboot(int howto);
ssize_t recv(int fd, void *buf, size_t n, enum message_flags flags)
	__attribute__((access(write_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t recvfrom(int fd, void *buf, size_t n, enum message_flags flags, struct sockaddr *addr,
		 socklen_t *addr_len) __attribute__((access(write_only, 2, 3)))
__attribute__((access(write_only, 5))) __attribute__((access(read_write, 6)))
__attribute__((annotate("length(5,6)")))
__attribute__((fd_arg(1)));
int recvmmsg(int fd, struct mmsghdr *vmessages, unsigned int vlen, enum message_flags flags,
	     struct timespec *tmo) __attribute__((access(write_only, 2)))
	__attribute__((annotate("pieces(written,2)")))
	__attribute__((annotate("returns(count,2)"))) __attribute__((fd_arg(1)));
ssize_t recvmsg(int fd, struct msghdr *message, enum message_flags flags)
	__attribute__((fd_arg(1)))
	__attribute__((access(write_only, 2))) __attribute__((annotate("pieces(written,2)")));
int regcomp(regex_t *preg, const char *pattern, int cflags);
size_t regerror(int errcode, const regex_t *preg, char *errbuf, size_t errbuf_size)
	__attribute__((access(write_only, 3, 4)));
int regexec(const regex_t *preg, const char *String, size_t nmatch, regmatch_t pmatch[],
	    int eflags);
void regfree(regex_t *preg);
int remap_file_pages(void *start, size_t size, int prot, size_t pgoff, int flags);
int remove(const char *filename);
int removexattr(const char *path, const char *name);
void remque(void *elem);
int rename(const char *old, const char *new)
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(2)")));
int renameat(enum directory oldfd, const char *old, enum directory newfd, const char *new)
	__attribute__((fd_arg(1))) __attribute__((fd_arg(3)))
	__attribute__((annotate("path(2)")))
	__attribute__((annotate("path(4)")));
int renameat2(enum directory oldfd, const char *old, enum directory newfd, const char *new,
	      enum rename_flags flags) __attribute__((fd_arg(1))) __attribute__((fd_arg(3)));
int revoke(const char *file);
void rewind(FILE *stream);
void rewinddir(DIR *dirp);
int rexec(char **ahost, int rport, const char *name, const char *pass, const char *cmd,
	  int *fd2p);
int rexec_af(char **ahost, int rport, const char *name, const char *pass, const char *cmd,
	     int *fd2p, sa_family_t af);
char *rindex(const char *s, int c) __attribute__((annotate("fails(never)")));
int rmdir(const char *path);
int rpmatch(const char *response);
int rresvport(int *alport);
int rresvport_af(int *alport, sa_family_t af);
int ruserok(const char *rhost, int suser, const char *remuser, const char *locuser);
int ruserok_af(const char *rhost, int suser, const char *remuser, const char *locuser,
	       sa_family_t af);
void *sbrk(intptr_t delta) __attribute__((annotate("fails(-1)")));
int scandir(const char *dir, struct dirent ***namelist, int (*selector)(const struct dirent *),
	    int (*cmp)(const struct dirent **, const struct dirent **));
int scandir64(const char *dir, struct dirent64 ***namelist,
	      int (*selector)(const struct dirent64 *),
	      int (*cmp)(const struct dirent64 **, const struct dirent64 **));
int scandirat(enum directory dfd, const char *dir, struct dirent ***namelist,
	      int (*selector)(const struct dirent *),
	      int (*cmp)(const struct dirent **, const struct dirent **))
	__attribute__((fd_arg(1)));
int scandirat64(enum directory dfd, const char *dir, struct dirent64 ***namelist,
		int (*selector)(const struct dirent64 *),
		int (*cmp)(const struct dirent64 **, const struct dirent64 **))
	__attribute__((fd_arg(1)));
int scanf(const char *format, ...) __attribute__((annotate("fails(no errno)")));
int sched_get_priority_max(int algorithm);
int sched_get_priority_min(int algorithm);
int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *cpuset);
int sched_getcpu(void) __attribute__((annotate("fails(never)")));
int sched_getparam(pid_t pid, struct sched_param *param);
int sched_getscheduler(pid_t pid);
int sched_rr_get_interval(pid_t pid, struct timespec *__t);
int sched_setaffinity(pid_t pid, size_t cpusetsize, const cpu_set_t *cpuset);
int sched_setparam(pid_t pid, const struct sched_param *param);
int sched_setscheduler(pid_t pid, enum scheduler policy, const struct sched_param *param);
int sched_yield(void);
char *secure_getenv(const char *name) __attribute__((annotate("fails(never)")));
unsigned short *seed48(unsigned short seed16v[3]);
void seekdir(DIR *dirp, long pos);
int select(int nfds, fd_set *readfds, fd_set *writefds, fd_set *exceptfds,
	   struct timeval *timeout);
int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *abstime);
int sem_close(sem_t *sem);
int sem_destroy(sem_t *sem);
int sem_getvalue(sem_t *sem, int *sval);
int sem_init(sem_t *sem, int pshared, unsigned int value);
sem_t *sem_open(const char *name, enum open_flags oflag, ...);
int sem_post(sem_t *sem);
int sem_timedwait(sem_t *sem, const struct timespec *abstime);
int sem_trywait(sem_t *sem);
int sem_unlink(const char *name);
int sem_wait(sem_t *sem);
int semget(key_t key, int nsems, int semflg);
int semop(int semid, struct sembuf *sops, size_t nsops);
int semtimedop(int semid, struct sembuf *sops, size_t nsops, const struct timespec *timeout);
ssize_t send(int fd, const void *buf, size_t n, enum message_flags flags)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)));
ssize_t sendfile(int out_fd, int in_fd, off_t *offset, size_t count) __attribute__((fd_arg(1)))
__attribute__((fd_arg(2)));
ssize_t sendfile64(int out_fd, int in_fd, off64_t *offset, size_t count)
	__attribute__((fd_arg(1))) __attribute__((fd_arg(2)));
int sendmmsg(int fd, struct mmsghdr *vmessages, unsigned int vlen, enum message_flags flags)
	__attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3))) __attribute__((annotate("pieces(read,2)")));
ssize_t sendmsg(int fd, const struct msghdr *message, enum message_flags flags)
	__attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2))) __attribute__((annotate("pieces(read,2)")));
ssize_t sendto(int fd, const void *buf, size_t n, enum message_flags flags,
	       const struct sockaddr *addr, socklen_t addr_len)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((access(read_only, 5, 6)));
void setbuf(FILE *stream, char *buf);
void setbuffer(FILE *stream, char *buf, size_t size);
int setdomainname(const char *name, size_t len) __attribute__((access(read_only, 1, 2)));
int setegid(gid_t gid);
int setenv(const char *name, const char *value, int replace);
int seteuid(uid_t uid);
int setgid(gid_t gid);
void setgrent(void);
int setgroups(size_t n, const gid_t *groups);
void sethostent(int stay_open);
int sethostid(long id);
int sethostname(const char *name, size_t len) __attribute__((access(read_only, 1, 2)));
int setipv4sourcefilter(int s, struct in_addr interface_addr, struct in_addr group,
			uint32_t fmode, uint32_t numsrc, const struct in_addr *slist);
int setitimer(enum itimer_which which, const struct itimerval *new, struct itimerval *old);
void setlinebuf(FILE *stream);
char *setlocale(enum locale_category category, const char *locale)
	__attribute__((annotate("fails(no errno)")));
int setlogin(const char *name);
int setlogmask(int mask);
FILE *setmntent(const char *file, const char *mode);
void setnetent(int stay_open);
int setnetgrent(const char *netgroup);
int setns(int fd, enum clone_flags nstype) __attribute__((fd_arg(1)));
int setpgid(pid_t pid, pid_t pgid);
int setpgrp(void);
int setpriority(enum priority_which which, id_t who, int prio);
void setprotoent(int stay_open);
void setpwent(void);
int setregid(gid_t rgid, gid_t egid);
int setresgid(gid_t rgid, gid_t egid, gid_t sgid);
int setresuid(uid_t ruid, uid_t euid, uid_t suid);
int setreuid(uid_t ruid, uid_t euid);
int setrlimit(enum rlimit_resource resource, const struct rlimit *rlimits);
int setrlimit64(enum rlimit_resource resource, const struct rlimit64 *rlimits);
void setrpcent(int stayopen);
void setservent(int stay_open);
pid_t setsid(void);
int setsockopt(int fd, enum socket_level level, int optname, const void *optval,
	       socklen_t optlen) __attribute__((fd_arg(1)))
__attribute__((annotate("option(2,3,4)")));
int setsourcefilter(int s, uint32_t interface_addr, const struct sockaddr *group,
		    socklen_t grouplen, uint32_t fmode, uint32_t numsrc,
		    const struct sockaddr_storage *slist);
void setspent(void);
char *setstate(char *statebuf);
int settimeofday(const struct timeval *tv, const struct timezone *tz);
int setuid(uid_t uid);
void setusershell(void);
void setutent(void);
void setutxent(void);
int setvbuf(FILE *stream, char *buf, int modes, size_t n);
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
	__attribute__((access(read_only, 3, 4)));
struct spwd *sgetspent(const char *string);
int sgetspent_r(const char *string, struct spwd *result_buf, char *buffer, size_t buflen,
		struct spwd **result) __attribute__((access(write_only, 3, 4)));
int shm_open(const char *name, enum open_flags oflag, mode_t mode)
	__attribute__((annotate("returns(fd)")));
int shm_unlink(const char *name);
void *shmat(int shmid, const void *shmaddr, int shmflg) __attribute__((annotate("fails(-1)")));
int shmctl(int shmid, int cmd, struct shmid_ds *buf);
int shmdt(const void *shmaddr);
int shmget(key_t key, size_t size, int shmflg);
int shutdown(int fd, enum shutdown_how how) __attribute__((fd_arg(1)));
const char *sigabbrev_np(enum signal_number sig);
int sigaction(enum signal_number sig, const struct sigaction *act, struct sigaction *oact);
int sigaddset(sigset_t *set, enum signal_number signo);
int sigaltstack(const stack_t *ss, stack_t *oss);
int sigandset(sigset_t *set, const sigset_t *left, const sigset_t *right);
int sigblock(int mask);
int sigdelset(sigset_t *set, enum signal_number signo);
const char *sigdescr_np(enum signal_number sig);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int siggetmask(void);
int sighold(enum signal_number sig);
int sigignore(enum signal_number sig);
int siginterrupt(enum signal_number sig, int interrupt);
int sigisemptyset(const sigset_t *set);
int sigismember(const sigset_t *set, enum signal_number signo);
sighandler_t signal(enum signal_number sig, sighandler_t handler)
	__attribute__((annotate("fails(-1)")));
int signalfd(int fd, const sigset_t *mask, enum signalfd_flags flags) __attribute__((fd_arg(1)))
__attribute__((annotate("returns(fd)")));
int sigorset(sigset_t *set, const sigset_t *left, const sigset_t *right);
int sigpause(int sig) __asm__("__xpg_sigpause");
int sigpending(sigset_t *set);
int sigprocmask(enum sigmask_how how, const sigset_t *set, sigset_t *oset);
int sigqueue(pid_t pid, enum signal_number sig, const union sigval val);
int sigrelse(enum signal_number sig);
int sigreturn(struct sigcontext *scp);
sighandler_t sigset(enum signal_number sig, sighandler_t disp)
	__attribute__((annotate("fails(-1)")));
int sigsetmask(int mask);
int sigsuspend(const sigset_t *set);
int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
int sigwait(const sigset_t *set, int *sig);
int sigwaitinfo(const sigset_t *set, siginfo_t *info);
unsigned int sleep(unsigned int seconds);
int snprintf(char *s, size_t maxlen, const char *format, ...)
	__attribute__((format(printf, 3, 4))) __attribute__((access(write_only, 1)));
int sockatmark(int fd) __attribute__((fd_arg(1)));
int socket(enum address_family domain, enum socket_type type, int protocol)
	__attribute__((annotate("returns(fd)")));
int socketpair(enum address_family domain, enum socket_type type, int protocol, int fds[2]);
ssize_t splice(int fdin, off64_t *offin, int fdout, off64_t *offout, size_t len,
	       unsigned int flags) __attribute__((fd_arg(1))) __attribute__((fd_arg(3)));
int sprintf(char *s, const char *format, ...) __attribute__((access(write_only, 1)))
__attribute__((format(printf, 2, 3)));
void srand(unsigned int seed);
void srand48(long seedval);
void srandom(unsigned int seed);
int sscanf(const char *s, const char *format, ...) __attribute__((annotate("fails(no errno)")));
sighandler_t ssignal(enum signal_number sig, sighandler_t handler)
	__attribute__((annotate("fails(-1)")));
int stat(const char *path, struct stat *buf) __attribute__((access(write_only, 2)));
int stat64(const char *path, struct stat64 *buf) __attribute__((access(write_only, 2)));
int statfs(const char *file, struct statfs *buf);
int statfs64(const char *file, struct statfs64 *buf);
int statvfs(const char *file, struct statvfs *buf);
int statvfs64(const char *file, struct statvfs64 *buf);
int statx(enum directory dirfd, const char *path, enum at_flags flags, unsigned int mask,
	  struct statx *buf) __attribute__((fd_arg(1)));
char *stpcpy(char *dest, const char *src) __attribute__((access(write_only, 1)));
char *stpncpy(char *dest, const char *src, size_t n)
	__attribute__((access(write_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)))
	__attribute__((annotate("returns(address)")));
int strcasecmp(const char *s1, const char *s2) __attribute__((annotate("fails(never)")));
int strcasecmp_l(const char *s1, const char *s2, locale_t loc)
	__attribute__((annotate("fails(never)")));
char *strcasestr(const char *haystack, const char *needle)
	__attribute__((annotate("fails(never)")));
char *strcat(char *dest, const char *src) __attribute__((access(read_only, 1)));
char *strchr(const char *s, int c) __attribute__((annotate("fails(never)")));
char *strchrnul(const char *s, int c);
int strcmp(const char *s1, const char *s2) __attribute__((annotate("fails(never)")));
int strcoll(const char *s1, const char *s2) __attribute__((annotate("fails(never)")));
int strcoll_l(const char *s1, const char *s2, locale_t l)
	__attribute__((annotate("fails(never)")));
char *strcpy(char *dest, const char *src) __attribute__((access(write_only, 1)));
size_t strcspn(const char *s, const char *reject);
char *strdup(const char *s);
char *strerror(int errnum);
char *strerror_l(int errnum, locale_t l);
char *strerror_r(int errnum, char *buf, size_t buflen)
	__attribute__((access(write_only, 2, 3)));
const char *strerrordesc_np(int err);
const char *strerrorname_np(int err);
ssize_t strfmon(char *s, size_t maxsize, const char *format, ...)
	__attribute__((format(strfmon, 3, 4))) __attribute__((access(write_only, 1, 2)));
ssize_t strfmon_l(char *s, size_t maxsize, locale_t loc, const char *format, ...)
	__attribute__((format(strfmon, 4, 5))) __attribute__((access(write_only, 1, 2)));
int strfromd(char *dest, size_t size, const char *format, double f);
int strfromf(char *dest, size_t size, const char *format, float f);
int strfroml(char *dest, size_t size, const char *format, long double f);
char *strfry(char *string);
size_t strftime(char *s, size_t maxsize, const char *format, const struct tm *tp);
size_t strftime_l(char *s, size_t maxsize, const char *format, const struct tm *tp,
		  locale_t loc);
size_t strlen(const char *s);
int strncasecmp(const char *s1, const char *s2, size_t n)
	__attribute__((annotate("fails(never)")))
	__attribute__((access(read_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)));
int strncasecmp_l(const char *s1, const char *s2, size_t n, locale_t loc)
	__attribute__((annotate("fails(never)")))
	__attribute__((access(read_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)));
char *strncat(char *dest, const char *src, size_t n)
	__attribute__((access(read_only, 2, 3)));
int strncmp(const char *s1, const char *s2, size_t n) __attribute__((annotate("fails(never)")))
	__attribute__((access(read_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)));
char *strncpy(char *dest, const char *src, size_t n) __attribute__((access(write_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)))
	__attribute__((annotate("returns(address)")));
char *strndup(const char *string, size_t n)
	__attribute__((access(read_only, 1, 2)));
size_t strnlen(const char *string, size_t maxlen)
	__attribute__((access(read_only, 1, 2)));
char *strpbrk(const char *s, const char *accept) __attribute__((annotate("fails(never)")));
char *strptime(const char *s, const char *fmt, struct tm *tp)
	__attribute__((annotate("fails(no errno)")));
char *strptime_l(const char *s, const char *fmt, struct tm *tp, locale_t loc);
char *strrchr(const char *s, int c) __attribute__((annotate("fails(never)")));
char *strsep(char **stringp, const char *delim) __attribute__((annotate("fails(never)")));
char *strsignal(enum signal_number sig) __attribute__((annotate("fails(never)")));
size_t strspn(const char *s, const char *accept);
char *strstr(const char *haystack, const char *needle)
	__attribute__((annotate("fails(never)")));
double strtod(const char *nptr, char **endptr) __attribute__((access(write_only, 2)))
	__attribute__((annotate("fails(ERANGE)")));
double strtod_l(const char *nptr, char **endptr, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
float strtof(const char *nptr, char **endptr)
	__attribute__((annotate("fails(ERANGE)")));
float strtof_l(const char *nptr, char **endptr, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
char *strtok(char *s, const char *delim) __attribute__((annotate("fails(never)")));
char *strtok_r(char *s, const char *delim, char **save_ptr)
	__attribute__((annotate("fails(never)")));
long strtol(const char *nptr, char **endptr, int base) __attribute__((access(write_only, 2)))
__attribute__((annotate("fails(ERANGE)")));
long strtol_l(const char *nptr, char **endptr, int base, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
long double strtold(const char *nptr, char **endptr);
long double strtold_l(const char *nptr, char **endptr, locale_t loc);
long long strtoll(const char *nptr, char **endptr, int base)
	__attribute__((access(write_only, 2))) __attribute__((annotate("fails(ERANGE)")));
long long strtoll_l(const char *nptr, char **endptr, int base, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
long long strtoq(const char *nptr, char **endptr, int base)
	__attribute__((annotate("fails(ERANGE)")));
unsigned long strtoul(const char *nptr, char **endptr, int base)
	__attribute__((access(write_only, 2))) __attribute__((annotate("fails(ERANGE)")));
unsigned long strtoul_l(const char *nptr, char **endptr, int base, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
unsigned long long strtoull(const char *nptr, char **endptr, int base)
	__attribute__((access(write_only, 2))) __attribute__((annotate("fails(ERANGE)")));
unsigned long long strtoull_l(const char *nptr, char **endptr, int base, locale_t loc)
	__attribute__((annotate("fails(ERANGE)")));
unsigned long long strtouq(const char *nptr, char **endptr, int base)
	__attribute__((annotate("fails(ERANGE)")));
int strverscmp(const char *s1, const char *s2) __attribute__((annotate("fails(never)")));
size_t strxfrm(char *dest, const char *src, size_t n) __attribute__((access(write_only, 1, 3)));
size_t strxfrm_l(char *dest, const char *src, size_t n, locale_t l)
	__attribute__((access(write_only, 1, 3)));
void swab(const void *from, void *to, ssize_t n) __attribute__((access(read_only, 1, 3)))
__attribute__((access(write_only, 2, 3)));
int swapoff(const char *path);
int swapon(const char *path, int flags);
int swprintf(wchar_t *s, size_t n, const wchar_t *format, ...);
int swscanf(const wchar_t *s, const wchar_t *format, ...)
	__attribute__((annotate("fails(no errno)")));
int symlink(const char *from, const char *to)
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(2)")));
int symlinkat(const char *from, enum directory tofd, const char *to) __attribute__((fd_arg(2)))
	__attribute__((annotate("path(1)")))
	__attribute__((annotate("path(3)")));
void sync(void);
int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags)
	__attribute__((fd_arg(1)));
int syncfs(int fd) __attribute__((fd_arg(1)));
long syscall(long sysno, ...);
long sysconf(int name);
int sysinfo(struct sysinfo *info);
void syslog(int pri, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int system(const char *command);
sighandler_t sysv_signal(enum signal_number sig, sighandler_t handler)
	__attribute__((annotate("fails(-1)")));
int tcdrain(int fd) __attribute__((fd_arg(1)));
int tcflow(int fd, enum tty_flow action) __attribute__((fd_arg(1)));
int tcflush(int fd, enum tty_queue queue_selector) __attribute__((fd_arg(1)));
int tcgetattr(int fd, struct termios *termios_p) __attribute__((fd_arg(1)));
pid_t tcgetpgrp(int fd) __attribute__((fd_arg(1)));
pid_t tcgetsid(int fd) __attribute__((fd_arg(1)));
int tcsendbreak(int fd, int duration) __attribute__((fd_arg(1)));
int tcsetattr(int fd, enum tty_when optional_actions, const struct termios *termios_p)
	__attribute__((fd_arg(1)));
int tcsetpgrp(int fd, pid_t pgrp_id) __attribute__((fd_arg(1)));
void *tdelete(const void *key, void **rootp, int (*compar)(const void *, const void *))
	__attribute__((annotate("fails(never)")));
ssize_t tee(int fdin, int fdout, size_t len, unsigned int flags) __attribute__((fd_arg(1)))
__attribute__((fd_arg(2)));
long telldir(DIR *dirp);
char *tempnam(const char *dir, const char *pfx);
char *textdomain(const char *domainname) __attribute__((annotate("fails(never)")));
void *tfind(const void *key, void *const *rootp, int (*compar)(const void *, const void *))
	__attribute__((annotate("fails(never)")));
int tgkill(pid_t tgid, pid_t tid, enum signal_number signal);
void thrd_yield(void);
time_t time(time_t *timer) __attribute__((access(write_only, 1)));
time_t timegm(struct tm *tp);
time_t timelocal(struct tm *tp);
int timer_create(enum clock_number clock_id, struct sigevent *evp, timer_t *timerid);
int timer_delete(timer_t timerid);
int timer_getoverrun(timer_t timerid);
int timer_gettime(timer_t timerid, struct itimerspec *value);
int timer_settime(timer_t timerid, int flags, const struct itimerspec *value,
		  struct itimerspec *ovalue);
int timerfd_create(enum clock_number clock_id, enum timerfd_flags flags)
	__attribute__((annotate("returns(fd)")));
int timerfd_gettime(int ufd, struct itimerspec *otmr) __attribute__((fd_arg(1)));
int timerfd_settime(int ufd, enum timerfd_settime_flags flags, const struct itimerspec *utmr,
		    struct itimerspec *otmr) __attribute__((fd_arg(1)));
clock_t times(struct tms *buffer);
int timespec_get(struct timespec *ts, int base);
int timespec_getres(struct timespec *ts, int base);
FILE *tmpfile(void);
FILE *tmpfile64(void);
char *tmpnam(char[20]);
char *tmpnam_r(char s[20]);
int toascii(int c);
int tolower(int c) __attribute__((annotate("fails(never)")));
int tolower_l(int c, locale_t l);
int toupper(int c) __attribute__((annotate("fails(never)")));
int toupper_l(int c, locale_t l);
wint_t towctrans(wint_t wc, wctrans_t desc);
wint_t towctrans_l(wint_t wc, wctrans_t desc, locale_t locale);
wint_t towlower(wint_t wc) __attribute__((annotate("fails(never)")));
wint_t towlower_l(wint_t wc, locale_t locale);
wint_t towupper(wint_t wc) __attribute__((annotate("fails(never)")));
wint_t towupper_l(wint_t wc, locale_t locale);
int truncate(const char *file, off_t length);
int truncate64(const char *file, off64_t length);
void *tsearch(const void *key, void **rootp, int (*compar)(const void *, const void *));
char *ttyname(int fd) __attribute__((fd_arg(1)));
int ttyname_r(int fd, char *buf, size_t buflen) __attribute__((access(write_only, 2, 3)))
__attribute__((annotate("fails(nonzero)"))) __attribute__((fd_arg(1)));
int ttyslot(void);
void tzset(void);
useconds_t ualarm(useconds_t value, useconds_t interval);
int ulckpwdf(void);
long ulimit(int cmd, ...);
mode_t umask(mode_t mask);
int umount(const char *special_file);
int umount2(const char *special_file, enum umount_flags flags);
int uname(struct utsname *name) __attribute__((access(write_only, 1)));
int ungetc(int c, FILE *stream) __attribute__((annotate("fails(no errno)")));
wint_t ungetwc(wint_t wc, FILE *stream) __attribute__((annotate("fails(no errno)")));
int unlink(const char *name)
	__attribute__((annotate("path(1)")));
int unlinkat(enum directory fd, const char *name, enum at_flags flag)
	__attribute__((fd_arg(1)))
	__attribute__((annotate("path(2)")));
int unlockpt(int fd) __attribute__((fd_arg(1)));
int unsetenv(const char *name);
int unshare(enum clone_flags flags);
void updwtmp(const char *wtmp_file, const struct utmp *utmp);
void updwtmpx(const char *wtmpx_file, const struct utmpx *utmpx);
locale_t uselocale(locale_t dataset) __attribute__((annotate("fails(never)")));
int usleep(useconds_t useconds);
int utime(const char *file, const struct utimbuf *file_times);
int utimensat(enum directory fd, const char *path, const struct timespec times[2],
	      enum at_flags flags) __attribute__((fd_arg(1)));
int utimes(const char *file, const struct timeval tvp[2]);
int utmpname(const char *file);
int utmpxname(const char *file);
void *valloc(size_t size);
int vasprintf(char **ptr, const char *f, va_list arg) __attribute__((format(printf, 2, 0)));
int vdprintf(int fd, const char *fmt, va_list arg) __attribute__((format(printf, 2, 0)))
__attribute__((fd_arg(1)));
void verr(int status, const char *format, va_list) __attribute__((format(printf, 2, 0)));
void verrx(int status, const char *, va_list) __attribute__((format(printf, 2, 0)));
int versionsort(const struct dirent **e1, const struct dirent **e2)
	__attribute__((annotate("fails(never)")));
int versionsort64(const struct dirent64 **e1, const struct dirent64 **e2)
	__attribute__((annotate("fails(never)")));
pid_t vfork(void);
int vfprintf(FILE *s, const char *format, va_list arg) __attribute__((format(printf, 2, 0)));
int vfscanf(FILE *s, const char *format, va_list arg) __attribute__((format(scanf, 2, 0)))
__attribute__((annotate("fails(no errno)")));
int vfwprintf(FILE *s, const wchar_t *format, va_list arg);
int vfwscanf(FILE *s, const wchar_t *format, va_list arg);
int vhangup(void);
ssize_t vmsplice(int fdout, const struct iovec *iov, size_t count, unsigned int flags)
	__attribute__((fd_arg(1)))
	__attribute__((access(read_only, 2, 3))) __attribute__((annotate("pieces(read,2)")));
int vprintf(const char *format, va_list arg) __attribute__((format(printf, 1, 0)));
int vscanf(const char *format, va_list arg) __attribute__((format(scanf, 1, 0)))
__attribute__((annotate("fails(no errno)")));
int vsnprintf(char *s, size_t maxlen, const char *format, va_list arg)
	__attribute__((format(printf, 3, 0))) __attribute__((access(write_only, 1)));
int vsprintf(char *s, const char *format, va_list arg) __attribute__((access(write_only, 1)))
__attribute__((format(printf, 2, 0)));
int vsscanf(const char *s, const char *format, va_list arg) __attribute__((format(scanf, 2, 0)))
__attribute__((annotate("fails(no errno)")));
int vswprintf(wchar_t *s, size_t n, const wchar_t *format, va_list arg);
int vswscanf(const wchar_t *s, const wchar_t *format, va_list arg);
void vsyslog(int pri, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
void vwarn(const char *format, va_list) __attribute__((format(printf, 1, 0)));
void vwarnx(const char *format, va_list) __attribute__((format(printf, 1, 0)));
int vwprintf(const wchar_t *format, va_list arg);
int vwscanf(const wchar_t *format, va_list arg);
pid_t wait(int *stat_loc);
pid_t wait3(int *stat_loc, enum wait_options options, struct rusage *usage);
pid_t wait4(pid_t pid, int *stat_loc, enum wait_options options, struct rusage *usage);
int waitid(enum id_type idtype, id_t id, siginfo_t *infop, int options);
pid_t waitpid(pid_t pid, int *stat_loc, enum wait_options options)
	__attribute__((access(write_only, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warnx(const char *format, ...) __attribute__((format(printf, 1, 2)));
wchar_t *wcpcpy(wchar_t *dest, const wchar_t *src);
wchar_t *wcpncpy(wchar_t *dest, const wchar_t *src, size_t n);
size_t wcrtomb(char *s, wchar_t wc, mbstate_t *ps);
int wcscasecmp(const wchar_t *s1, const wchar_t *s2) __attribute__((annotate("fails(never)")));
int wcscasecmp_l(const wchar_t *s1, const wchar_t *s2, locale_t loc);
wchar_t *wcscat(wchar_t *dest, const wchar_t *src);
wchar_t *wcschr(const wchar_t *wcs, wchar_t wc) __attribute__((annotate("fails(never)")));
wchar_t *wcschrnul(const wchar_t *s, wchar_t wc);
int wcscmp(const wchar_t *s1, const wchar_t *s2) __attribute__((annotate("fails(never)")));
int wcscoll(const wchar_t *s1, const wchar_t *s2) __attribute__((annotate("fails(never)")));
int wcscoll_l(const wchar_t *s1, const wchar_t *s2, locale_t loc);
wchar_t *wcscpy(wchar_t *dest, const wchar_t *src);
size_t wcscspn(const wchar_t *wcs, const wchar_t *reject);
wchar_t *wcsdup(const wchar_t *s);
size_t wcsftime(wchar_t *s, size_t maxsize, const wchar_t *format, const struct tm *tp);
size_t wcsftime_l(wchar_t *s, size_t maxsize, const wchar_t *format, const struct tm *tp,
		  locale_t loc);
size_t wcslen(const wchar_t *s);
int wcsncasecmp(const wchar_t *s1, const wchar_t *s2, size_t n)
	__attribute__((annotate("fails(never)")));
int wcsncasecmp_l(const wchar_t *s1, const wchar_t *s2, size_t n, locale_t loc);
wchar_t *wcsncat(wchar_t *dest, const wchar_t *src, size_t n);
int wcsncmp(const wchar_t *s1, const wchar_t *s2, size_t n)
	__attribute__((annotate("fails(never)")));
wchar_t *wcsncpy(wchar_t *dest, const wchar_t *src, size_t n);
size_t wcsnlen(const wchar_t *s, size_t maxlen);
size_t wcsnrtombs(char *dst, const wchar_t **src, size_t nwc, size_t len, mbstate_t *ps);
wchar_t *wcspbrk(const wchar_t *wcs, const wchar_t *accept)
	__attribute__((annotate("fails(never)")));
wchar_t *wcsrchr(const wchar_t *wcs, wchar_t wc) __attribute__((annotate("fails(never)")));
size_t wcsrtombs(char *dst, const wchar_t **src, size_t len, mbstate_t *ps)
	__attribute__((annotate("fails(never)")));
size_t wcsspn(const wchar_t *wcs, const wchar_t *accept);
wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle)
	__attribute__((annotate("fails(never)")));
double wcstod(const wchar_t *nptr, wchar_t **endptr);
double wcstod_l(const wchar_t *nptr, wchar_t **endptr, locale_t loc);
float wcstof(const wchar_t *nptr, wchar_t **endptr);
float wcstof_l(const wchar_t *nptr, wchar_t **endptr, locale_t loc);
wchar_t *wcstok(wchar_t *s, const wchar_t *delim, wchar_t **ptr);
long wcstol(const wchar_t *nptr, wchar_t **endptr, int base);
long wcstol_l(const wchar_t *nptr, wchar_t **endptr, int base, locale_t loc);
long double wcstold(const wchar_t *nptr, wchar_t **endptr);
long double wcstold_l(const wchar_t *nptr, wchar_t **endptr, locale_t loc);
long long wcstoll(const wchar_t *nptr, wchar_t **endptr, int base);
long long wcstoll_l(const wchar_t *nptr, wchar_t **endptr, int base, locale_t loc);
size_t wcstombs(char *s, const wchar_t *pwcs, size_t n)
	__attribute__((access(write_only, 1, 3))) __attribute__((access(read_only, 2)));
long long wcstoq(const wchar_t *nptr, wchar_t **endptr, int base);
unsigned long wcstoul(const wchar_t *nptr, wchar_t **endptr, int base);
unsigned long wcstoul_l(const wchar_t *nptr, wchar_t **endptr, int base, locale_t loc);
unsigned long long wcstoull(const wchar_t *nptr, wchar_t **endptr, int base);
unsigned long long wcstoull_l(const wchar_t *nptr, wchar_t **endptr, int base, locale_t loc);
unsigned long long wcstouq(const wchar_t *nptr, wchar_t **endptr, int base);
wchar_t *wcswcs(const wchar_t *haystack, const wchar_t *needle);
int wcswidth(const wchar_t *s, size_t n);
size_t wcsxfrm(wchar_t *s1, const wchar_t *s2, size_t n);
size_t wcsxfrm_l(wchar_t *s1, const wchar_t *s2, size_t n, locale_t loc);
int wctob(wint_t c) __attribute__((annotate("fails(no errno)")));
int wctomb(char *s, wchar_t wchar);
wctrans_t wctrans(const char *property);
wctrans_t wctrans_l(const char *property, locale_t locale);
wctype_t wctype(const char *property);
wctype_t wctype_l(const char *property, locale_t locale);
int wcwidth(wchar_t c);
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
	__attribute__((annotate("fails(never)")));
int wmemcmp(const wchar_t *s1, const wchar_t *s2, size_t n)
	__attribute__((annotate("fails(never)")));
wchar_t *wmemcpy(wchar_t *s1, const wchar_t *s2, size_t n);
wchar_t *wmemmove(wchar_t *s1, const wchar_t *s2, size_t n);
wchar_t *wmempcpy(wchar_t *s1, const wchar_t *s2, size_t n);
wchar_t *wmemset(wchar_t *s, wchar_t c, size_t n);
int wprintf(const wchar_t *format, ...);
ssize_t write(int fd, const void *buf, size_t n) __attribute__((access(read_only, 2, 3)))
__attribute__((fd_arg(1)));
ssize_t writev(int fd, const struct iovec *iovec, int count)
	__attribute__((access(read_only, 2, 3))) __attribute__((fd_arg(1)))
	__attribute__((annotate("pieces(read,2)")));
int wscanf(const wchar_t *format, ...) __attribute__((annotate("fails(no errno)")));

/* What compilers make of calls when _FORTIFY_SOURCE is set, and what old programs call. */
int __printf_chk(int flag, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int __sprintf_chk(char *s, int flag, size_t size, const char *format, ...)
	__attribute__((access(write_only, 1))) __attribute__((format(printf, 4, 5)));
int __snprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, ...)
	__attribute__((access(write_only, 1))) __attribute__((format(printf, 5, 6)));
int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list arg)
	__attribute__((format(printf, 3, 0)));
int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list arg)
	__attribute__((access(write_only, 1))) __attribute__((format(printf, 5, 0)));
int __asprintf_chk(char **ptr, int flag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void *__memcpy_chk(void *dest, const void *src, size_t n, size_t size)
	__attribute__((access(write_only, 1))) __attribute__((access(read_only, 2, 3)));
void *__memmove_chk(void *dest, const void *src, size_t n, size_t size)
	__attribute__((access(write_only, 1))) __attribute__((access(read_only, 2, 3)));
void *__memset_chk(void *dest, int c, size_t n, size_t size)
	__attribute__((access(write_only, 1)));
char *__strcpy_chk(char *dest, const char *src, size_t size)
	__attribute__((access(write_only, 1)));
char *__strncpy_chk(char *dest, const char *src, size_t n, size_t size)
	__attribute__((access(write_only, 1)))
	__attribute__((access(write_only, 1, 3)))
	__attribute__((access(read_only, 2, 3)))
	__attribute__((annotate("returns(address)")));
char *__strcat_chk(char *dest, const char *src, size_t size);
char *__stpcpy_chk(char *dest, const char *src, size_t size)
	__attribute__((access(write_only, 1)));
ssize_t __read_chk(int fd, void *buf, size_t nbytes, size_t size)
	__attribute__((access(write_only, 2, 3))) __attribute__((fd_arg(1)));
int __xstat(int version, const char *path, struct stat *buf)
	__attribute__((access(write_only, 3)));
int __lxstat(int version, const char *path, struct stat *buf)
	__attribute__((access(write_only, 3)));
int __fxstat(int version, int fd, struct stat *buf) __attribute__((access(write_only, 3)))
__attribute__((fd_arg(2)));
int __cxa_atexit(void (*function)(void *), void *arg, void *dso);
void __cxa_finalize(void *dso);
void __stack_chk_fail(void);
int __sigsetjmp(void *env, int save_mask);
