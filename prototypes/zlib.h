/* SPDX-License-Identifier: Apache-2.0 */
/* zlib.h - what the functions of zlib are given and return: see libc.h. */

enum zlib_result {
	Z_OK,
	Z_STREAM_END,
	Z_NEED_DICT,
	Z_ERRNO = -1,
	Z_STREAM_ERROR = -2,
	Z_DATA_ERROR = -3,
	Z_MEM_ERROR = -4,
	Z_BUF_ERROR = -5,
	Z_VERSION_ERROR = -6
};
enum zlib_flush {
	Z_NO_FLUSH,
	Z_PARTIAL_FLUSH,
	Z_SYNC_FLUSH,
	Z_FULL_FLUSH,
	Z_FINISH,
	Z_BLOCK,
	Z_TREES
};

typedef unsigned long uLong;
typedef unsigned char Byte;
typedef Byte Bytef;
typedef unsigned int uInt;
typedef long off_t;
typedef unsigned long size_t;
typedef size_t z_size_t;
typedef uLong uLongf;
typedef struct z_stream_s z_stream;
struct internal_state;
typedef void *voidpf;
typedef voidpf (*alloc_func)(voidpf opaque, uInt items, uInt size);
typedef void (*free_func)(voidpf opaque, voidpf address);
struct z_stream_s {
	Bytef *next_in;
	uInt avail_in;
	uLong total_in;
	Bytef *next_out;
	uInt avail_out;
	uLong total_out;
	char *msg;
	struct internal_state *state;
	alloc_func zalloc;
	free_func zfree;
	voidpf opaque;
	int data_type;
	uLong adler;
	uLong reserved;
};
typedef z_stream *z_streamp;
typedef struct gz_header_s gz_header;
struct gz_header_s {
	int text;
	uLong time;
	int xflags;
	int os;
	Bytef *extra;
	uInt extra_len;
	uInt extra_max;
	Bytef *name;
	uInt name_max;
	Bytef *comment;
	uInt comm_max;
	int hcrc;
	int done;
};
typedef gz_header *gz_headerp;
typedef unsigned z_crc_t;
struct gzFile_s;
typedef struct gzFile_s *gzFile;
typedef void *voidp;
typedef const void *voidpc;
typedef __builtin_va_list va_list;
typedef unsigned (*in_func)(void *, unsigned char **);
typedef int (*out_func)(void *, unsigned char *, unsigned);

uLong adler32(uLong adler, const Bytef *buf, uInt len);
uLong adler32_combine(uLong, uLong, off_t);
uLong adler32_z(uLong adler, const Bytef *buf, z_size_t len);
enum zlib_result compress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);
enum zlib_result compress2(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen,
			   int level);
uLong compressBound(uLong sourceLen);
uLong crc32(uLong crc, const Bytef *buf, uInt len);
uLong crc32_combine(uLong, uLong, off_t);
uLong crc32_combine_gen(off_t);
uLong crc32_combine_op(uLong crc1, uLong crc2, uLong op);
uLong crc32_z(uLong crc, const Bytef *buf, z_size_t len);
enum zlib_result deflate(z_streamp strm, enum zlib_flush flush);
uLong deflateBound(z_streamp strm, uLong sourceLen);
enum zlib_result deflateCopy(z_streamp dest, z_streamp source);
enum zlib_result deflateEnd(z_streamp strm);
enum zlib_result deflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength);
enum zlib_result deflateInit2_(z_streamp strm, int level, int method, int windowBits,
			       int memLevel, int strategy, const char *version,
			       int stream_size);
enum zlib_result deflateInit_(z_streamp strm, int level, const char *version, int stream_size);
enum zlib_result deflateParams(z_streamp strm, int level, int strategy);
enum zlib_result deflatePending(z_streamp strm, unsigned *pending, int *bits);
enum zlib_result deflatePrime(z_streamp strm, int bits, int value);
enum zlib_result deflateReset(z_streamp strm);
enum zlib_result deflateResetKeep(z_streamp);
enum zlib_result deflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength);
enum zlib_result deflateSetHeader(z_streamp strm, gz_headerp head);
enum zlib_result deflateTune(z_streamp strm, int good_length, int max_lazy, int nice_length,
			     int max_chain);
const z_crc_t *get_crc_table(void);
int gzbuffer(gzFile file, unsigned size);
void gzclearerr(gzFile file);
enum zlib_result gzclose(gzFile file);
enum zlib_result gzclose_r(gzFile file);
enum zlib_result gzclose_w(gzFile file);
int gzdirect(gzFile file);
gzFile gzdopen(int fd, const char *mode);
int gzeof(gzFile file);
const char *gzerror(gzFile file, int *errnum);
enum zlib_result gzflush(gzFile file, enum zlib_flush flush);
z_size_t gzfread(voidp buf, z_size_t size, z_size_t nitems, gzFile file);
z_size_t gzfwrite(voidpc buf, z_size_t size, z_size_t nitems, gzFile file);
int gzgetc(gzFile file);
int gzgetc_(gzFile file);
char *gzgets(gzFile file, char *buf, int len);
off_t gzoffset(gzFile);
gzFile gzopen(const char *, const char *);
int gzprintf(gzFile file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int gzputc(gzFile file, int c);
int gzputs(gzFile file, const char *s);
int gzread(gzFile file, voidp buf, unsigned len) __attribute__((access(write_only, 2)))
__attribute__((annotate("returns(count,2)")));
int gzrewind(gzFile file);
off_t gzseek(gzFile, off_t, int);
enum zlib_result gzsetparams(gzFile file, int level, int strategy);
off_t gztell(gzFile);
int gzungetc(int c, gzFile file);
int gzvprintf(gzFile file, const char *format, va_list va);
int gzwrite(gzFile file, voidpc buf, unsigned len) __attribute__((access(read_only, 2, 3)));
enum zlib_result inflate(z_streamp strm, enum zlib_flush flush);
enum zlib_result inflateBack(z_streamp strm, in_func in, void *in_desc, out_func out,
			     void *out_desc);
enum zlib_result inflateBackEnd(z_streamp strm);
enum zlib_result inflateBackInit_(z_streamp strm, int windowBits, unsigned char *window,
				  const char *version, int stream_size);
unsigned long inflateCodesUsed(z_streamp);
enum zlib_result inflateCopy(z_streamp dest, z_streamp source);
enum zlib_result inflateEnd(z_streamp strm);
enum zlib_result inflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength);
enum zlib_result inflateGetHeader(z_streamp strm, gz_headerp head);
enum zlib_result inflateInit2_(z_streamp strm, int windowBits, const char *version,
			       int stream_size);
enum zlib_result inflateInit_(z_streamp strm, const char *version, int stream_size);
long inflateMark(z_streamp strm);
enum zlib_result inflatePrime(z_streamp strm, int bits, int value);
enum zlib_result inflateReset(z_streamp strm);
enum zlib_result inflateReset2(z_streamp strm, int windowBits);
enum zlib_result inflateResetKeep(z_streamp);
enum zlib_result inflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength);
enum zlib_result inflateSync(z_streamp strm);
int inflateSyncPoint(z_streamp);
int inflateUndermine(z_streamp, int);
int inflateValidate(z_streamp, int);
enum zlib_result uncompress(Bytef *dest, uLongf *destLen, const Bytef *source, uLong sourceLen);
enum zlib_result uncompress2(Bytef *dest, uLongf *destLen, const Bytef *source,
			     uLong *sourceLen);
const char *zError(int);
uLong zlibCompileFlags(void);
const char *zlibVersion(void);
