/* SPDX-License-Identifier: Apache-2.0 */
/*
 * openssl.h - what the most used functions of OpenSSL 3 (libssl, libcrypto) are given and return:
 * see libc.h.
 */

struct stack_st_ASN1_OBJECT;
typedef struct ASN1_ITEM_st ASN1_ITEM;
typedef struct asn1_string_st ASN1_BIT_STRING;
typedef struct bio_st BIO;
typedef long int64_t;
typedef struct bignum_st BIGNUM;
typedef struct asn1_string_st ASN1_GENERALIZEDTIME;
typedef long time_t;
typedef struct asn1_string_st ASN1_INTEGER;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
typedef struct asn1_object_st ASN1_OBJECT;
typedef struct asn1_string_st ASN1_OCTET_STRING;
typedef struct asn1_pctx_st ASN1_PCTX;
typedef struct asn1_string_st ASN1_STRING;
typedef struct asn1_string_table_st ASN1_STRING_TABLE;
typedef struct _IO_FILE FILE;
typedef struct asn1_string_st ASN1_TIME;
struct tm;
typedef struct asn1_type_st ASN1_TYPE;
typedef void *d2i_of_void(void **, const unsigned char **, long);
typedef int i2d_of_void(const void *, unsigned char **);
typedef struct evp_md_st EVP_MD;
typedef struct conf_st CONF;
typedef struct ASN1_VALUE_st ASN1_VALUE;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct X509_algor_st X509_ALGOR;
typedef struct evp_pkey_st EVP_PKEY;
typedef struct evp_md_ctx_st EVP_MD_CTX;
typedef struct AUTHORITY_KEYID_st AUTHORITY_KEYID;
typedef union bio_addr_st BIO_ADDR;
typedef struct bio_addrinfo_st BIO_ADDRINFO;
typedef int asn1_ps_func(BIO *b, unsigned char **pbuf, int *plen, void *parg);
typedef int BIO_info_cb(BIO *, int, int);
typedef struct bio_method_st BIO_METHOD;
typedef long (*BIO_callback_fn)(BIO *b, int oper, const char *argp, int argi, long argl,
				long ret);
typedef long (*BIO_callback_fn_ex)(BIO *b, int oper, const char *argp, size_t len, int argi,
				   long argl, int ret, size_t *processed);
struct hostent;
enum BIO_lookup_type { BIO_LOOKUP_CLIENT, BIO_LOOKUP_SERVER };
typedef struct pkcs7_st PKCS7;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct ossl_core_bio_st OSSL_CORE_BIO;
enum BIO_hostserv_priorities { BIO_PARSE_PRIO_HOST, BIO_PARSE_PRIO_SERV };
typedef struct evp_cipher_st EVP_CIPHER;
typedef __builtin_va_list va_list;
typedef struct bignum_ctx BN_CTX;
typedef struct bn_mont_ctx_st BN_MONT_CTX;
typedef struct bn_gencb_st BN_GENCB;
typedef struct bn_recp_ctx_st BN_RECP_CTX;
typedef struct comp_method_st COMP_METHOD;
typedef struct conf_imodule_st CONF_IMODULE;
typedef int conf_init_func(CONF_IMODULE *md, const CONF *cnf);
typedef void conf_finish_func(CONF_IMODULE *md);
typedef struct crypto_ex_data_st CRYPTO_EX_DATA;
typedef void CRYPTO_EX_new(void *parent, void *ptr, CRYPTO_EX_DATA *ad, int idx, long argl,
			   void *argp);
typedef int CRYPTO_EX_dup(CRYPTO_EX_DATA *to, const CRYPTO_EX_DATA *from, void **from_d,
			  int idx, long argl, void *argp);
typedef void CRYPTO_EX_free(void *parent, void *ptr, CRYPTO_EX_DATA *ad, int idx, long argl,
			    void *argp);
typedef struct ctlog_store_st CTLOG_STORE;
typedef unsigned char uint8_t;
typedef struct ct_policy_eval_ctx_st CT_POLICY_EVAL_CTX;
typedef struct x509_st X509;
typedef struct dh_st DH;
typedef struct engine_st ENGINE;
typedef struct X509_name_st X509_NAME;
typedef struct dsa_st DSA;
typedef struct ssl_method_st SSL_METHOD;
typedef struct ssl_st SSL;
typedef unsigned int (*DTLS_timer_cb)(SSL *s, unsigned int timer_us);
typedef struct ec_point_st EC_POINT;
typedef struct ec_key_st EC_KEY;
typedef struct ec_group_st EC_GROUP;
typedef enum {
	POINT_CONVERSION_COMPRESSED = 2,
	POINT_CONVERSION_UNCOMPRESSED = 4,
	POINT_CONVERSION_HYBRID = 6
} point_conversion_form_t;
typedef struct ossl_param_st OSSL_PARAM;
struct ossl_param_st {
	const char *key;
	unsigned int data_type;
	void *data;
	size_t data_size;
	size_t return_size;
};
typedef struct ec_key_method_st EC_KEY_METHOD;
typedef struct err_state_st ERR_STATE;
typedef struct ERR_string_data_st ERR_STRING_DATA;
typedef struct ossl_provider_st OSSL_PROVIDER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_Encode_Ctx_st EVP_ENCODE_CTX;
typedef struct evp_pkey_ctx_st EVP_PKEY_CTX;
typedef struct evp_keymgmt_st EVP_KEYMGMT;
typedef struct evp_mac_ctx_st EVP_MAC_CTX;
typedef struct evp_mac_st EVP_MAC;
typedef int EVP_PBE_KEYGEN(EVP_CIPHER_CTX *ctx, const char *pass, int passlen, ASN1_TYPE *param,
			   const EVP_CIPHER *cipher, const EVP_MD *md, int en_de);
typedef int EVP_PBE_KEYGEN_EX(EVP_CIPHER_CTX *ctx, const char *pass, int passlen,
			      ASN1_TYPE *param, const EVP_CIPHER *cipher, const EVP_MD *md,
			      int en_de, OSSL_LIB_CTX *libctx, const char *propq);
typedef struct pkcs8_priv_key_info_st PKCS8_PRIV_KEY_INFO;
typedef int EVP_PKEY_gen_cb(EVP_PKEY_CTX *ctx);
typedef struct x509_attributes_st X509_ATTRIBUTE;
typedef struct evp_pkey_asn1_method_st EVP_PKEY_ASN1_METHOD;
typedef struct X509_pubkey_st X509_PUBKEY;
typedef int OSSL_CALLBACK(const OSSL_PARAM params[], void *arg);
struct rsa_st;
typedef struct evp_rand_ctx_st EVP_RAND_CTX;
typedef struct stack_st_GENERAL_NAME GENERAL_NAMES;
typedef struct hmac_ctx_st HMAC_CTX;
typedef struct MD5state_st MD5_CTX;
typedef struct Netscape_certificate_sequence NETSCAPE_CERT_SEQUENCE;
typedef struct ossl_init_settings_st OPENSSL_INIT_SETTINGS;
typedef struct lhash_st OPENSSL_LHASH;
typedef void (*OPENSSL_LH_DOALL_FUNC)(void *);
typedef void (*OPENSSL_LH_DOALL_FUNCARG)(void *, void *);
typedef unsigned long (*OPENSSL_LH_HASHFUNC)(const void *);
typedef int (*OPENSSL_LH_COMPFUNC)(const void *, const void *);
typedef struct stack_st OPENSSL_STACK;
typedef void *(*OPENSSL_sk_copyfunc)(const void *);
typedef void (*OPENSSL_sk_freefunc)(void *);
typedef int (*OPENSSL_sk_compfunc)(const void *, const void *);
typedef unsigned int uint32_t;
typedef int pem_password_cb(char *buf, int size, int rwflag, void *userdata);
typedef struct X509_info_st X509_INFO;
typedef struct X509_sig_st X509_SIG;
typedef struct rsa_st RSA;
typedef struct ssl_session_st SSL_SESSION;
typedef struct X509_crl_st X509_CRL;
typedef struct X509_req_st X509_REQ;
struct stack_st_X509_ALGOR;
typedef struct x509_store_st X509_STORE;
typedef struct x509_store_ctx_st X509_STORE_CTX;
struct stack_st_X509;
typedef struct rand_meth_st RAND_METHOD;
typedef struct rsa_pss_params_st RSA_PSS_PARAMS;
struct stack_st_SCT;
typedef struct SHAstate_st SHA_CTX;
typedef struct SHA256state_st SHA256_CTX;
typedef struct SHA512state_st SHA512_CTX;
typedef struct ssl_cipher_st SSL_CIPHER;
typedef unsigned short uint16_t;
typedef struct ssl_comp_st SSL_COMP;
struct stack_st_SSL_COMP;
typedef struct ssl_conf_ctx_st SSL_CONF_CTX;
typedef int (*custom_ext_add_cb)(SSL *s, unsigned int ext_type, const unsigned char **out,
				 size_t *outlen, int *al, void *add_arg);
typedef void (*custom_ext_free_cb)(SSL *s, unsigned int ext_type, const unsigned char *out,
				   void *add_arg);
typedef int (*custom_ext_parse_cb)(SSL *s, unsigned int ext_type, const unsigned char *in,
				   size_t inlen, int *al, void *parse_arg);
typedef int (*SSL_custom_ext_add_cb_ex)(SSL *s, unsigned int ext_type, unsigned int context,
					const unsigned char **out, size_t *outlen, X509 *x,
					size_t chainidx, int *al, void *add_arg);
typedef void (*SSL_custom_ext_free_cb_ex)(SSL *s, unsigned int ext_type, unsigned int context,
					  const unsigned char *out, void *add_arg);
typedef int (*SSL_custom_ext_parse_cb_ex)(SSL *s, unsigned int ext_type, unsigned int context,
					  const unsigned char *in, size_t inlen, X509 *x,
					  size_t chainidx, int *al, void *parse_arg);
struct stack_st_X509_NAME;
typedef struct X509_VERIFY_PARAM_st X509_VERIFY_PARAM;
struct stack_st_SSL_CIPHER;
typedef void (*SSL_CTX_keylog_cb_func)(const SSL *ssl, const char *line);
typedef int (*SSL_verify_cb)(int preverify_ok, X509_STORE_CTX *x509_ctx);
struct lhash_st_SSL_SESSION;
typedef int (*SSL_allow_early_data_cb_fn)(SSL *s, void *arg);
typedef int (*SSL_CTX_alpn_select_cb_func)(SSL *ssl, const unsigned char **out,
					   unsigned char *outlen, const unsigned char *in,
					   unsigned int inlen, void *arg);
typedef int (*SSL_async_callback_fn)(SSL *s, void *arg);
typedef int (*SSL_client_hello_cb_fn)(SSL *s, int *al, void *arg);
typedef int (*ssl_ct_validation_cb)(const CT_POLICY_EVAL_CTX *ctx,
				    const struct stack_st_SCT *scts, void *arg);
typedef int (*GEN_SESSION_CB)(SSL *ssl, unsigned char *id, unsigned int *id_len);
typedef int (*SSL_CTX_npn_select_cb_func)(SSL *s, unsigned char **out, unsigned char *outlen,
					  const unsigned char *in, unsigned int inlen,
					  void *arg);
typedef int (*SSL_CTX_npn_advertised_cb_func)(SSL *ssl, const unsigned char **out,
					      unsigned int *outlen, void *arg);
typedef unsigned int (*SSL_psk_client_cb_func)(SSL *ssl, const char *hint, char *identity,
					       unsigned int max_identity_len,
					       unsigned char *psk, unsigned int max_psk_len);
typedef int (*SSL_psk_find_session_cb_func)(SSL *ssl, const unsigned char *identity,
					    size_t identity_len, SSL_SESSION **sess);
typedef unsigned int (*SSL_psk_server_cb_func)(SSL *ssl, const char *identity,
					       unsigned char *psk, unsigned int max_psk_len);
typedef int (*SSL_psk_use_session_cb_func)(SSL *ssl, const EVP_MD *md, const unsigned char **id,
					   size_t *idlen, SSL_SESSION **sess);
typedef int (*SSL_CTX_generate_session_ticket_fn)(SSL *s, void *arg);
typedef int SSL_TICKET_RETURN;
typedef int SSL_TICKET_STATUS;
typedef SSL_TICKET_RETURN (*SSL_CTX_decrypt_session_ticket_fn)(SSL *s, SSL_SESSION *ss,
							       const unsigned char *keyname,
							       size_t keyname_length,
							       SSL_TICKET_STATUS status,
							       void *arg);
typedef struct ssl_dane_st SSL_DANE;
typedef struct srtp_protection_profile_st SRTP_PROTECTION_PROFILE;
struct stack_st_SRTP_PROTECTION_PROFILE;
typedef enum {
	TLS_ST_BEFORE,
	TLS_ST_OK,
	DTLS_ST_CR_HELLO_VERIFY_REQUEST,
	TLS_ST_CR_SRVR_HELLO,
	TLS_ST_CR_CERT,
	TLS_ST_CR_CERT_STATUS,
	TLS_ST_CR_KEY_EXCH,
	TLS_ST_CR_CERT_REQ,
	TLS_ST_CR_SRVR_DONE,
	TLS_ST_CR_SESSION_TICKET,
	TLS_ST_CR_CHANGE,
	TLS_ST_CR_FINISHED,
	TLS_ST_CW_CLNT_HELLO,
	TLS_ST_CW_CERT,
	TLS_ST_CW_KEY_EXCH,
	TLS_ST_CW_CERT_VRFY,
	TLS_ST_CW_CHANGE,
	TLS_ST_CW_NEXT_PROTO,
	TLS_ST_CW_FINISHED,
	TLS_ST_SW_HELLO_REQ,
	TLS_ST_SR_CLNT_HELLO,
	DTLS_ST_SW_HELLO_VERIFY_REQUEST,
	TLS_ST_SW_SRVR_HELLO,
	TLS_ST_SW_CERT,
	TLS_ST_SW_KEY_EXCH,
	TLS_ST_SW_CERT_REQ,
	TLS_ST_SW_SRVR_DONE,
	TLS_ST_SR_CERT,
	TLS_ST_SR_KEY_EXCH,
	TLS_ST_SR_CERT_VRFY,
	TLS_ST_SR_NEXT_PROTO,
	TLS_ST_SR_CHANGE,
	TLS_ST_SR_FINISHED,
	TLS_ST_SW_SESSION_TICKET,
	TLS_ST_SW_CERT_STATUS,
	TLS_ST_SW_CHANGE,
	TLS_ST_SW_FINISHED,
	TLS_ST_SW_ENCRYPTED_EXTENSIONS,
	TLS_ST_CR_ENCRYPTED_EXTENSIONS,
	TLS_ST_CR_CERT_VRFY,
	TLS_ST_SW_CERT_VRFY,
	TLS_ST_CR_HELLO_REQ,
	TLS_ST_SW_KEY_UPDATE,
	TLS_ST_CW_KEY_UPDATE,
	TLS_ST_SR_KEY_UPDATE,
	TLS_ST_CR_KEY_UPDATE,
	TLS_ST_EARLY_DATA,
	TLS_ST_PENDING_EARLY_DATA_END,
	TLS_ST_CW_END_OF_EARLY_DATA,
	TLS_ST_SR_END_OF_EARLY_DATA
} OSSL_HANDSHAKE_STATE;
typedef long ssize_t;
typedef long off_t;
typedef int (*tls_session_secret_cb_fn)(SSL *s, void *secret, int *secret_len,
					struct stack_st_SSL_CIPHER *peer_ciphers,
					const SSL_CIPHER **cipher, void *arg);
typedef int (*tls_session_ticket_ext_cb_fn)(SSL *s, const unsigned char *data, int len,
					    void *arg);
struct openssl_ssl_test_functions;
typedef struct stack_st_ASN1_INTEGER TLS_FEATURE;
struct stack_st_X509_EXTENSION;
typedef struct X509_extension_st X509_EXTENSION;
typedef struct x509_cert_aux_st X509_CERT_AUX;
typedef struct x509_cinf_st X509_CINF;
typedef struct X509_crl_info_st X509_CRL_INFO;
typedef struct x509_crl_method_st X509_CRL_METHOD;
typedef struct x509_revoked_st X509_REVOKED;
struct stack_st_X509_REVOKED;
typedef struct x509_lookup_st X509_LOOKUP;
typedef enum { X509_LU_NONE = 0, X509_LU_X509, X509_LU_CRL } X509_LOOKUP_TYPE;
typedef struct x509_object_st X509_OBJECT;
typedef struct x509_lookup_method_st X509_LOOKUP_METHOD;
typedef struct X509_name_entry_st X509_NAME_ENTRY;
struct stack_st_X509_OBJECT;
typedef struct private_key_st X509_PKEY;
typedef struct X509_POLICY_NODE_st X509_POLICY_NODE;
typedef struct X509_req_info_st X509_REQ_INFO;
struct stack_st_OPENSSL_STRING;
typedef struct X509_POLICY_TREE_st X509_POLICY_TREE;
struct stack_st_X509_CRL;
typedef int (*X509_STORE_CTX_cert_crl_fn)(X509_STORE_CTX *ctx, X509_CRL *crl, X509 *x);
typedef int (*X509_STORE_CTX_check_crl_fn)(X509_STORE_CTX *ctx, X509_CRL *crl);
typedef int (*X509_STORE_CTX_check_issued_fn)(X509_STORE_CTX *ctx, X509 *x, X509 *issuer);
typedef int (*X509_STORE_CTX_check_policy_fn)(X509_STORE_CTX *ctx);
typedef int (*X509_STORE_CTX_check_revocation_fn)(X509_STORE_CTX *ctx);
typedef int (*X509_STORE_CTX_cleanup_fn)(X509_STORE_CTX *ctx);
typedef int (*X509_STORE_CTX_get_crl_fn)(X509_STORE_CTX *ctx, X509_CRL **crl, X509 *x);
typedef int (*X509_STORE_CTX_get_issuer_fn)(X509 **issuer, X509_STORE_CTX *ctx, X509 *x);
typedef struct stack_st_X509 *(*X509_STORE_CTX_lookup_certs_fn)(X509_STORE_CTX *ctx,
								const X509_NAME *nm);
typedef struct stack_st_X509_CRL *(*X509_STORE_CTX_lookup_crls_fn)(const X509_STORE_CTX *ctx,
								   const X509_NAME *nm);
typedef int (*X509_STORE_CTX_verify_fn)(X509_STORE_CTX *);
typedef int (*X509_STORE_CTX_verify_cb)(int, X509_STORE_CTX *);
typedef struct X509_val_st X509_VAL;
typedef struct stack_st_X509_ALGOR X509_ALGORS;
typedef struct stack_st_X509_EXTENSION X509_EXTENSIONS;

int ASN1_INTEGER_cmp(const ASN1_INTEGER *x, const ASN1_INTEGER *y);
ASN1_INTEGER *ASN1_INTEGER_dup(const ASN1_INTEGER *a);
void ASN1_INTEGER_free(ASN1_INTEGER *a);
long ASN1_INTEGER_get(const ASN1_INTEGER *a);
int ASN1_INTEGER_get_int64(int64_t *pr, const ASN1_INTEGER *a);
int ASN1_INTEGER_get_uint64(uint64_t *pr, const ASN1_INTEGER *a);
ASN1_INTEGER *ASN1_INTEGER_new(void);
int ASN1_INTEGER_set(ASN1_INTEGER *a, long v) __attribute__((annotate("fails(not positive)")));
int ASN1_INTEGER_set_int64(ASN1_INTEGER *a, int64_t r)
	__attribute__((annotate("fails(not positive)")));
int ASN1_INTEGER_set_uint64(ASN1_INTEGER *a, uint64_t r)
	__attribute__((annotate("fails(not positive)")));
BIGNUM *ASN1_INTEGER_to_BN(const ASN1_INTEGER *ai, BIGNUM *bn);
ASN1_OBJECT *ASN1_OBJECT_create(int nid, unsigned char *data, int len, const char *sn,
				const char *ln);
void ASN1_OBJECT_free(ASN1_OBJECT *a);
ASN1_OBJECT *ASN1_OBJECT_new(void);
int ASN1_STRING_TABLE_add(int, long, long, unsigned long, unsigned long);
void ASN1_STRING_TABLE_cleanup(void);
ASN1_STRING_TABLE *ASN1_STRING_TABLE_get(int nid);
void ASN1_STRING_clear_free(ASN1_STRING *a);
int ASN1_STRING_cmp(const ASN1_STRING *a, const ASN1_STRING *b);
int ASN1_STRING_copy(ASN1_STRING *dst, const ASN1_STRING *str)
	__attribute__((annotate("fails(not positive)")));
unsigned char *ASN1_STRING_data(ASN1_STRING *x);
ASN1_STRING *ASN1_STRING_dup(const ASN1_STRING *a);
void ASN1_STRING_free(ASN1_STRING *a);
const unsigned char *ASN1_STRING_get0_data(const ASN1_STRING *x);
unsigned long ASN1_STRING_get_default_mask(void);
int ASN1_STRING_length(const ASN1_STRING *x);
void ASN1_STRING_length_set(ASN1_STRING *x, int n);
ASN1_STRING *ASN1_STRING_new(void);
int ASN1_STRING_print(BIO *bp, const ASN1_STRING *v);
int ASN1_STRING_print_ex(BIO *out, const ASN1_STRING *str, unsigned long flags);
int ASN1_STRING_print_ex_fp(FILE *fp, const ASN1_STRING *str, unsigned long flags);
int ASN1_STRING_set(ASN1_STRING *str, const void *data, int len)
	__attribute__((annotate("fails(not positive)")));
void ASN1_STRING_set0(ASN1_STRING *str, void *data, int len);
ASN1_STRING *ASN1_STRING_set_by_NID(ASN1_STRING **out, const unsigned char *in, int inlen,
				    int inform, int nid);
void ASN1_STRING_set_default_mask(unsigned long mask);
int ASN1_STRING_set_default_mask_asc(const char *p);
int ASN1_STRING_to_UTF8(unsigned char **out, const ASN1_STRING *in);
int ASN1_STRING_type(const ASN1_STRING *x);
ASN1_STRING *ASN1_STRING_type_new(int type);
int ASN1_TIME_check(const ASN1_TIME *t);
int ASN1_TIME_cmp_time_t(const ASN1_TIME *s, time_t t);
int ASN1_TIME_compare(const ASN1_TIME *a, const ASN1_TIME *b);
int ASN1_TIME_diff(int *pday, int *psec, const ASN1_TIME *from, const ASN1_TIME *to);
ASN1_TIME *ASN1_TIME_dup(const ASN1_TIME *a);
void ASN1_TIME_free(ASN1_TIME *a);
ASN1_TIME *ASN1_TIME_new(void);
int ASN1_TIME_normalize(ASN1_TIME *s) __attribute__((annotate("fails(not positive)")));
int ASN1_TIME_print(BIO *bp, const ASN1_TIME *tm)
	__attribute__((annotate("fails(not positive)")));
int ASN1_TIME_print_ex(BIO *bp, const ASN1_TIME *tm, unsigned long flags);
ASN1_TIME *ASN1_TIME_set(ASN1_TIME *s, time_t t);
int ASN1_TIME_set_string(ASN1_TIME *s, const char *str)
	__attribute__((annotate("fails(not positive)")));
int ASN1_TIME_set_string_X509(ASN1_TIME *s, const char *str)
	__attribute__((annotate("fails(not positive)")));
ASN1_GENERALIZEDTIME *ASN1_TIME_to_generalizedtime(const ASN1_TIME *t,
						   ASN1_GENERALIZEDTIME **out);
int ASN1_TIME_to_tm(const ASN1_TIME *s, struct tm *tm)
	__attribute__((annotate("fails(not positive)")));
const BIO_ADDR *BIO_ADDRINFO_address(const BIO_ADDRINFO *bai);
int BIO_ADDRINFO_family(const BIO_ADDRINFO *bai);
void BIO_ADDRINFO_free(BIO_ADDRINFO *bai);
const BIO_ADDRINFO *BIO_ADDRINFO_next(const BIO_ADDRINFO *bai);
int BIO_ADDRINFO_protocol(const BIO_ADDRINFO *bai);
int BIO_ADDRINFO_socktype(const BIO_ADDRINFO *bai);
void BIO_ADDR_clear(BIO_ADDR *ap);
int BIO_ADDR_family(const BIO_ADDR *ap);
void BIO_ADDR_free(BIO_ADDR *);
char *BIO_ADDR_hostname_string(const BIO_ADDR *ap, int numeric);
BIO_ADDR *BIO_ADDR_new(void);
char *BIO_ADDR_path_string(const BIO_ADDR *ap);
int BIO_ADDR_rawaddress(const BIO_ADDR *ap, void *p, size_t *l);
int BIO_ADDR_rawmake(BIO_ADDR *ap, int family, const void *where, size_t wherelen,
		     unsigned short port);
unsigned short BIO_ADDR_rawport(const BIO_ADDR *ap);
char *BIO_ADDR_service_string(const BIO_ADDR *ap, int numeric);
int BIO_accept(int sock, char **ip_port);
int BIO_accept_ex(int accept_sock, BIO_ADDR *addr, int options);
int BIO_asn1_get_prefix(BIO *b, asn1_ps_func **pprefix, asn1_ps_func **pprefix_free);
int BIO_asn1_get_suffix(BIO *b, asn1_ps_func **psuffix, asn1_ps_func **psuffix_free);
int BIO_asn1_set_prefix(BIO *b, asn1_ps_func *prefix, asn1_ps_func *prefix_free);
int BIO_asn1_set_suffix(BIO *b, asn1_ps_func *suffix, asn1_ps_func *suffix_free);
int BIO_bind(int sock, const BIO_ADDR *addr, int options);
long BIO_callback_ctrl(BIO *b, int cmd, BIO_info_cb *fp);
void BIO_clear_flags(BIO *b, int flags);
int BIO_closesocket(int sock);
int BIO_connect(int sock, const BIO_ADDR *addr, int options);
void BIO_copy_next_retry(BIO *b);
long BIO_ctrl(BIO *bp, int cmd, long larg, void *parg);
size_t BIO_ctrl_get_read_request(BIO *b);
size_t BIO_ctrl_get_write_guarantee(BIO *b);
size_t BIO_ctrl_pending(BIO *b);
int BIO_ctrl_reset_read_request(BIO *b);
size_t BIO_ctrl_wpending(BIO *b);
long BIO_debug_callback(BIO *bio, int cmd, const char *argp, int argi, long argl, long ret);
long BIO_debug_callback_ex(BIO *bio, int oper, const char *argp, size_t len, int argi,
			   long argl, int ret, size_t *processed);
int BIO_dgram_non_fatal_error(int error);
int BIO_do_connect_retry(BIO *bio, int timeout, int nap_milliseconds);
int BIO_dump(BIO *b, const void *bytes, int len);
int BIO_dump_cb(int (*cb)(const void *data, size_t len, void *u), void *u, const void *s,
		int len);
int BIO_dump_fp(FILE *fp, const void *s, int len);
int BIO_dump_indent(BIO *b, const void *bytes, int len, int indent);
int BIO_dump_indent_cb(int (*cb)(const void *data, size_t len, void *u), void *u, const void *s,
		       int len, int indent);
int BIO_dump_indent_fp(FILE *fp, const void *s, int len, int indent);
BIO *BIO_dup_chain(BIO *in);
const BIO_METHOD *BIO_f_asn1(void);
const BIO_METHOD *BIO_f_base64(void);
const BIO_METHOD *BIO_f_buffer(void);
const BIO_METHOD *BIO_f_cipher(void);
const BIO_METHOD *BIO_f_linebuffer(void);
const BIO_METHOD *BIO_f_md(void);
const BIO_METHOD *BIO_f_nbio_test(void);
const BIO_METHOD *BIO_f_null(void);
const BIO_METHOD *BIO_f_prefix(void);
const BIO_METHOD *BIO_f_readbuffer(void);
const BIO_METHOD *BIO_f_reliable(void);
const BIO_METHOD *BIO_f_ssl(void);
int BIO_fd_non_fatal_error(int error);
int BIO_fd_should_retry(int i);
BIO *BIO_find_type(BIO *b, int bio_type);
int BIO_free(BIO *a);
void BIO_free_all(BIO *a);
int BIO_get_accept_socket(char *host_port, int mode);
BIO_callback_fn BIO_get_callback(const BIO *b);
char *BIO_get_callback_arg(const BIO *b);
BIO_callback_fn_ex BIO_get_callback_ex(const BIO *b);
void *BIO_get_data(BIO *a);
int BIO_get_host_ip(const char *str, unsigned char *ip);
int BIO_get_init(BIO *a);
int BIO_get_line(BIO *bio, char *buf, int size);
int BIO_get_new_index(void);
int BIO_get_port(const char *str, unsigned short *port_ptr);
BIO *BIO_get_retry_BIO(BIO *bio, int *reason);
int BIO_get_retry_reason(BIO *bio);
int BIO_get_shutdown(BIO *a);
struct hostent *BIO_gethostbyname(const char *name);
int BIO_gets(BIO *bp, char *buf, int size);
int BIO_hex_string(BIO *out, int indent, int width, const void *data, int datalen);
int BIO_indent(BIO *b, int indent, int max);
long BIO_int_ctrl(BIO *bp, int cmd, long larg, int iarg);
int BIO_listen(int sock, const BIO_ADDR *addr, int options);
int BIO_lookup(const char *host, const char *service, enum BIO_lookup_type lookup_type,
	       int family, int socktype, BIO_ADDRINFO **res);
int BIO_lookup_ex(const char *host, const char *service, int lookup_type, int family,
		  int socktype, int protocol, BIO_ADDRINFO **res);
BIO *BIO_new(const BIO_METHOD *type);
BIO *BIO_new_NDEF(BIO *out, ASN1_VALUE *val, const ASN1_ITEM *it);
BIO *BIO_new_PKCS7(BIO *out, PKCS7 *p7);
BIO *BIO_new_accept(const char *host_port);
int BIO_new_bio_pair(BIO **bio1, size_t writebuf1, BIO **bio2, size_t writebuf2);
BIO *BIO_new_buffer_ssl_connect(SSL_CTX *ctx);
BIO *BIO_new_connect(const char *host_port);
BIO *BIO_new_dgram(int fd, int close_flag);
BIO *BIO_new_ex(OSSL_LIB_CTX *libctx, const BIO_METHOD *method);
BIO *BIO_new_fd(int fd, int close_flag);
BIO *BIO_new_file(const char *filename, const char *mode);
BIO *BIO_new_fp(FILE *stream, int close_flag);
BIO *BIO_new_from_core_bio(OSSL_LIB_CTX *libctx, OSSL_CORE_BIO *corebio);
BIO *BIO_new_mem_buf(const void *buf, int len);
BIO *BIO_new_socket(int sock, int close_flag);
BIO *BIO_new_ssl(SSL_CTX *ctx, int client);
BIO *BIO_new_ssl_connect(SSL_CTX *ctx);
BIO *BIO_next(BIO *b);
int BIO_nread(BIO *bio, char **buf, int num);
int BIO_nread0(BIO *bio, char **buf);
uint64_t BIO_number_read(BIO *bio);
uint64_t BIO_number_written(BIO *bio);
int BIO_nwrite(BIO *bio, char **buf, int num);
int BIO_nwrite0(BIO *bio, char **buf);
int BIO_parse_hostserv(const char *hostserv, char **host, char **service,
		       enum BIO_hostserv_priorities hostserv_prio);
BIO *BIO_pop(BIO *b);
int BIO_printf(BIO *bio, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *BIO_ptr_ctrl(BIO *bp, int cmd, long larg);
BIO *BIO_push(BIO *b, BIO *append);
int BIO_puts(BIO *bp, const char *buf);
int BIO_read(BIO *b, void *data, int dlen) __attribute__((access(write_only, 2)))
__attribute__((annotate("returns(count,2)")));
int BIO_read_ex(BIO *b, void *data, size_t dlen, size_t *readbytes);
const BIO_METHOD *BIO_s_accept(void);
const BIO_METHOD *BIO_s_bio(void);
const BIO_METHOD *BIO_s_connect(void);
const BIO_METHOD *BIO_s_core(void);
const BIO_METHOD *BIO_s_datagram(void);
const BIO_METHOD *BIO_s_fd(void);
const BIO_METHOD *BIO_s_file(void);
const BIO_METHOD *BIO_s_log(void);
const BIO_METHOD *BIO_s_mem(void);
const BIO_METHOD *BIO_s_null(void);
const BIO_METHOD *BIO_s_secmem(void);
const BIO_METHOD *BIO_s_socket(void);
void BIO_set_callback(BIO *b, BIO_callback_fn callback);
void BIO_set_callback_arg(BIO *b, char *arg);
void BIO_set_callback_ex(BIO *b, BIO_callback_fn_ex callback);
int BIO_set_cipher(BIO *b, const EVP_CIPHER *c, const unsigned char *k, const unsigned char *i,
		   int enc);
void BIO_set_data(BIO *a, void *ptr);
void BIO_set_flags(BIO *b, int flags);
void BIO_set_init(BIO *a, int init);
void BIO_set_next(BIO *b, BIO *next);
void BIO_set_retry_reason(BIO *bio, int reason);
void BIO_set_shutdown(BIO *a, int shut);
int BIO_set_tcp_ndelay(int sock, int turn_on);
int BIO_snprintf(char *buf, size_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int BIO_sock_error(int sock);
int BIO_sock_init(void);
int BIO_sock_non_fatal_error(int error);
int BIO_sock_should_retry(int i);
int BIO_socket(int domain, int socktype, int protocol, int options);
int BIO_socket_ioctl(int fd, long type, void *arg);
int BIO_socket_nbio(int fd, int mode);
int BIO_socket_wait(int fd, int for_read, time_t max_time);
int BIO_ssl_copy_session_id(BIO *to, BIO *from);
void BIO_ssl_shutdown(BIO *ssl_bio);
int BIO_test_flags(const BIO *b, int flags);
int BIO_up_ref(BIO *a);
void BIO_vfree(BIO *a);
int BIO_vprintf(BIO *bio, const char *format, va_list args);
int BIO_vsnprintf(char *buf, size_t n, const char *format, va_list args);
int BIO_wait(BIO *bio, time_t max_time, unsigned int nap_milliseconds);
int BIO_write(BIO *b, const void *data, int dlen) __attribute__((access(read_only, 2, 3)));
int BIO_write_ex(BIO *b, const void *data, size_t dlen, size_t *written);
void BN_CTX_end(BN_CTX *ctx);
void BN_CTX_free(BN_CTX *c);
BIGNUM *BN_CTX_get(BN_CTX *ctx);
BN_CTX *BN_CTX_new(void);
BN_CTX *BN_CTX_new_ex(OSSL_LIB_CTX *ctx);
BN_CTX *BN_CTX_secure_new(void);
BN_CTX *BN_CTX_secure_new_ex(OSSL_LIB_CTX *ctx);
void BN_CTX_start(BN_CTX *ctx);
int BN_add(BIGNUM *r, const BIGNUM *a, const BIGNUM *b)
	__attribute__((annotate("fails(not positive)")));
int BN_add_word(BIGNUM *a, unsigned long w) __attribute__((annotate("fails(not positive)")));
BIGNUM *BN_bin2bn(const unsigned char *s, int len, BIGNUM *ret);
int BN_bn2bin(const BIGNUM *a, unsigned char *to);
int BN_bn2binpad(const BIGNUM *a, unsigned char *to, int tolen);
char *BN_bn2dec(const BIGNUM *a);
char *BN_bn2hex(const BIGNUM *a);
int BN_bn2lebinpad(const BIGNUM *a, unsigned char *to, int tolen);
int BN_bn2mpi(const BIGNUM *a, unsigned char *to);
int BN_bn2nativepad(const BIGNUM *a, unsigned char *to, int tolen);
void BN_clear(BIGNUM *a);
int BN_clear_bit(BIGNUM *a, int n);
void BN_clear_free(BIGNUM *a);
int BN_cmp(const BIGNUM *a, const BIGNUM *b);
BIGNUM *BN_copy(BIGNUM *a, const BIGNUM *b);
int BN_dec2bn(BIGNUM **a, const char *str) __attribute__((annotate("fails(not positive)")));
int BN_div(BIGNUM *dv, BIGNUM *rem, const BIGNUM *m, const BIGNUM *d, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_div_recp(BIGNUM *dv, BIGNUM *rem, const BIGNUM *m, BN_RECP_CTX *recp, BN_CTX *ctx);
unsigned long BN_div_word(BIGNUM *a, unsigned long w);
BIGNUM *BN_dup(const BIGNUM *a);
void BN_free(BIGNUM *a);
const BIGNUM *BN_get0_nist_prime_192(void);
const BIGNUM *BN_get0_nist_prime_224(void);
const BIGNUM *BN_get0_nist_prime_256(void);
const BIGNUM *BN_get0_nist_prime_384(void);
const BIGNUM *BN_get0_nist_prime_521(void);
int BN_get_flags(const BIGNUM *b, int n);
int BN_get_params(int which);
BIGNUM *BN_get_rfc2409_prime_1024(BIGNUM *bn);
BIGNUM *BN_get_rfc2409_prime_768(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_1536(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_2048(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_3072(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_4096(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_6144(BIGNUM *bn);
BIGNUM *BN_get_rfc3526_prime_8192(BIGNUM *bn);
unsigned long BN_get_word(const BIGNUM *a);
int BN_hex2bn(BIGNUM **a, const char *str) __attribute__((annotate("fails(not positive)")));
int BN_is_bit_set(const BIGNUM *a, int n);
int BN_is_negative(const BIGNUM *b);
int BN_is_odd(const BIGNUM *a);
int BN_is_one(const BIGNUM *a);
int BN_is_prime(const BIGNUM *p, int nchecks, void (*callback)(int, int, void *), BN_CTX *ctx,
		void *cb_arg);
int BN_is_prime_ex(const BIGNUM *p, int nchecks, BN_CTX *ctx, BN_GENCB *cb);
int BN_is_prime_fasttest(const BIGNUM *p, int nchecks, void (*callback)(int, int, void *),
			 BN_CTX *ctx, void *cb_arg, int do_trial_division);
int BN_is_prime_fasttest_ex(const BIGNUM *p, int nchecks, BN_CTX *ctx, int do_trial_division,
			    BN_GENCB *cb);
int BN_is_word(const BIGNUM *a, const unsigned long w);
int BN_is_zero(const BIGNUM *a);
int BN_mod_add(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_add_quick(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *m);
int BN_mod_exp(BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp2_mont(BIGNUM *r, const BIGNUM *a1, const BIGNUM *p1, const BIGNUM *a2,
		     const BIGNUM *p2, const BIGNUM *m, BN_CTX *ctx, BN_MONT_CTX *m_ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp_mont(BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx,
		    BN_MONT_CTX *m_ctx) __attribute__((annotate("fails(not positive)")));
int BN_mod_exp_mont_consttime(BIGNUM *rr, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m,
			      BN_CTX *ctx, BN_MONT_CTX *in_mont)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp_mont_consttime_x2(BIGNUM *rr1, const BIGNUM *a1, const BIGNUM *p1,
				 const BIGNUM *m1, BN_MONT_CTX *in_mont1, BIGNUM *rr2,
				 const BIGNUM *a2, const BIGNUM *p2, const BIGNUM *m2,
				 BN_MONT_CTX *in_mont2, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp_mont_word(BIGNUM *r, unsigned long a, const BIGNUM *p, const BIGNUM *m,
			 BN_CTX *ctx, BN_MONT_CTX *m_ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp_recp(BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_exp_simple(BIGNUM *r, const BIGNUM *a, const BIGNUM *p, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
BIGNUM *BN_mod_inverse(BIGNUM *ret, const BIGNUM *a, const BIGNUM *n, BN_CTX *ctx);
int BN_mod_lshift(BIGNUM *r, const BIGNUM *a, int n, const BIGNUM *m, BN_CTX *ctx);
int BN_mod_lshift1(BIGNUM *r, const BIGNUM *a, const BIGNUM *m, BN_CTX *ctx);
int BN_mod_lshift1_quick(BIGNUM *r, const BIGNUM *a, const BIGNUM *m);
int BN_mod_lshift_quick(BIGNUM *r, const BIGNUM *a, int n, const BIGNUM *m);
int BN_mod_mul(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_mul_montgomery(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_MONT_CTX *mont,
			  BN_CTX *ctx);
int BN_mod_mul_reciprocal(BIGNUM *r, const BIGNUM *x, const BIGNUM *y, BN_RECP_CTX *recp,
			  BN_CTX *ctx);
int BN_mod_sqr(BIGNUM *r, const BIGNUM *a, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
BIGNUM *BN_mod_sqrt(BIGNUM *ret, const BIGNUM *a, const BIGNUM *n, BN_CTX *ctx);
int BN_mod_sub(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *m, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mod_sub_quick(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *m);
unsigned long BN_mod_word(const BIGNUM *a, unsigned long w);
int BN_mul(BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_mul_word(BIGNUM *a, unsigned long w) __attribute__((annotate("fails(not positive)")));
BIGNUM *BN_new(void);
int BN_num_bits(const BIGNUM *a);
int BN_num_bits_word(unsigned long l);
int BN_rand(BIGNUM *rnd, int bits, int top, int bottom)
	__attribute__((annotate("fails(not positive)")));
int BN_rand_ex(BIGNUM *rnd, int bits, int top, int bottom, unsigned int strength, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_rand_range(BIGNUM *rnd, const BIGNUM *range)
	__attribute__((annotate("fails(not positive)")));
int BN_rand_range_ex(BIGNUM *r, const BIGNUM *range, unsigned int strength, BN_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int BN_set_bit(BIGNUM *a, int n) __attribute__((annotate("fails(not positive)")));
void BN_set_flags(BIGNUM *b, int n);
void BN_set_negative(BIGNUM *b, int n);
void BN_set_params(int mul, int high, int low, int mont);
int BN_set_word(BIGNUM *a, unsigned long w) __attribute__((annotate("fails(not positive)")));
int BN_sub(BIGNUM *r, const BIGNUM *a, const BIGNUM *b)
	__attribute__((annotate("fails(not positive)")));
int BN_sub_word(BIGNUM *a, unsigned long w) __attribute__((annotate("fails(not positive)")));
void CRYPTO_clear_free(void *ptr, size_t num, const char *file, int line);
void CRYPTO_free(void *ptr, const char *file, int line);
int CRYPTO_free_ex_index(int class_index, int idx);
void *CRYPTO_malloc(size_t num, const char *file, int line);
int CRYPTO_memcmp(const void *in_a, const void *in_b, size_t len);
void *CRYPTO_realloc(void *addr, size_t num, const char *file, int line);
char *CRYPTO_strdup(const char *str, const char *file, int line);
void *CRYPTO_zalloc(size_t num, const char *file, int line);
const SSL_METHOD *DTLS_client_method(void);
size_t DTLS_get_data_mtu(const SSL *s);
const SSL_METHOD *DTLS_method(void);
const SSL_METHOD *DTLS_server_method(void);
void DTLS_set_timer_cb(SSL *s, DTLS_timer_cb cb);
const SSL_METHOD *DTLSv1_2_client_method(void);
const SSL_METHOD *DTLSv1_2_method(void);
const SSL_METHOD *DTLSv1_2_server_method(void);
const SSL_METHOD *DTLSv1_client_method(void);
int DTLSv1_listen(SSL *s, BIO_ADDR *client);
const SSL_METHOD *DTLSv1_method(void);
const SSL_METHOD *DTLSv1_server_method(void);
int ECDSA_sign(int type, const unsigned char *dgst, int dgstlen, unsigned char *sig,
	       unsigned int *siglen, EC_KEY *eckey)
	__attribute__((annotate("fails(not positive)")));
int ECDSA_sign_ex(int type, const unsigned char *dgst, int dgstlen, unsigned char *sig,
		  unsigned int *siglen, const BIGNUM *kinv, const BIGNUM *rp, EC_KEY *eckey)
	__attribute__((annotate("fails(not positive)")));
int ECDSA_sign_setup(EC_KEY *eckey, BN_CTX *ctx, BIGNUM **kinv, BIGNUM **rp);
int ECDSA_size(const EC_KEY *eckey);
int ECDSA_verify(int type, const unsigned char *dgst, int dgstlen, const unsigned char *sig,
		 int siglen, EC_KEY *eckey) __attribute__((annotate("fails(not positive)")));
int EC_KEY_check_key(const EC_KEY *key) __attribute__((annotate("fails(not positive)")));
void EC_KEY_free(EC_KEY *key);
int EC_KEY_generate_key(EC_KEY *key) __attribute__((annotate("fails(not positive)")));
ENGINE *EC_KEY_get0_engine(const EC_KEY *eckey);
const EC_GROUP *EC_KEY_get0_group(const EC_KEY *key);
const BIGNUM *EC_KEY_get0_private_key(const EC_KEY *key);
const EC_POINT *EC_KEY_get0_public_key(const EC_KEY *key);
EC_KEY *EC_KEY_new(void);
EC_KEY *EC_KEY_new_by_curve_name(int nid);
EC_KEY *EC_KEY_new_by_curve_name_ex(OSSL_LIB_CTX *ctx, const char *propq, int nid);
EC_KEY *EC_KEY_new_ex(OSSL_LIB_CTX *ctx, const char *propq);
EC_KEY *EC_KEY_new_method(ENGINE *engine);
void EC_KEY_set_asn1_flag(EC_KEY *eckey, int asn1_flag);
void EC_KEY_set_conv_form(EC_KEY *eckey, point_conversion_form_t cform);
void EC_KEY_set_default_method(const EC_KEY_METHOD *meth);
void EC_KEY_set_enc_flags(EC_KEY *eckey, unsigned int flags);
void EC_KEY_set_flags(EC_KEY *key, int flags);
int EC_KEY_set_group(EC_KEY *key, const EC_GROUP *group)
	__attribute__((annotate("fails(not positive)")));
int EC_KEY_set_method(EC_KEY *key, const EC_KEY_METHOD *meth);
int EC_KEY_set_private_key(EC_KEY *key, const BIGNUM *prv)
	__attribute__((annotate("fails(not positive)")));
int EC_KEY_set_public_key(EC_KEY *key, const EC_POINT *pub)
	__attribute__((annotate("fails(not positive)")));
int EC_KEY_set_public_key_affine_coordinates(EC_KEY *key, BIGNUM *x, BIGNUM *y);
void ERR_add_error_data(int num, ...);
void ERR_add_error_mem_bio(const char *sep, BIO *bio);
void ERR_add_error_txt(const char *sepr, const char *txt);
void ERR_add_error_vdata(int num, va_list args);
void ERR_clear_error(void);
int ERR_clear_last_mark(void);
char *ERR_error_string(unsigned long e, char *buf);
void ERR_error_string_n(unsigned long e, char *buf, size_t len);
const char *ERR_func_error_string(unsigned long e);
unsigned long ERR_get_error(void);
unsigned long ERR_get_error_all(const char **file, int *line, const char **func,
				const char **data, int *flags);
unsigned long ERR_get_error_line(const char **file, int *line);
unsigned long ERR_get_error_line_data(const char **file, int *line, const char **data,
				      int *flags);
int ERR_get_next_error_library(void);
ERR_STATE *ERR_get_state(void);
const char *ERR_lib_error_string(unsigned long e);
int ERR_load_ASN1_strings(void);
int ERR_load_ASYNC_strings(void);
int ERR_load_BIO_strings(void);
int ERR_load_BN_strings(void);
int ERR_load_BUF_strings(void);
int ERR_load_CMS_strings(void);
int ERR_load_COMP_strings(void);
int ERR_load_CONF_strings(void);
int ERR_load_CRYPTO_strings(void);
int ERR_load_CT_strings(void);
int ERR_load_DH_strings(void);
int ERR_load_DSA_strings(void);
int ERR_load_EC_strings(void);
int ERR_load_ENGINE_strings(void);
int ERR_load_ERR_strings(void);
int ERR_load_EVP_strings(void);
int ERR_load_KDF_strings(void);
int ERR_load_OBJ_strings(void);
int ERR_load_OCSP_strings(void);
int ERR_load_OSSL_STORE_strings(void);
int ERR_load_PEM_strings(void);
int ERR_load_PKCS12_strings(void);
int ERR_load_PKCS7_strings(void);
int ERR_load_RAND_strings(void);
int ERR_load_RSA_strings(void);
int ERR_load_SSL_strings(void);
int ERR_load_TS_strings(void);
int ERR_load_UI_strings(void);
int ERR_load_X509V3_strings(void);
int ERR_load_X509_strings(void);
int ERR_load_strings(int lib, ERR_STRING_DATA *str);
int ERR_load_strings_const(const ERR_STRING_DATA *str);
void ERR_new(void);
unsigned long ERR_peek_error(void);
unsigned long ERR_peek_error_all(const char **file, int *line, const char **func,
				 const char **data, int *flags);
unsigned long ERR_peek_error_data(const char **data, int *flags);
unsigned long ERR_peek_error_func(const char **func);
unsigned long ERR_peek_error_line(const char **file, int *line);
unsigned long ERR_peek_error_line_data(const char **file, int *line, const char **data,
				       int *flags);
unsigned long ERR_peek_last_error(void);
unsigned long ERR_peek_last_error_all(const char **file, int *line, const char **func,
				      const char **data, int *flags);
unsigned long ERR_peek_last_error_data(const char **data, int *flags);
unsigned long ERR_peek_last_error_func(const char **func);
unsigned long ERR_peek_last_error_line(const char **file, int *line);
unsigned long ERR_peek_last_error_line_data(const char **file, int *line, const char **data,
					    int *flags);
int ERR_pop_to_mark(void);
void ERR_print_errors(BIO *bp);
void ERR_print_errors_cb(int (*cb)(const char *str, size_t len, void *u), void *u);
void ERR_print_errors_fp(FILE *fp);
const char *ERR_reason_error_string(unsigned long e);
void ERR_remove_state(unsigned long pid);
void ERR_remove_thread_state(void *);
void ERR_set_debug(const char *file, int line, const char *func);
void ERR_set_error(int lib, int reason, const char *fmt, ...);
void ERR_set_error_data(char *data, int flags);
int ERR_set_mark(void);
int ERR_unload_strings(int lib, ERR_STRING_DATA *str);
void ERR_vset_error(int lib, int reason, const char *fmt, va_list args);
int EVP_BytesToKey(const EVP_CIPHER *type, const EVP_MD *md, const unsigned char *salt,
		   const unsigned char *data, int datal, int count, unsigned char *key,
		   unsigned char *iv) __attribute__((annotate("fails(not positive)")));
unsigned char *EVP_CIPHER_CTX_buf_noconst(EVP_CIPHER_CTX *ctx);
const EVP_CIPHER *EVP_CIPHER_CTX_cipher(const EVP_CIPHER_CTX *ctx);
void EVP_CIPHER_CTX_clear_flags(EVP_CIPHER_CTX *ctx, int flags);
int EVP_CIPHER_CTX_copy(EVP_CIPHER_CTX *out, const EVP_CIPHER_CTX *in)
	__attribute__((annotate("fails(not positive)")));
int EVP_CIPHER_CTX_ctrl(EVP_CIPHER_CTX *ctx, int type, int arg, void *ptr);
void EVP_CIPHER_CTX_free(EVP_CIPHER_CTX *c);
const EVP_CIPHER *EVP_CIPHER_CTX_get0_cipher(const EVP_CIPHER_CTX *ctx);
EVP_CIPHER *EVP_CIPHER_CTX_get1_cipher(EVP_CIPHER_CTX *ctx);
void *EVP_CIPHER_CTX_get_app_data(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_block_size(const EVP_CIPHER_CTX *ctx);
void *EVP_CIPHER_CTX_get_cipher_data(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_iv_length(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_key_length(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_nid(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_num(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_original_iv(EVP_CIPHER_CTX *ctx, void *buf, size_t len);
int EVP_CIPHER_CTX_get_params(EVP_CIPHER_CTX *ctx, OSSL_PARAM params[]);
int EVP_CIPHER_CTX_get_tag_length(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_get_updated_iv(EVP_CIPHER_CTX *ctx, void *buf, size_t len);
const OSSL_PARAM *EVP_CIPHER_CTX_gettable_params(EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_is_encrypting(const EVP_CIPHER_CTX *ctx);
const unsigned char *EVP_CIPHER_CTX_iv(const EVP_CIPHER_CTX *ctx);
unsigned char *EVP_CIPHER_CTX_iv_noconst(EVP_CIPHER_CTX *ctx);
EVP_CIPHER_CTX *EVP_CIPHER_CTX_new(void);
const unsigned char *EVP_CIPHER_CTX_original_iv(const EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_rand_key(EVP_CIPHER_CTX *ctx, unsigned char *key)
	__attribute__((annotate("fails(not positive)")));
int EVP_CIPHER_CTX_reset(EVP_CIPHER_CTX *c) __attribute__((annotate("fails(not positive)")));
void EVP_CIPHER_CTX_set_app_data(EVP_CIPHER_CTX *ctx, void *data);
void *EVP_CIPHER_CTX_set_cipher_data(EVP_CIPHER_CTX *ctx, void *cipher_data);
void EVP_CIPHER_CTX_set_flags(EVP_CIPHER_CTX *ctx, int flags);
int EVP_CIPHER_CTX_set_key_length(EVP_CIPHER_CTX *x, int keylen)
	__attribute__((annotate("fails(not positive)")));
int EVP_CIPHER_CTX_set_num(EVP_CIPHER_CTX *ctx, int num);
int EVP_CIPHER_CTX_set_padding(EVP_CIPHER_CTX *c, int pad)
	__attribute__((annotate("fails(not positive)")));
int EVP_CIPHER_CTX_set_params(EVP_CIPHER_CTX *ctx, const OSSL_PARAM params[]);
const OSSL_PARAM *EVP_CIPHER_CTX_settable_params(EVP_CIPHER_CTX *ctx);
int EVP_CIPHER_CTX_test_flags(const EVP_CIPHER_CTX *ctx, int flags);
EVP_CIPHER *EVP_CIPHER_fetch(OSSL_LIB_CTX *ctx, const char *algorithm, const char *properties);
void EVP_CIPHER_free(EVP_CIPHER *cipher);
const char *EVP_CIPHER_get0_description(const EVP_CIPHER *cipher);
const char *EVP_CIPHER_get0_name(const EVP_CIPHER *cipher);
const OSSL_PROVIDER *EVP_CIPHER_get0_provider(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_asn1_iv(EVP_CIPHER_CTX *c, ASN1_TYPE *type);
int EVP_CIPHER_get_block_size(const EVP_CIPHER *cipher);
unsigned long EVP_CIPHER_get_flags(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_iv_length(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_key_length(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_mode(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_nid(const EVP_CIPHER *cipher);
int EVP_CIPHER_get_params(EVP_CIPHER *cipher, OSSL_PARAM params[]);
int EVP_CIPHER_get_type(const EVP_CIPHER *cipher);
const OSSL_PARAM *EVP_CIPHER_gettable_ctx_params(const EVP_CIPHER *cipher);
const OSSL_PARAM *EVP_CIPHER_gettable_params(const EVP_CIPHER *cipher);
int EVP_CIPHER_is_a(const EVP_CIPHER *cipher, const char *name);
int EVP_Cipher(EVP_CIPHER_CTX *c, unsigned char *out, const unsigned char *in, unsigned int inl)
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherFinal(EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherInit(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
		   const unsigned char *iv, int enc)
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl,
		      const unsigned char *key, const unsigned char *iv, int enc)
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
		       const unsigned char *iv, int enc, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_CipherUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
		     const unsigned char *in, int inl)
	__attribute__((annotate("fails(not positive)")));
int EVP_DecodeBlock(unsigned char *t, const unsigned char *f, int n);
int EVP_DecodeFinal(EVP_ENCODE_CTX *ctx, unsigned char *out, int *outl);
void EVP_DecodeInit(EVP_ENCODE_CTX *ctx);
int EVP_DecodeUpdate(EVP_ENCODE_CTX *ctx, unsigned char *out, int *outl,
		     const unsigned char *in, int inl);
int EVP_DecryptFinal(EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_DecryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *outm, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_DecryptInit(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
		    const unsigned char *iv) __attribute__((annotate("fails(not positive)")));
int EVP_DecryptInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl,
		       const unsigned char *key, const unsigned char *iv)
	__attribute__((annotate("fails(not positive)")));
int EVP_DecryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
			const unsigned char *iv, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_DecryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
		      const unsigned char *in, int inl)
	__attribute__((annotate("fails(not positive)")));
int EVP_Digest(const void *data, size_t count, unsigned char *md, unsigned int *size,
	       const EVP_MD *type, ENGINE *impl)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestFinal(EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestFinalXOF(EVP_MD_CTX *ctx, unsigned char *md, size_t len)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestFinal_ex(EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestInit(EVP_MD_CTX *ctx, const EVP_MD *type)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestInit_ex(EVP_MD_CTX *ctx, const EVP_MD *type, ENGINE *impl)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestInit_ex2(EVP_MD_CTX *ctx, const EVP_MD *type, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestSign(EVP_MD_CTX *ctx, unsigned char *sigret, size_t *siglen,
		   const unsigned char *tbs, size_t tbslen)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestSignFinal(EVP_MD_CTX *ctx, unsigned char *sigret, size_t *siglen)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestSignInit(EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type, ENGINE *e,
		       EVP_PKEY *pkey) __attribute__((annotate("fails(not positive)")));
int EVP_DigestSignInit_ex(EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const char *mdname,
			  OSSL_LIB_CTX *libctx, const char *props, EVP_PKEY *pkey,
			  const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestSignUpdate(EVP_MD_CTX *ctx, const void *data, size_t dsize)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestUpdate(EVP_MD_CTX *ctx, const void *d, size_t cnt)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestVerify(EVP_MD_CTX *ctx, const unsigned char *sigret, size_t siglen,
		     const unsigned char *tbs, size_t tbslen)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestVerifyFinal(EVP_MD_CTX *ctx, const unsigned char *sig, size_t siglen)
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestVerifyInit(EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type, ENGINE *e,
			 EVP_PKEY *pkey) __attribute__((annotate("fails(not positive)")));
int EVP_DigestVerifyInit_ex(EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const char *mdname,
			    OSSL_LIB_CTX *libctx, const char *props, EVP_PKEY *pkey,
			    const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_DigestVerifyUpdate(EVP_MD_CTX *ctx, const void *data, size_t dsize)
	__attribute__((annotate("fails(not positive)")));
int EVP_EncodeBlock(unsigned char *t, const unsigned char *f, int n);
void EVP_EncodeFinal(EVP_ENCODE_CTX *ctx, unsigned char *out, int *outl);
void EVP_EncodeInit(EVP_ENCODE_CTX *ctx);
int EVP_EncodeUpdate(EVP_ENCODE_CTX *ctx, unsigned char *out, int *outl,
		     const unsigned char *in, int inl);
int EVP_EncryptFinal(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_EncryptFinal_ex(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_EncryptInit(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
		    const unsigned char *iv) __attribute__((annotate("fails(not positive)")));
int EVP_EncryptInit_ex(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, ENGINE *impl,
		       const unsigned char *key, const unsigned char *iv)
	__attribute__((annotate("fails(not positive)")));
int EVP_EncryptInit_ex2(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, const unsigned char *key,
			const unsigned char *iv, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_EncryptUpdate(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl,
		      const unsigned char *in, int inl)
	__attribute__((annotate("fails(not positive)")));
EVP_MAC_CTX *EVP_MAC_CTX_dup(const EVP_MAC_CTX *src);
void EVP_MAC_CTX_free(EVP_MAC_CTX *ctx);
EVP_MAC *EVP_MAC_CTX_get0_mac(EVP_MAC_CTX *ctx);
size_t EVP_MAC_CTX_get_block_size(EVP_MAC_CTX *ctx);
size_t EVP_MAC_CTX_get_mac_size(EVP_MAC_CTX *ctx);
int EVP_MAC_CTX_get_params(EVP_MAC_CTX *ctx, OSSL_PARAM params[]);
const OSSL_PARAM *EVP_MAC_CTX_gettable_params(EVP_MAC_CTX *ctx);
EVP_MAC_CTX *EVP_MAC_CTX_new(EVP_MAC *mac);
int EVP_MAC_CTX_set_params(EVP_MAC_CTX *ctx, const OSSL_PARAM params[]);
const OSSL_PARAM *EVP_MAC_CTX_settable_params(EVP_MAC_CTX *ctx);
void EVP_MAC_do_all_provided(OSSL_LIB_CTX *libctx, void (*fn)(EVP_MAC *mac, void *arg),
			     void *arg);
EVP_MAC *EVP_MAC_fetch(OSSL_LIB_CTX *libctx, const char *algorithm, const char *properties);
int EVP_MAC_final(EVP_MAC_CTX *ctx, unsigned char *out, size_t *outl, size_t outsize)
	__attribute__((annotate("fails(not positive)")));
int EVP_MAC_finalXOF(EVP_MAC_CTX *ctx, unsigned char *out, size_t outsize)
	__attribute__((annotate("fails(not positive)")));
void EVP_MAC_free(EVP_MAC *mac);
const char *EVP_MAC_get0_description(const EVP_MAC *mac);
const char *EVP_MAC_get0_name(const EVP_MAC *mac);
const OSSL_PROVIDER *EVP_MAC_get0_provider(const EVP_MAC *mac);
int EVP_MAC_get_params(EVP_MAC *mac, OSSL_PARAM params[]);
const OSSL_PARAM *EVP_MAC_gettable_ctx_params(const EVP_MAC *mac);
const OSSL_PARAM *EVP_MAC_gettable_params(const EVP_MAC *mac);
int EVP_MAC_init(EVP_MAC_CTX *ctx, const unsigned char *key, size_t keylen,
		 const OSSL_PARAM params[]) __attribute__((annotate("fails(not positive)")));
int EVP_MAC_is_a(const EVP_MAC *mac, const char *name);
int EVP_MAC_names_do_all(const EVP_MAC *mac, void (*fn)(const char *name, void *data),
			 void *data);
const OSSL_PARAM *EVP_MAC_settable_ctx_params(const EVP_MAC *mac);
int EVP_MAC_up_ref(EVP_MAC *mac);
int EVP_MAC_update(EVP_MAC_CTX *ctx, const unsigned char *data, size_t datalen)
	__attribute__((annotate("fails(not positive)")));
void EVP_MD_CTX_clear_flags(EVP_MD_CTX *ctx, int flags);
int EVP_MD_CTX_copy(EVP_MD_CTX *out, const EVP_MD_CTX *in)
	__attribute__((annotate("fails(not positive)")));
int EVP_MD_CTX_copy_ex(EVP_MD_CTX *out, const EVP_MD_CTX *in)
	__attribute__((annotate("fails(not positive)")));
int EVP_MD_CTX_ctrl(EVP_MD_CTX *ctx, int cmd, int p1, void *p2);
void EVP_MD_CTX_free(EVP_MD_CTX *ctx);
const EVP_MD *EVP_MD_CTX_get0_md(const EVP_MD_CTX *ctx);
void *EVP_MD_CTX_get0_md_data(const EVP_MD_CTX *ctx);
EVP_MD *EVP_MD_CTX_get1_md(EVP_MD_CTX *ctx);
int EVP_MD_CTX_get_params(EVP_MD_CTX *ctx, OSSL_PARAM params[]);
EVP_PKEY_CTX *EVP_MD_CTX_get_pkey_ctx(const EVP_MD_CTX *ctx);
const OSSL_PARAM *EVP_MD_CTX_gettable_params(EVP_MD_CTX *ctx);
const EVP_MD *EVP_MD_CTX_md(const EVP_MD_CTX *ctx);
EVP_MD_CTX *EVP_MD_CTX_new(void);
int EVP_MD_CTX_reset(EVP_MD_CTX *ctx) __attribute__((annotate("fails(not positive)")));
void EVP_MD_CTX_set_flags(EVP_MD_CTX *ctx, int flags);
int EVP_MD_CTX_set_params(EVP_MD_CTX *ctx, const OSSL_PARAM params[]);
void EVP_MD_CTX_set_pkey_ctx(EVP_MD_CTX *ctx, EVP_PKEY_CTX *pctx);
void EVP_MD_CTX_set_update_fn(EVP_MD_CTX *ctx,
			      int (*update)(EVP_MD_CTX *ctx, const void *data, size_t count));
const OSSL_PARAM *EVP_MD_CTX_settable_params(EVP_MD_CTX *ctx);
int EVP_MD_CTX_test_flags(const EVP_MD_CTX *ctx, int flags);
int (*EVP_MD_CTX_update_fn(EVP_MD_CTX *ctx))(EVP_MD_CTX *ctx, const void *data, size_t count);
void EVP_MD_do_all(void (*fn)(const EVP_MD *ciph, const char *from, const char *to, void *x),
		   void *arg);
void EVP_MD_do_all_provided(OSSL_LIB_CTX *libctx, void (*fn)(EVP_MD *md, void *arg), void *arg);
void EVP_MD_do_all_sorted(void (*fn)(const EVP_MD *ciph, const char *from, const char *to,
				     void *x),
			  void *arg);
EVP_MD *EVP_MD_fetch(OSSL_LIB_CTX *ctx, const char *algorithm, const char *properties);
void EVP_MD_free(EVP_MD *md);
const char *EVP_MD_get0_description(const EVP_MD *md);
const char *EVP_MD_get0_name(const EVP_MD *md);
const OSSL_PROVIDER *EVP_MD_get0_provider(const EVP_MD *md);
int EVP_MD_get_block_size(const EVP_MD *md);
unsigned long EVP_MD_get_flags(const EVP_MD *md);
int EVP_MD_get_params(const EVP_MD *digest, OSSL_PARAM params[]);
int EVP_MD_get_pkey_type(const EVP_MD *md);
int EVP_MD_get_size(const EVP_MD *md);
int EVP_MD_get_type(const EVP_MD *md);
const OSSL_PARAM *EVP_MD_gettable_ctx_params(const EVP_MD *md);
const OSSL_PARAM *EVP_MD_gettable_params(const EVP_MD *digest);
int EVP_MD_is_a(const EVP_MD *md, const char *name);
int EVP_MD_names_do_all(const EVP_MD *md, void (*fn)(const char *name, void *data), void *data);
const OSSL_PARAM *EVP_MD_settable_ctx_params(const EVP_MD *md);
int EVP_MD_up_ref(EVP_MD *md);
int EVP_OpenFinal(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_OpenInit(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, const unsigned char *ek, int ekl,
		 const unsigned char *iv, EVP_PKEY *priv)
	__attribute__((annotate("fails(not positive)")));
int EVP_PBE_scrypt(const char *pass, size_t passlen, const unsigned char *salt, size_t saltlen,
		   uint64_t N, uint64_t r, uint64_t p, uint64_t maxmem, unsigned char *key,
		   size_t keylen) __attribute__((annotate("fails(not positive)")));
int EVP_PBE_scrypt_ex(const char *pass, size_t passlen, const unsigned char *salt,
		      size_t saltlen, uint64_t N, uint64_t r, uint64_t p, uint64_t maxmem,
		      unsigned char *key, size_t keylen, OSSL_LIB_CTX *ctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_CTX_ctrl(EVP_PKEY_CTX *ctx, int keytype, int optype, int cmd, int p1, void *p2);
int EVP_PKEY_CTX_ctrl_str(EVP_PKEY_CTX *ctx, const char *type, const char *value);
int EVP_PKEY_CTX_ctrl_uint64(EVP_PKEY_CTX *ctx, int keytype, int optype, int cmd,
			     uint64_t value);
EVP_PKEY_CTX *EVP_PKEY_CTX_dup(const EVP_PKEY_CTX *ctx);
void EVP_PKEY_CTX_free(EVP_PKEY_CTX *ctx);
int EVP_PKEY_CTX_get0_dh_kdf_oid(EVP_PKEY_CTX *ctx, ASN1_OBJECT **oid);
int EVP_PKEY_CTX_get0_dh_kdf_ukm(EVP_PKEY_CTX *ctx, unsigned char **ukm);
int EVP_PKEY_CTX_get0_ecdh_kdf_ukm(EVP_PKEY_CTX *ctx, unsigned char **ukm);
OSSL_LIB_CTX *EVP_PKEY_CTX_get0_libctx(EVP_PKEY_CTX *ctx);
EVP_PKEY *EVP_PKEY_CTX_get0_peerkey(EVP_PKEY_CTX *ctx);
EVP_PKEY *EVP_PKEY_CTX_get0_pkey(EVP_PKEY_CTX *ctx);
const char *EVP_PKEY_CTX_get0_propq(const EVP_PKEY_CTX *ctx);
const OSSL_PROVIDER *EVP_PKEY_CTX_get0_provider(const EVP_PKEY_CTX *ctx);
int EVP_PKEY_CTX_get0_rsa_oaep_label(EVP_PKEY_CTX *ctx, unsigned char **label);
int EVP_PKEY_CTX_get1_id(EVP_PKEY_CTX *ctx, void *id);
int EVP_PKEY_CTX_get1_id_len(EVP_PKEY_CTX *ctx, size_t *id_len);
const OSSL_PARAM *EVP_PKEY_CTX_gettable_params(const EVP_PKEY_CTX *ctx);
int EVP_PKEY_CTX_hex2ctrl(EVP_PKEY_CTX *ctx, int cmd, const char *hex);
int EVP_PKEY_CTX_is_a(EVP_PKEY_CTX *ctx, const char *keytype);
int EVP_PKEY_CTX_md(EVP_PKEY_CTX *ctx, int optype, int cmd, const char *md);
EVP_PKEY_CTX *EVP_PKEY_CTX_new(EVP_PKEY *pkey, ENGINE *e);
EVP_PKEY_CTX *EVP_PKEY_CTX_new_from_name(OSSL_LIB_CTX *libctx, const char *name,
					 const char *propquery);
EVP_PKEY_CTX *EVP_PKEY_CTX_new_from_pkey(OSSL_LIB_CTX *libctx, EVP_PKEY *pkey,
					 const char *propquery);
EVP_PKEY_CTX *EVP_PKEY_CTX_new_id(int id, ENGINE *e);
int EVP_PKEY_CTX_set0_dh_kdf_oid(EVP_PKEY_CTX *ctx, ASN1_OBJECT *oid);
int EVP_PKEY_CTX_set0_dh_kdf_ukm(EVP_PKEY_CTX *ctx, unsigned char *ukm, int len);
int EVP_PKEY_CTX_set0_ecdh_kdf_ukm(EVP_PKEY_CTX *ctx, unsigned char *ukm, int len);
void EVP_PKEY_CTX_set0_keygen_info(EVP_PKEY_CTX *ctx, int *dat, int datlen);
int EVP_PKEY_CTX_set0_rsa_oaep_label(EVP_PKEY_CTX *ctx, void *label, int llen);
int EVP_PKEY_CTX_set1_id(EVP_PKEY_CTX *ctx, const void *id, int len);
int EVP_PKEY_CTX_set1_rsa_keygen_pubexp(EVP_PKEY_CTX *ctx, BIGNUM *pubexp);
const OSSL_PARAM *EVP_PKEY_CTX_settable_params(const EVP_PKEY_CTX *ctx);
int EVP_PKEY_CTX_str2ctrl(EVP_PKEY_CTX *ctx, int cmd, const char *str);
EVP_PKEY *EVP_PKEY_Q_keygen(OSSL_LIB_CTX *libctx, const char *propq, const char *type, ...);
int EVP_PKEY_add1_attr(EVP_PKEY *key, X509_ATTRIBUTE *attr);
int EVP_PKEY_add1_attr_by_NID(EVP_PKEY *key, int nid, int type, const unsigned char *bytes,
			      int len);
int EVP_PKEY_add1_attr_by_OBJ(EVP_PKEY *key, const ASN1_OBJECT *obj, int type,
			      const unsigned char *bytes, int len);
int EVP_PKEY_add1_attr_by_txt(EVP_PKEY *key, const char *attrname, int type,
			      const unsigned char *bytes, int len);
int EVP_PKEY_assign(EVP_PKEY *pkey, int type, void *key);
int EVP_PKEY_can_sign(const EVP_PKEY *pkey);
int EVP_PKEY_check(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_cmp(const EVP_PKEY *a, const EVP_PKEY *b);
int EVP_PKEY_cmp_parameters(const EVP_PKEY *a, const EVP_PKEY *b);
int EVP_PKEY_copy_parameters(EVP_PKEY *to, const EVP_PKEY *from);
int EVP_PKEY_decapsulate(EVP_PKEY_CTX *ctx, unsigned char *unwrapped, size_t *unwrappedlen,
			 const unsigned char *wrapped, size_t wrappedlen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_decapsulate_init(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_decrypt(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *outlen,
		     const unsigned char *in, size_t inlen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_decrypt_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_decrypt_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_decrypt_old(unsigned char *dec_key, const unsigned char *enc_key, int enc_key_len,
			 EVP_PKEY *private_key);
X509_ATTRIBUTE *EVP_PKEY_delete_attr(EVP_PKEY *key, int loc);
int EVP_PKEY_derive(EVP_PKEY_CTX *ctx, unsigned char *key, size_t *keylen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_derive_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_derive_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_derive_set_peer(EVP_PKEY_CTX *ctx, EVP_PKEY *peer)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_derive_set_peer_ex(EVP_PKEY_CTX *ctx, EVP_PKEY *peer, int validate_peer)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_digestsign_supports_digest(EVP_PKEY *pkey, OSSL_LIB_CTX *libctx, const char *name,
					const char *propq);
EVP_PKEY *EVP_PKEY_dup(EVP_PKEY *pkey);
int EVP_PKEY_encapsulate(EVP_PKEY_CTX *ctx, unsigned char *wrappedkey, size_t *wrappedkeylen,
			 unsigned char *genkey, size_t *genkeylen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_encapsulate_init(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_encrypt(EVP_PKEY_CTX *ctx, unsigned char *out, size_t *outlen,
		     const unsigned char *in, size_t inlen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_encrypt_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_encrypt_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_encrypt_old(unsigned char *enc_key, const unsigned char *key, int key_len,
			 EVP_PKEY *pub_key);
int EVP_PKEY_eq(const EVP_PKEY *a, const EVP_PKEY *b);
int EVP_PKEY_export(const EVP_PKEY *pkey, int selection, OSSL_CALLBACK *export_cb,
		    void *export_cbarg);
void EVP_PKEY_free(EVP_PKEY *pkey);
int EVP_PKEY_fromdata(EVP_PKEY_CTX *ctx, EVP_PKEY **ppkey, int selection, OSSL_PARAM param[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_fromdata_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
const OSSL_PARAM *EVP_PKEY_fromdata_settable(EVP_PKEY_CTX *ctx, int selection);
int EVP_PKEY_generate(EVP_PKEY_CTX *ctx, EVP_PKEY **ppkey)
	__attribute__((annotate("fails(not positive)")));
void *EVP_PKEY_get0(const EVP_PKEY *pkey);
const struct dh_st *EVP_PKEY_get0_DH(const EVP_PKEY *pkey);
const struct dsa_st *EVP_PKEY_get0_DSA(const EVP_PKEY *pkey);
const struct ec_key_st *EVP_PKEY_get0_EC_KEY(const EVP_PKEY *pkey);
const struct rsa_st *EVP_PKEY_get0_RSA(const EVP_PKEY *pkey);
const EVP_PKEY_ASN1_METHOD *EVP_PKEY_get0_asn1(const EVP_PKEY *pkey);
const char *EVP_PKEY_get0_description(const EVP_PKEY *pkey);
ENGINE *EVP_PKEY_get0_engine(const EVP_PKEY *pkey);
const unsigned char *EVP_PKEY_get0_hmac(const EVP_PKEY *pkey, size_t *len);
const unsigned char *EVP_PKEY_get0_poly1305(const EVP_PKEY *pkey, size_t *len);
const OSSL_PROVIDER *EVP_PKEY_get0_provider(const EVP_PKEY *key);
const unsigned char *EVP_PKEY_get0_siphash(const EVP_PKEY *pkey, size_t *len);
const char *EVP_PKEY_get0_type_name(const EVP_PKEY *key);
struct dh_st *EVP_PKEY_get1_DH(EVP_PKEY *pkey);
struct dsa_st *EVP_PKEY_get1_DSA(EVP_PKEY *pkey);
struct ec_key_st *EVP_PKEY_get1_EC_KEY(EVP_PKEY *pkey);
struct rsa_st *EVP_PKEY_get1_RSA(EVP_PKEY *pkey);
size_t EVP_PKEY_get1_encoded_public_key(EVP_PKEY *pkey, unsigned char **ppub);
X509_ATTRIBUTE *EVP_PKEY_get_attr(const EVP_PKEY *key, int loc);
int EVP_PKEY_get_attr_by_NID(const EVP_PKEY *key, int nid, int lastpos);
int EVP_PKEY_get_attr_by_OBJ(const EVP_PKEY *key, const ASN1_OBJECT *obj, int lastpos);
int EVP_PKEY_get_attr_count(const EVP_PKEY *key);
int EVP_PKEY_get_base_id(const EVP_PKEY *pkey);
int EVP_PKEY_get_bits(const EVP_PKEY *pkey);
int EVP_PKEY_get_bn_param(const EVP_PKEY *pkey, const char *key_name, BIGNUM **bn);
int EVP_PKEY_get_default_digest_name(EVP_PKEY *pkey, char *mdname, size_t mdname_sz);
int EVP_PKEY_get_default_digest_nid(EVP_PKEY *pkey, int *pnid);
int EVP_PKEY_get_ec_point_conv_form(const EVP_PKEY *pkey);
int EVP_PKEY_get_field_type(const EVP_PKEY *pkey);
int EVP_PKEY_get_group_name(const EVP_PKEY *pkey, char *name, size_t name_sz,
			    size_t *gname_len);
int EVP_PKEY_get_id(const EVP_PKEY *pkey);
int EVP_PKEY_get_int_param(const EVP_PKEY *pkey, const char *key_name, int *out);
int EVP_PKEY_get_octet_string_param(const EVP_PKEY *pkey, const char *key_name,
				    unsigned char *buf, size_t max_buf_sz, size_t *out_sz);
int EVP_PKEY_get_params(const EVP_PKEY *pkey, OSSL_PARAM params[]);
int EVP_PKEY_get_raw_private_key(const EVP_PKEY *pkey, unsigned char *priv, size_t *len);
int EVP_PKEY_get_raw_public_key(const EVP_PKEY *pkey, unsigned char *pub, size_t *len);
int EVP_PKEY_get_security_bits(const EVP_PKEY *pkey);
int EVP_PKEY_get_size(const EVP_PKEY *pkey);
int EVP_PKEY_get_size_t_param(const EVP_PKEY *pkey, const char *key_name, size_t *out);
int EVP_PKEY_get_utf8_string_param(const EVP_PKEY *pkey, const char *key_name, char *str,
				   size_t max_buf_sz, size_t *out_sz);
const OSSL_PARAM *EVP_PKEY_gettable_params(const EVP_PKEY *pkey);
int EVP_PKEY_is_a(const EVP_PKEY *pkey, const char *name);
int EVP_PKEY_keygen(EVP_PKEY_CTX *ctx, EVP_PKEY **ppkey)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_keygen_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_missing_parameters(const EVP_PKEY *pkey);
EVP_PKEY *EVP_PKEY_new(void);
EVP_PKEY *EVP_PKEY_new_CMAC_key(ENGINE *e, const unsigned char *priv, size_t len,
				const EVP_CIPHER *cipher);
EVP_PKEY *EVP_PKEY_new_mac_key(int type, ENGINE *e, const unsigned char *key, int keylen);
EVP_PKEY *EVP_PKEY_new_raw_private_key(int type, ENGINE *e, const unsigned char *priv,
				       size_t len);
EVP_PKEY *EVP_PKEY_new_raw_private_key_ex(OSSL_LIB_CTX *libctx, const char *keytype,
					  const char *propq, const unsigned char *priv,
					  size_t len);
EVP_PKEY *EVP_PKEY_new_raw_public_key(int type, ENGINE *e, const unsigned char *pub,
				      size_t len);
EVP_PKEY *EVP_PKEY_new_raw_public_key_ex(OSSL_LIB_CTX *libctx, const char *keytype,
					 const char *propq, const unsigned char *pub,
					 size_t len);
int EVP_PKEY_pairwise_check(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_param_check(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_param_check_quick(EVP_PKEY_CTX *ctx);
int EVP_PKEY_parameters_eq(const EVP_PKEY *a, const EVP_PKEY *b);
int EVP_PKEY_paramgen(EVP_PKEY_CTX *ctx, EVP_PKEY **ppkey)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_paramgen_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_print_params(BIO *out, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_print_params_fp(FILE *fp, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_print_private(BIO *out, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_print_private_fp(FILE *fp, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_print_public(BIO *out, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_print_public_fp(FILE *fp, const EVP_PKEY *pkey, int indent, ASN1_PCTX *pctx);
int EVP_PKEY_private_check(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_public_check(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_public_check_quick(EVP_PKEY_CTX *ctx);
int EVP_PKEY_save_parameters(EVP_PKEY *pkey, int mode);
int EVP_PKEY_set1_DH(EVP_PKEY *pkey, struct dh_st *key)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_set1_DSA(EVP_PKEY *pkey, struct dsa_st *key)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_set1_EC_KEY(EVP_PKEY *pkey, struct ec_key_st *key)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_set1_RSA(EVP_PKEY *pkey, struct rsa_st *key)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_set1_encoded_public_key(EVP_PKEY *pkey, const unsigned char *pub, size_t publen);
int EVP_PKEY_set1_engine(EVP_PKEY *pkey, ENGINE *e);
int EVP_PKEY_set_bn_param(EVP_PKEY *pkey, const char *key_name, const BIGNUM *bn);
int EVP_PKEY_set_int_param(EVP_PKEY *pkey, const char *key_name, int in);
int EVP_PKEY_set_octet_string_param(EVP_PKEY *pkey, const char *key_name,
				    const unsigned char *buf, size_t bsize);
int EVP_PKEY_set_params(EVP_PKEY *pkey, OSSL_PARAM params[]);
int EVP_PKEY_set_size_t_param(EVP_PKEY *pkey, const char *key_name, size_t in);
int EVP_PKEY_set_type(EVP_PKEY *pkey, int type);
int EVP_PKEY_set_type_by_keymgmt(EVP_PKEY *pkey, EVP_KEYMGMT *keymgmt);
int EVP_PKEY_set_type_str(EVP_PKEY *pkey, const char *str, int len);
int EVP_PKEY_set_utf8_string_param(EVP_PKEY *pkey, const char *key_name, const char *str);
const OSSL_PARAM *EVP_PKEY_settable_params(const EVP_PKEY *pkey);
int EVP_PKEY_sign(EVP_PKEY_CTX *ctx, unsigned char *sig, size_t *siglen,
		  const unsigned char *tbs, size_t tbslen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_sign_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_sign_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_todata(const EVP_PKEY *pkey, int selection, OSSL_PARAM **params);
int EVP_PKEY_type(int type);
int EVP_PKEY_type_names_do_all(const EVP_PKEY *pkey, void (*fn)(const char *name, void *data),
			       void *data);
int EVP_PKEY_up_ref(EVP_PKEY *pkey);
int EVP_PKEY_verify(EVP_PKEY_CTX *ctx, const unsigned char *sig, size_t siglen,
		    const unsigned char *tbs, size_t tbslen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_verify_init(EVP_PKEY_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int EVP_PKEY_verify_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_verify_recover(EVP_PKEY_CTX *ctx, unsigned char *rout, size_t *routlen,
			    const unsigned char *sig, size_t siglen)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_verify_recover_init(EVP_PKEY_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int EVP_PKEY_verify_recover_init_ex(EVP_PKEY_CTX *ctx, const OSSL_PARAM params[])
	__attribute__((annotate("fails(not positive)")));
int EVP_Q_digest(OSSL_LIB_CTX *libctx, const char *name, const char *propq, const void *data,
		 size_t datalen, unsigned char *md, size_t *mdlen)
	__attribute__((annotate("fails(not positive)")));
unsigned char *EVP_Q_mac(OSSL_LIB_CTX *libctx, const char *name, const char *propq,
			 const char *subalg, const OSSL_PARAM *params, const void *key,
			 size_t keylen, const unsigned char *data, size_t datalen,
			 unsigned char *out, size_t outsize, size_t *outlen);
int EVP_SealFinal(EVP_CIPHER_CTX *ctx, unsigned char *out, int *outl)
	__attribute__((annotate("fails(not positive)")));
int EVP_SealInit(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *type, unsigned char **ek, int *ekl,
		 unsigned char *iv, EVP_PKEY **pubk, int npubk)
	__attribute__((annotate("fails(not positive)")));
int EVP_SignFinal(EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s, EVP_PKEY *pkey)
	__attribute__((annotate("fails(not positive)")));
int EVP_SignFinal_ex(EVP_MD_CTX *ctx, unsigned char *md, unsigned int *s, EVP_PKEY *pkey,
		     OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int EVP_VerifyFinal(EVP_MD_CTX *ctx, const unsigned char *sigbuf, unsigned int siglen,
		    EVP_PKEY *pkey) __attribute__((annotate("fails(not positive)")));
int EVP_VerifyFinal_ex(EVP_MD_CTX *ctx, const unsigned char *sigbuf, unsigned int siglen,
		       EVP_PKEY *pkey, OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
const EVP_CIPHER *EVP_aes_128_cbc(void);
const EVP_CIPHER *EVP_aes_128_cbc_hmac_sha1(void);
const EVP_CIPHER *EVP_aes_128_cbc_hmac_sha256(void);
const EVP_CIPHER *EVP_aes_128_ccm(void);
const EVP_CIPHER *EVP_aes_128_cfb1(void);
const EVP_CIPHER *EVP_aes_128_cfb128(void);
const EVP_CIPHER *EVP_aes_128_cfb8(void);
const EVP_CIPHER *EVP_aes_128_ctr(void);
const EVP_CIPHER *EVP_aes_128_ecb(void);
const EVP_CIPHER *EVP_aes_128_gcm(void);
const EVP_CIPHER *EVP_aes_128_ocb(void);
const EVP_CIPHER *EVP_aes_128_ofb(void);
const EVP_CIPHER *EVP_aes_128_wrap(void);
const EVP_CIPHER *EVP_aes_128_wrap_pad(void);
const EVP_CIPHER *EVP_aes_128_xts(void);
const EVP_CIPHER *EVP_aes_192_cbc(void);
const EVP_CIPHER *EVP_aes_192_ccm(void);
const EVP_CIPHER *EVP_aes_192_cfb1(void);
const EVP_CIPHER *EVP_aes_192_cfb128(void);
const EVP_CIPHER *EVP_aes_192_cfb8(void);
const EVP_CIPHER *EVP_aes_192_ctr(void);
const EVP_CIPHER *EVP_aes_192_ecb(void);
const EVP_CIPHER *EVP_aes_192_gcm(void);
const EVP_CIPHER *EVP_aes_192_ocb(void);
const EVP_CIPHER *EVP_aes_192_ofb(void);
const EVP_CIPHER *EVP_aes_192_wrap(void);
const EVP_CIPHER *EVP_aes_192_wrap_pad(void);
const EVP_CIPHER *EVP_aes_256_cbc(void);
const EVP_CIPHER *EVP_aes_256_cbc_hmac_sha1(void);
const EVP_CIPHER *EVP_aes_256_cbc_hmac_sha256(void);
const EVP_CIPHER *EVP_aes_256_ccm(void);
const EVP_CIPHER *EVP_aes_256_cfb1(void);
const EVP_CIPHER *EVP_aes_256_cfb128(void);
const EVP_CIPHER *EVP_aes_256_cfb8(void);
const EVP_CIPHER *EVP_aes_256_ctr(void);
const EVP_CIPHER *EVP_aes_256_ecb(void);
const EVP_CIPHER *EVP_aes_256_gcm(void);
const EVP_CIPHER *EVP_aes_256_ocb(void);
const EVP_CIPHER *EVP_aes_256_ofb(void);
const EVP_CIPHER *EVP_aes_256_wrap(void);
const EVP_CIPHER *EVP_aes_256_wrap_pad(void);
const EVP_CIPHER *EVP_aes_256_xts(void);
const EVP_CIPHER *EVP_chacha20(void);
const EVP_CIPHER *EVP_chacha20_poly1305(void);
const EVP_CIPHER *EVP_des_ede3(void);
const EVP_CIPHER *EVP_des_ede3_cbc(void);
const EVP_CIPHER *EVP_des_ede3_cfb1(void);
const EVP_CIPHER *EVP_des_ede3_cfb64(void);
const EVP_CIPHER *EVP_des_ede3_cfb8(void);
const EVP_CIPHER *EVP_des_ede3_ecb(void);
const EVP_CIPHER *EVP_des_ede3_ofb(void);
const EVP_CIPHER *EVP_des_ede3_wrap(void);
const EVP_CIPHER *EVP_get_cipherbyname(const char *name);
const EVP_MD *EVP_get_digestbyname(const char *name);
char *EVP_get_pw_prompt(void);
const EVP_MD *EVP_md5(void);
const EVP_MD *EVP_md5_sha1(void);
const EVP_MD *EVP_sha1(void);
const EVP_MD *EVP_sha224(void);
const EVP_MD *EVP_sha256(void);
const EVP_MD *EVP_sha384(void);
const EVP_MD *EVP_sha3_224(void);
const EVP_MD *EVP_sha3_256(void);
const EVP_MD *EVP_sha3_384(void);
const EVP_MD *EVP_sha3_512(void);
const EVP_MD *EVP_sha512(void);
const EVP_MD *EVP_sha512_224(void);
const EVP_MD *EVP_sha512_256(void);
const EVP_MD *EVP_shake128(void);
const EVP_MD *EVP_shake256(void);
unsigned char *HMAC(const EVP_MD *evp_md, const void *key, int key_len,
		    const unsigned char *data, size_t data_len, unsigned char *md,
		    unsigned int *md_len);
int HMAC_CTX_copy(HMAC_CTX *dctx, HMAC_CTX *sctx);
void HMAC_CTX_free(HMAC_CTX *ctx);
const EVP_MD *HMAC_CTX_get_md(const HMAC_CTX *ctx);
HMAC_CTX *HMAC_CTX_new(void);
int HMAC_CTX_reset(HMAC_CTX *ctx);
void HMAC_CTX_set_flags(HMAC_CTX *ctx, unsigned long flags);
int HMAC_Final(HMAC_CTX *ctx, unsigned char *md, unsigned int *len)
	__attribute__((annotate("fails(not positive)")));
int HMAC_Init(HMAC_CTX *ctx, const void *key, int len, const EVP_MD *md)
	__attribute__((annotate("fails(not positive)")));
int HMAC_Init_ex(HMAC_CTX *ctx, const void *key, int len, const EVP_MD *md, ENGINE *impl)
	__attribute__((annotate("fails(not positive)")));
int HMAC_Update(HMAC_CTX *ctx, const unsigned char *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
size_t HMAC_size(const HMAC_CTX *e);
unsigned char *MD5(const unsigned char *d, size_t n, unsigned char *md);
int MD5_Final(unsigned char *md, MD5_CTX *c) __attribute__((annotate("fails(not positive)")));
int MD5_Init(MD5_CTX *c) __attribute__((annotate("fails(not positive)")));
void MD5_Transform(MD5_CTX *c, const unsigned char *b);
int MD5_Update(MD5_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
void OPENSSL_INIT_free(OPENSSL_INIT_SETTINGS *settings);
OPENSSL_INIT_SETTINGS *OPENSSL_INIT_new(void);
int OPENSSL_INIT_set_config_appname(OPENSSL_INIT_SETTINGS *settings,
				    const char *config_appname);
void OPENSSL_INIT_set_config_file_flags(OPENSSL_INIT_SETTINGS *settings, unsigned long flags);
int OPENSSL_INIT_set_config_filename(OPENSSL_INIT_SETTINGS *settings,
				     const char *config_filename);
void *OPENSSL_LH_delete(OPENSSL_LHASH *lh, const void *data);
void OPENSSL_LH_doall(OPENSSL_LHASH *lh, OPENSSL_LH_DOALL_FUNC func);
void OPENSSL_LH_doall_arg(OPENSSL_LHASH *lh, OPENSSL_LH_DOALL_FUNCARG func, void *arg);
int OPENSSL_LH_error(OPENSSL_LHASH *lh);
void OPENSSL_LH_flush(OPENSSL_LHASH *lh);
void OPENSSL_LH_free(OPENSSL_LHASH *lh);
unsigned long OPENSSL_LH_get_down_load(const OPENSSL_LHASH *lh);
void *OPENSSL_LH_insert(OPENSSL_LHASH *lh, void *data);
OPENSSL_LHASH *OPENSSL_LH_new(OPENSSL_LH_HASHFUNC h, OPENSSL_LH_COMPFUNC c);
void OPENSSL_LH_node_stats(const OPENSSL_LHASH *lh, FILE *fp);
void OPENSSL_LH_node_stats_bio(const OPENSSL_LHASH *lh, BIO *out);
void OPENSSL_LH_node_usage_stats(const OPENSSL_LHASH *lh, FILE *fp);
void OPENSSL_LH_node_usage_stats_bio(const OPENSSL_LHASH *lh, BIO *out);
unsigned long OPENSSL_LH_num_items(const OPENSSL_LHASH *lh);
void *OPENSSL_LH_retrieve(OPENSSL_LHASH *lh, const void *data);
void OPENSSL_LH_set_down_load(OPENSSL_LHASH *lh, unsigned long down_load);
void OPENSSL_LH_stats(const OPENSSL_LHASH *lh, FILE *fp);
void OPENSSL_LH_stats_bio(const OPENSSL_LHASH *lh, BIO *out);
unsigned long OPENSSL_LH_strhash(const char *c);
int OPENSSL_atexit(void (*handler)(void));
char *OPENSSL_buf2hexstr(const unsigned char *buf, long buflen);
int OPENSSL_buf2hexstr_ex(char *str, size_t str_n, size_t *strlength, const unsigned char *buf,
			  size_t buflen, const char sep);
const char *OPENSSL_cipher_name(const char *rfc_name);
void OPENSSL_cleanse(void *ptr, size_t len);
void OPENSSL_cleanup(void);
void OPENSSL_config(const char *config_name);
void OPENSSL_die(const char *assertion, const char *file, int line);
void OPENSSL_fork_child(void);
void OPENSSL_fork_parent(void);
void OPENSSL_fork_prepare(void);
struct tm *OPENSSL_gmtime(const time_t *timer, struct tm *result);
int OPENSSL_gmtime_diff(int *pday, int *psec, const struct tm *from, const struct tm *to);
int OPENSSL_hexchar2int(unsigned char c);
unsigned char *OPENSSL_hexstr2buf(const char *str, long *buflen);
int OPENSSL_hexstr2buf_ex(unsigned char *buf, size_t buf_n, size_t *buflen, const char *str,
			  const char sep);
const char *OPENSSL_info(int type);
void OPENSSL_init(void);
int OPENSSL_init_crypto(uint64_t opts, const OPENSSL_INIT_SETTINGS *settings)
	__attribute__((annotate("fails(not positive)")));
int OPENSSL_init_ssl(uint64_t opts, const OPENSSL_INIT_SETTINGS *settings)
	__attribute__((annotate("fails(not positive)")));
int OPENSSL_isservice(void);
int OPENSSL_issetugid(void);
void OPENSSL_load_builtin_modules(void);
OPENSSL_STACK *OPENSSL_sk_deep_copy(const OPENSSL_STACK *, OPENSSL_sk_copyfunc c,
				    OPENSSL_sk_freefunc f);
void *OPENSSL_sk_delete(OPENSSL_STACK *st, int loc);
void *OPENSSL_sk_delete_ptr(OPENSSL_STACK *st, const void *p);
OPENSSL_STACK *OPENSSL_sk_dup(const OPENSSL_STACK *st);
int OPENSSL_sk_find(OPENSSL_STACK *st, const void *data);
int OPENSSL_sk_find_all(OPENSSL_STACK *st, const void *data, int *pnum);
int OPENSSL_sk_find_ex(OPENSSL_STACK *st, const void *data);
void OPENSSL_sk_free(OPENSSL_STACK *);
int OPENSSL_sk_insert(OPENSSL_STACK *sk, const void *data, int where);
int OPENSSL_sk_is_sorted(const OPENSSL_STACK *st);
OPENSSL_STACK *OPENSSL_sk_new(OPENSSL_sk_compfunc cmp);
OPENSSL_STACK *OPENSSL_sk_new_null(void);
OPENSSL_STACK *OPENSSL_sk_new_reserve(OPENSSL_sk_compfunc c, int n);
int OPENSSL_sk_num(const OPENSSL_STACK *);
void *OPENSSL_sk_pop(OPENSSL_STACK *st);
void OPENSSL_sk_pop_free(OPENSSL_STACK *st, void (*func)(void *));
int OPENSSL_sk_push(OPENSSL_STACK *st, const void *data);
int OPENSSL_sk_reserve(OPENSSL_STACK *st, int n);
void *OPENSSL_sk_set(OPENSSL_STACK *st, int i, const void *data);
OPENSSL_sk_compfunc OPENSSL_sk_set_cmp_func(OPENSSL_STACK *sk, OPENSSL_sk_compfunc cmp);
void *OPENSSL_sk_shift(OPENSSL_STACK *st);
void OPENSSL_sk_sort(OPENSSL_STACK *st);
int OPENSSL_sk_unshift(OPENSSL_STACK *st, const void *data);
void *OPENSSL_sk_value(const OPENSSL_STACK *, int);
void OPENSSL_sk_zero(OPENSSL_STACK *st);
int OPENSSL_strcasecmp(const char *s1, const char *s2);
size_t OPENSSL_strlcat(char *dst, const char *src, size_t siz);
size_t OPENSSL_strlcpy(char *dst, const char *src, size_t siz);
int OPENSSL_strncasecmp(const char *s1, const char *s2, size_t n);
size_t OPENSSL_strnlen(const char *str, size_t maxlen);
void OPENSSL_thread_stop(void);
void OPENSSL_thread_stop_ex(OSSL_LIB_CTX *ctx);
const char *OPENSSL_version_build_metadata(void);
unsigned int OPENSSL_version_major(void);
unsigned int OPENSSL_version_minor(void);
unsigned int OPENSSL_version_patch(void);
const char *OPENSSL_version_pre_release(void);
DH *PEM_read_DHparams(FILE *out, DH **x, pem_password_cb *cb, void *u);
DSA *PEM_read_DSAPrivateKey(FILE *out, DSA **x, pem_password_cb *cb, void *u);
DSA *PEM_read_DSA_PUBKEY(FILE *out, DSA **x, pem_password_cb *cb, void *u);
DSA *PEM_read_DSAparams(FILE *out, DSA **x, pem_password_cb *cb, void *u);
EC_GROUP *PEM_read_ECPKParameters(FILE *out, EC_GROUP **x, pem_password_cb *cb, void *u);
EC_KEY *PEM_read_ECPrivateKey(FILE *out, EC_KEY **x, pem_password_cb *cb, void *u);
EC_KEY *PEM_read_EC_PUBKEY(FILE *out, EC_KEY **x, pem_password_cb *cb, void *u);
NETSCAPE_CERT_SEQUENCE *PEM_read_NETSCAPE_CERT_SEQUENCE(FILE *out, NETSCAPE_CERT_SEQUENCE **x,
							pem_password_cb *cb, void *u);
PKCS7 *PEM_read_PKCS7(FILE *out, PKCS7 **x, pem_password_cb *cb, void *u);
X509_SIG *PEM_read_PKCS8(FILE *out, X509_SIG **x, pem_password_cb *cb, void *u);
PKCS8_PRIV_KEY_INFO *PEM_read_PKCS8_PRIV_KEY_INFO(FILE *out, PKCS8_PRIV_KEY_INFO **x,
						  pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_PUBKEY(FILE *out, EVP_PKEY **x, pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_PUBKEY_ex(FILE *out, EVP_PKEY **x, pem_password_cb *cb, void *u,
			     OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *PEM_read_PrivateKey(FILE *out, EVP_PKEY **x, pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_PrivateKey_ex(FILE *out, EVP_PKEY **x, pem_password_cb *cb, void *u,
				 OSSL_LIB_CTX *libctx, const char *propq);
RSA *PEM_read_RSAPrivateKey(FILE *out, RSA **x, pem_password_cb *cb, void *u);
RSA *PEM_read_RSAPublicKey(FILE *out, RSA **x, pem_password_cb *cb, void *u);
RSA *PEM_read_RSA_PUBKEY(FILE *out, RSA **x, pem_password_cb *cb, void *u);
SSL_SESSION *PEM_read_SSL_SESSION(FILE *out, SSL_SESSION **x, pem_password_cb *cb, void *u);
X509 *PEM_read_X509(FILE *out, X509 **x, pem_password_cb *cb, void *u);
X509 *PEM_read_X509_AUX(FILE *out, X509 **x, pem_password_cb *cb, void *u);
X509_CRL *PEM_read_X509_CRL(FILE *out, X509_CRL **x, pem_password_cb *cb, void *u);
X509_PUBKEY *PEM_read_X509_PUBKEY(FILE *out, X509_PUBKEY **x, pem_password_cb *cb, void *u);
X509_REQ *PEM_read_X509_REQ(FILE *out, X509_REQ **x, pem_password_cb *cb, void *u);
int PEM_read_bio(BIO *bp, char **name, char **header, unsigned char **data, long *len);
DH *PEM_read_bio_DHparams(BIO *out, DH **x, pem_password_cb *cb, void *u);
DSA *PEM_read_bio_DSAPrivateKey(BIO *out, DSA **x, pem_password_cb *cb, void *u);
DSA *PEM_read_bio_DSA_PUBKEY(BIO *out, DSA **x, pem_password_cb *cb, void *u);
DSA *PEM_read_bio_DSAparams(BIO *out, DSA **x, pem_password_cb *cb, void *u);
EC_GROUP *PEM_read_bio_ECPKParameters(BIO *out, EC_GROUP **x, pem_password_cb *cb, void *u);
EC_KEY *PEM_read_bio_ECPrivateKey(BIO *out, EC_KEY **x, pem_password_cb *cb, void *u);
EC_KEY *PEM_read_bio_EC_PUBKEY(BIO *out, EC_KEY **x, pem_password_cb *cb, void *u);
NETSCAPE_CERT_SEQUENCE *PEM_read_bio_NETSCAPE_CERT_SEQUENCE(BIO *out,
							    NETSCAPE_CERT_SEQUENCE **x,
							    pem_password_cb *cb, void *u);
PKCS7 *PEM_read_bio_PKCS7(BIO *out, PKCS7 **x, pem_password_cb *cb, void *u);
X509_SIG *PEM_read_bio_PKCS8(BIO *out, X509_SIG **x, pem_password_cb *cb, void *u);
PKCS8_PRIV_KEY_INFO *PEM_read_bio_PKCS8_PRIV_KEY_INFO(BIO *out, PKCS8_PRIV_KEY_INFO **x,
						      pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_bio_PUBKEY(BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_bio_PUBKEY_ex(BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u,
				 OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *PEM_read_bio_Parameters(BIO *bp, EVP_PKEY **x);
EVP_PKEY *PEM_read_bio_Parameters_ex(BIO *bp, EVP_PKEY **x, OSSL_LIB_CTX *libctx,
				     const char *propq);
EVP_PKEY *PEM_read_bio_PrivateKey(BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u);
EVP_PKEY *PEM_read_bio_PrivateKey_ex(BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u,
				     OSSL_LIB_CTX *libctx, const char *propq);
RSA *PEM_read_bio_RSAPrivateKey(BIO *out, RSA **x, pem_password_cb *cb, void *u);
RSA *PEM_read_bio_RSAPublicKey(BIO *out, RSA **x, pem_password_cb *cb, void *u);
RSA *PEM_read_bio_RSA_PUBKEY(BIO *out, RSA **x, pem_password_cb *cb, void *u);
SSL_SESSION *PEM_read_bio_SSL_SESSION(BIO *out, SSL_SESSION **x, pem_password_cb *cb, void *u);
X509 *PEM_read_bio_X509(BIO *out, X509 **x, pem_password_cb *cb, void *u);
X509 *PEM_read_bio_X509_AUX(BIO *out, X509 **x, pem_password_cb *cb, void *u);
X509_CRL *PEM_read_bio_X509_CRL(BIO *out, X509_CRL **x, pem_password_cb *cb, void *u);
X509_PUBKEY *PEM_read_bio_X509_PUBKEY(BIO *out, X509_PUBKEY **x, pem_password_cb *cb, void *u);
X509_REQ *PEM_read_bio_X509_REQ(BIO *out, X509_REQ **x, pem_password_cb *cb, void *u);
int PEM_read_bio_ex(BIO *bp, char **name, char **header, unsigned char **data, long *len,
		    unsigned int flags);
int PEM_write_DHparams(FILE *out, const DH *x) __attribute__((annotate("fails(not positive)")));
int PEM_write_DHxparams(FILE *out, const DH *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_DSAPrivateKey(FILE *out, const DSA *x, const EVP_CIPHER *enc,
			    const unsigned char *kstr, int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_DSA_PUBKEY(FILE *out, const DSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_DSAparams(FILE *out, const DSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_ECPKParameters(FILE *out, const EC_GROUP *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_ECPrivateKey(FILE *out, const EC_KEY *x, const EVP_CIPHER *enc,
			   const unsigned char *kstr, int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_EC_PUBKEY(FILE *out, const EC_KEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_NETSCAPE_CERT_SEQUENCE(FILE *out, const NETSCAPE_CERT_SEQUENCE *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PKCS7(FILE *out, const PKCS7 *x) __attribute__((annotate("fails(not positive)")));
int PEM_write_PKCS8(FILE *out, const X509_SIG *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PKCS8PrivateKey(FILE *fp, const EVP_PKEY *x, const EVP_CIPHER *enc,
			      const char *kstr, int klen, pem_password_cb *cd, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PKCS8PrivateKey_nid(FILE *fp, const EVP_PKEY *x, int nid, const char *kstr,
				  int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PKCS8_PRIV_KEY_INFO(FILE *out, const PKCS8_PRIV_KEY_INFO *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PUBKEY(FILE *out, const EVP_PKEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PUBKEY_ex(FILE *out, const EVP_PKEY *x, OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PrivateKey(FILE *out, const EVP_PKEY *x, const EVP_CIPHER *enc,
			 const unsigned char *kstr, int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_PrivateKey_ex(FILE *out, const EVP_PKEY *x, const EVP_CIPHER *enc,
			    const unsigned char *kstr, int klen, pem_password_cb *cb, void *u,
			    OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_RSAPrivateKey(FILE *out, const RSA *x, const EVP_CIPHER *enc,
			    const unsigned char *kstr, int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_RSAPublicKey(FILE *out, const RSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_RSA_PUBKEY(FILE *out, const RSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_SSL_SESSION(FILE *out, const SSL_SESSION *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_X509(FILE *out, const X509 *x) __attribute__((annotate("fails(not positive)")));
int PEM_write_X509_AUX(FILE *out, const X509 *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_X509_CRL(FILE *out, const X509_CRL *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_X509_PUBKEY(FILE *out, const X509_PUBKEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_X509_REQ(FILE *out, const X509_REQ *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_X509_REQ_NEW(FILE *out, const X509_REQ *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio(BIO *bp, const char *name, const char *hdr, const unsigned char *data,
		  long len) __attribute__((annotate("fails(not positive)")));
int PEM_write_bio_ASN1_stream(BIO *out, ASN1_VALUE *val, BIO *in, int flags, const char *hdr,
			      const ASN1_ITEM *it)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_DHparams(BIO *out, const DH *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_DHxparams(BIO *out, const DH *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_DSAPrivateKey(BIO *out, const DSA *x, const EVP_CIPHER *enc,
				const unsigned char *kstr, int klen, pem_password_cb *cb,
				void *u) __attribute__((annotate("fails(not positive)")));
int PEM_write_bio_DSA_PUBKEY(BIO *out, const DSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_DSAparams(BIO *out, const DSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_ECPKParameters(BIO *out, const EC_GROUP *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_ECPrivateKey(BIO *out, const EC_KEY *x, const EVP_CIPHER *enc,
			       const unsigned char *kstr, int klen, pem_password_cb *cb,
			       void *u) __attribute__((annotate("fails(not positive)")));
int PEM_write_bio_EC_PUBKEY(BIO *out, const EC_KEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_NETSCAPE_CERT_SEQUENCE(BIO *out, const NETSCAPE_CERT_SEQUENCE *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS7(BIO *out, const PKCS7 *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS7_stream(BIO *out, PKCS7 *p7, BIO *in, int flags)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS8(BIO *out, const X509_SIG *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS8PrivateKey(BIO *, const EVP_PKEY *, const EVP_CIPHER *, const char *kstr,
				  int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS8PrivateKey_nid(BIO *bp, const EVP_PKEY *x, int nid, const char *kstr,
				      int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PKCS8_PRIV_KEY_INFO(BIO *out, const PKCS8_PRIV_KEY_INFO *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PUBKEY(BIO *out, const EVP_PKEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PUBKEY_ex(BIO *out, const EVP_PKEY *x, OSSL_LIB_CTX *libctx,
			    const char *propq) __attribute__((annotate("fails(not positive)")));
int PEM_write_bio_Parameters(BIO *bp, const EVP_PKEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PrivateKey(BIO *out, const EVP_PKEY *x, const EVP_CIPHER *enc,
			     const unsigned char *kstr, int klen, pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PrivateKey_ex(BIO *out, const EVP_PKEY *x, const EVP_CIPHER *enc,
				const unsigned char *kstr, int klen, pem_password_cb *cb,
				void *u, OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_PrivateKey_traditional(BIO *bp, const EVP_PKEY *x, const EVP_CIPHER *enc,
					 const unsigned char *kstr, int klen,
					 pem_password_cb *cb, void *u)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_RSAPrivateKey(BIO *out, const RSA *x, const EVP_CIPHER *enc,
				const unsigned char *kstr, int klen, pem_password_cb *cb,
				void *u) __attribute__((annotate("fails(not positive)")));
int PEM_write_bio_RSAPublicKey(BIO *out, const RSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_RSA_PUBKEY(BIO *out, const RSA *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_SSL_SESSION(BIO *out, const SSL_SESSION *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509(BIO *out, const X509 *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509_AUX(BIO *out, const X509 *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509_CRL(BIO *out, const X509_CRL *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509_PUBKEY(BIO *out, const X509_PUBKEY *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509_REQ(BIO *out, const X509_REQ *x)
	__attribute__((annotate("fails(not positive)")));
int PEM_write_bio_X509_REQ_NEW(BIO *out, const X509_REQ *x)
	__attribute__((annotate("fails(not positive)")));
int PKCS5_PBKDF2_HMAC(const char *pass, int passlen, const unsigned char *salt, int saltlen,
		      int iter, const EVP_MD *digest, int keylen, unsigned char *out)
	__attribute__((annotate("fails(not positive)")));
int PKCS5_PBKDF2_HMAC_SHA1(const char *pass, int passlen, const unsigned char *salt,
			   int saltlen, int iter, int keylen, unsigned char *out)
	__attribute__((annotate("fails(not positive)")));
RAND_METHOD *RAND_OpenSSL(void);
void RAND_add(const void *buf, int num, double randomness);
int RAND_bytes(unsigned char *buf, int num) __attribute__((access(write_only, 1, 2)))
__attribute__((annotate("fails(not positive)")));
int RAND_bytes_ex(OSSL_LIB_CTX *ctx, unsigned char *buf, size_t num, unsigned int strength)
	__attribute__((annotate("fails(not positive)")));
const char *RAND_file_name(char *file, size_t num);
EVP_RAND_CTX *RAND_get0_primary(OSSL_LIB_CTX *ctx);
EVP_RAND_CTX *RAND_get0_private(OSSL_LIB_CTX *ctx);
EVP_RAND_CTX *RAND_get0_public(OSSL_LIB_CTX *ctx);
const RAND_METHOD *RAND_get_rand_method(void);
void RAND_keep_random_devices_open(int keep);
int RAND_load_file(const char *file, long max_bytes);
int RAND_poll(void);
int RAND_priv_bytes(unsigned char *buf, int num)
	__attribute__((annotate("fails(not positive)")));
int RAND_priv_bytes_ex(OSSL_LIB_CTX *ctx, unsigned char *buf, size_t num, unsigned int strength)
	__attribute__((annotate("fails(not positive)")));
int RAND_pseudo_bytes(unsigned char *buf, int num);
void RAND_seed(const void *buf, int num);
int RAND_set_DRBG_type(OSSL_LIB_CTX *ctx, const char *drbg, const char *propq,
		       const char *cipher, const char *digest);
int RAND_set_rand_engine(ENGINE *engine);
int RAND_set_rand_method(const RAND_METHOD *meth);
int RAND_set_seed_source_type(OSSL_LIB_CTX *ctx, const char *seed, const char *propq);
int RAND_status(void);
int RAND_write_file(const char *file);
int RSA_bits(const RSA *rsa);
void RSA_free(RSA *r);
RSA *RSA_generate_key(int bits, unsigned long e, void (*callback)(int, int, void *),
		      void *cb_arg);
int RSA_generate_key_ex(RSA *rsa, int bits, BIGNUM *e, BN_GENCB *cb)
	__attribute__((annotate("fails(not positive)")));
int RSA_generate_multi_prime_key(RSA *rsa, int bits, int primes, BIGNUM *e, BN_GENCB *cb)
	__attribute__((annotate("fails(not positive)")));
void RSA_get0_crt_params(const RSA *r, const BIGNUM **dmp1, const BIGNUM **dmq1,
			 const BIGNUM **iqmp);
const BIGNUM *RSA_get0_d(const RSA *d);
const BIGNUM *RSA_get0_dmp1(const RSA *r);
const BIGNUM *RSA_get0_dmq1(const RSA *r);
const BIGNUM *RSA_get0_e(const RSA *d);
ENGINE *RSA_get0_engine(const RSA *r);
void RSA_get0_factors(const RSA *r, const BIGNUM **p, const BIGNUM **q);
const BIGNUM *RSA_get0_iqmp(const RSA *r);
void RSA_get0_key(const RSA *r, const BIGNUM **n, const BIGNUM **e, const BIGNUM **d);
int RSA_get0_multi_prime_crt_params(const RSA *r, const BIGNUM *exps[], const BIGNUM *coeffs[]);
int RSA_get0_multi_prime_factors(const RSA *r, const BIGNUM *primes[]);
const BIGNUM *RSA_get0_n(const RSA *d);
const BIGNUM *RSA_get0_p(const RSA *d);
const RSA_PSS_PARAMS *RSA_get0_pss_params(const RSA *r);
const BIGNUM *RSA_get0_q(const RSA *d);
RSA *RSA_new(void);
RSA *RSA_new_method(ENGINE *engine);
int RSA_private_decrypt(int flen, const unsigned char *from, unsigned char *to, RSA *rsa,
			int padding);
int RSA_private_encrypt(int flen, const unsigned char *from, unsigned char *to, RSA *rsa,
			int padding);
int RSA_public_decrypt(int flen, const unsigned char *from, unsigned char *to, RSA *rsa,
		       int padding);
int RSA_public_encrypt(int flen, const unsigned char *from, unsigned char *to, RSA *rsa,
		       int padding);
int RSA_set0_crt_params(RSA *r, BIGNUM *dmp1, BIGNUM *dmq1, BIGNUM *iqmp);
int RSA_set0_factors(RSA *r, BIGNUM *p, BIGNUM *q)
	__attribute__((annotate("fails(not positive)")));
int RSA_set0_key(RSA *r, BIGNUM *n, BIGNUM *e, BIGNUM *d)
	__attribute__((annotate("fails(not positive)")));
int RSA_set0_multi_prime_params(RSA *r, BIGNUM *primes[], BIGNUM *exps[], BIGNUM *coeffs[],
				int pnum);
int RSA_sign(int type, const unsigned char *m, unsigned int m_length, unsigned char *sigret,
	     unsigned int *siglen, RSA *rsa) __attribute__((annotate("fails(not positive)")));
int RSA_sign_ASN1_OCTET_STRING(int type, const unsigned char *m, unsigned int m_length,
			       unsigned char *sigret, unsigned int *siglen, RSA *rsa);
int RSA_size(const RSA *rsa);
int RSA_up_ref(RSA *r);
int RSA_verify(int type, const unsigned char *m, unsigned int m_length,
	       const unsigned char *sigbuf, unsigned int siglen, RSA *rsa)
	__attribute__((annotate("fails(not positive)")));
int RSA_verify_ASN1_OCTET_STRING(int type, const unsigned char *m, unsigned int m_length,
				 unsigned char *sigbuf, unsigned int siglen, RSA *rsa);
int RSA_verify_PKCS1_PSS(RSA *rsa, const unsigned char *mHash, const EVP_MD *Hash,
			 const unsigned char *EM, int sLen);
int RSA_verify_PKCS1_PSS_mgf1(RSA *rsa, const unsigned char *mHash, const EVP_MD *Hash,
			      const EVP_MD *mgf1Hash, const unsigned char *EM, int sLen);
unsigned char *SHA1(const unsigned char *d, size_t n, unsigned char *md);
int SHA1_Final(unsigned char *md, SHA_CTX *c) __attribute__((annotate("fails(not positive)")));
int SHA1_Init(SHA_CTX *c) __attribute__((annotate("fails(not positive)")));
void SHA1_Transform(SHA_CTX *c, const unsigned char *data);
int SHA1_Update(SHA_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
unsigned char *SHA224(const unsigned char *d, size_t n, unsigned char *md);
int SHA224_Final(unsigned char *md, SHA256_CTX *c)
	__attribute__((annotate("fails(not positive)")));
int SHA224_Init(SHA256_CTX *c) __attribute__((annotate("fails(not positive)")));
int SHA224_Update(SHA256_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
unsigned char *SHA256(const unsigned char *d, size_t n, unsigned char *md);
int SHA256_Final(unsigned char *md, SHA256_CTX *c)
	__attribute__((annotate("fails(not positive)")));
int SHA256_Init(SHA256_CTX *c) __attribute__((annotate("fails(not positive)")));
void SHA256_Transform(SHA256_CTX *c, const unsigned char *data);
int SHA256_Update(SHA256_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
unsigned char *SHA384(const unsigned char *d, size_t n, unsigned char *md);
int SHA384_Final(unsigned char *md, SHA512_CTX *c)
	__attribute__((annotate("fails(not positive)")));
int SHA384_Init(SHA512_CTX *c) __attribute__((annotate("fails(not positive)")));
int SHA384_Update(SHA512_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
unsigned char *SHA512(const unsigned char *d, size_t n, unsigned char *md);
int SHA512_Final(unsigned char *md, SHA512_CTX *c)
	__attribute__((annotate("fails(not positive)")));
int SHA512_Init(SHA512_CTX *c) __attribute__((annotate("fails(not positive)")));
void SHA512_Transform(SHA512_CTX *c, const unsigned char *data);
int SHA512_Update(SHA512_CTX *c, const void *data, size_t len)
	__attribute__((annotate("fails(not positive)")));
char *SSL_CIPHER_description(const SSL_CIPHER *, char *buf, int size);
const SSL_CIPHER *SSL_CIPHER_find(SSL *ssl, const unsigned char *ptr);
int SSL_CIPHER_get_auth_nid(const SSL_CIPHER *c);
int SSL_CIPHER_get_bits(const SSL_CIPHER *c, int *alg_bits);
int SSL_CIPHER_get_cipher_nid(const SSL_CIPHER *c);
int SSL_CIPHER_get_digest_nid(const SSL_CIPHER *c);
const EVP_MD *SSL_CIPHER_get_handshake_digest(const SSL_CIPHER *c);
uint32_t SSL_CIPHER_get_id(const SSL_CIPHER *c);
int SSL_CIPHER_get_kx_nid(const SSL_CIPHER *c);
const char *SSL_CIPHER_get_name(const SSL_CIPHER *c);
uint16_t SSL_CIPHER_get_protocol_id(const SSL_CIPHER *c);
const char *SSL_CIPHER_get_version(const SSL_CIPHER *c);
int SSL_CIPHER_is_aead(const SSL_CIPHER *c);
const char *SSL_CIPHER_standard_name(const SSL_CIPHER *c);
int SSL_COMP_add_compression_method(int id, COMP_METHOD *cm);
const char *SSL_COMP_get0_name(const SSL_COMP *comp);
struct stack_st_SSL_COMP *SSL_COMP_get_compression_methods(void);
int SSL_COMP_get_id(const SSL_COMP *comp);
const char *SSL_COMP_get_name(const COMP_METHOD *comp);
struct stack_st_SSL_COMP *SSL_COMP_set0_compression_methods(struct stack_st_SSL_COMP *meths);
unsigned int SSL_CONF_CTX_clear_flags(SSL_CONF_CTX *cctx, unsigned int flags);
int SSL_CONF_CTX_finish(SSL_CONF_CTX *cctx);
void SSL_CONF_CTX_free(SSL_CONF_CTX *cctx);
SSL_CONF_CTX *SSL_CONF_CTX_new(void);
int SSL_CONF_CTX_set1_prefix(SSL_CONF_CTX *cctx, const char *pre);
unsigned int SSL_CONF_CTX_set_flags(SSL_CONF_CTX *cctx, unsigned int flags);
void SSL_CONF_CTX_set_ssl(SSL_CONF_CTX *cctx, SSL *ssl);
void SSL_CONF_CTX_set_ssl_ctx(SSL_CONF_CTX *cctx, SSL_CTX *ctx);
int SSL_CONF_cmd(SSL_CONF_CTX *cctx, const char *cmd, const char *value);
int SSL_CONF_cmd_argv(SSL_CONF_CTX *cctx, int *pargc, char ***pargv);
int SSL_CONF_cmd_value_type(SSL_CONF_CTX *cctx, const char *cmd);
int SSL_CTX_SRP_CTX_free(SSL_CTX *ctx);
int SSL_CTX_SRP_CTX_init(SSL_CTX *ctx);
int SSL_CTX_add1_to_CA_list(SSL_CTX *ctx, const X509 *x);
int SSL_CTX_add_client_CA(SSL_CTX *ctx, X509 *x);
int SSL_CTX_add_client_custom_ext(SSL_CTX *ctx, unsigned int ext_type, custom_ext_add_cb add_cb,
				  custom_ext_free_cb free_cb, void *add_arg,
				  custom_ext_parse_cb parse_cb, void *parse_arg);
int SSL_CTX_add_custom_ext(SSL_CTX *ctx, unsigned int ext_type, unsigned int context,
			   SSL_custom_ext_add_cb_ex add_cb, SSL_custom_ext_free_cb_ex free_cb,
			   void *add_arg, SSL_custom_ext_parse_cb_ex parse_cb, void *parse_arg);
int SSL_CTX_add_server_custom_ext(SSL_CTX *ctx, unsigned int ext_type, custom_ext_add_cb add_cb,
				  custom_ext_free_cb free_cb, void *add_arg,
				  custom_ext_parse_cb parse_cb, void *parse_arg);
int SSL_CTX_add_session(SSL_CTX *ctx, SSL_SESSION *session);
long SSL_CTX_callback_ctrl(SSL_CTX *, int, void (*)(void));
int SSL_CTX_check_private_key(const SSL_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
uint64_t SSL_CTX_clear_options(SSL_CTX *ctx, uint64_t op);
int SSL_CTX_config(SSL_CTX *ctx, const char *name);
int SSL_CTX_ct_is_enabled(const SSL_CTX *ctx);
long SSL_CTX_ctrl(SSL_CTX *ctx, int cmd, long larg, void *parg);
unsigned long SSL_CTX_dane_clear_flags(SSL_CTX *ctx, unsigned long flags);
int SSL_CTX_dane_enable(SSL_CTX *ctx);
int SSL_CTX_dane_mtype_set(SSL_CTX *ctx, const EVP_MD *md, uint8_t mtype, uint8_t ord);
unsigned long SSL_CTX_dane_set_flags(SSL_CTX *ctx, unsigned long flags);
int SSL_CTX_enable_ct(SSL_CTX *ctx, int validation_mode);
void SSL_CTX_flush_sessions(SSL_CTX *ctx, long tm);
void SSL_CTX_free(SSL_CTX *);
const struct stack_st_X509_NAME *SSL_CTX_get0_CA_list(const SSL_CTX *ctx);
X509 *SSL_CTX_get0_certificate(const SSL_CTX *ctx);
const CTLOG_STORE *SSL_CTX_get0_ctlog_store(const SSL_CTX *ctx);
X509_VERIFY_PARAM *SSL_CTX_get0_param(SSL_CTX *ctx);
EVP_PKEY *SSL_CTX_get0_privatekey(const SSL_CTX *ctx);
X509_STORE *SSL_CTX_get_cert_store(const SSL_CTX *);
struct stack_st_SSL_CIPHER *SSL_CTX_get_ciphers(const SSL_CTX *ctx);
struct stack_st_X509_NAME *SSL_CTX_get_client_CA_list(const SSL_CTX *s);
int (*SSL_CTX_get_client_cert_cb(SSL_CTX *ctx))(SSL *ssl, X509 **x509, EVP_PKEY **pkey);
pem_password_cb *SSL_CTX_get_default_passwd_cb(SSL_CTX *ctx);
void *SSL_CTX_get_default_passwd_cb_userdata(SSL_CTX *ctx);
void (*SSL_CTX_get_info_callback(SSL_CTX *ctx))(const SSL *ssl, int type, int val);
SSL_CTX_keylog_cb_func SSL_CTX_get_keylog_callback(const SSL_CTX *ctx);
uint32_t SSL_CTX_get_max_early_data(const SSL_CTX *ctx);
size_t SSL_CTX_get_num_tickets(const SSL_CTX *ctx);
uint64_t SSL_CTX_get_options(const SSL_CTX *ctx);
int SSL_CTX_get_quiet_shutdown(const SSL_CTX *ctx);
void *SSL_CTX_get_record_padding_callback_arg(const SSL_CTX *ctx);
uint32_t SSL_CTX_get_recv_max_early_data(const SSL_CTX *ctx);
int (*SSL_CTX_get_security_callback(const SSL_CTX *ctx))(const SSL *s, const SSL_CTX *ctx,
							 int op, int bits, int nid, void *other,
							 void *ex);
int SSL_CTX_get_security_level(const SSL_CTX *ctx);
const SSL_METHOD *SSL_CTX_get_ssl_method(const SSL_CTX *ctx);
long SSL_CTX_get_timeout(const SSL_CTX *ctx);
SSL_verify_cb SSL_CTX_get_verify_callback(const SSL_CTX *ctx);
int SSL_CTX_get_verify_depth(const SSL_CTX *ctx);
int SSL_CTX_get_verify_mode(const SSL_CTX *ctx);
int SSL_CTX_has_client_custom_ext(const SSL_CTX *ctx, unsigned int ext_type);
int SSL_CTX_load_verify_dir(SSL_CTX *ctx, const char *CApath)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_load_verify_file(SSL_CTX *ctx, const char *CAfile)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_load_verify_locations(SSL_CTX *ctx, const char *CAfile, const char *CApath)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_load_verify_store(SSL_CTX *ctx, const char *CAstore)
	__attribute__((annotate("fails(not positive)")));
SSL_CTX *SSL_CTX_new(const SSL_METHOD *meth);
SSL_CTX *SSL_CTX_new_ex(OSSL_LIB_CTX *libctx, const char *propq, const SSL_METHOD *meth);
int SSL_CTX_remove_session(SSL_CTX *ctx, SSL_SESSION *session);
SSL_SESSION *(*SSL_CTX_sess_get_get_cb(SSL_CTX *ctx))(struct ssl_st *ssl,
						      const unsigned char *data, int len,
						      int *copy);
int (*SSL_CTX_sess_get_new_cb(SSL_CTX *ctx))(struct ssl_st *ssl, SSL_SESSION *sess);
void (*SSL_CTX_sess_get_remove_cb(SSL_CTX *ctx))(struct ssl_ctx_st *ctx, SSL_SESSION *sess);
void SSL_CTX_sess_set_get_cb(SSL_CTX *ctx,
			     SSL_SESSION *(*get_session_cb)(struct ssl_st *ssl,
							    const unsigned char *data, int len,
							    int *copy));
void SSL_CTX_sess_set_new_cb(SSL_CTX *ctx,
			     int (*new_session_cb)(struct ssl_st *ssl, SSL_SESSION *sess));
void SSL_CTX_sess_set_remove_cb(SSL_CTX *ctx, void (*remove_session_cb)(struct ssl_ctx_st *ctx,
									SSL_SESSION *sess));
struct lhash_st_SSL_SESSION *SSL_CTX_sessions(SSL_CTX *ctx);
void SSL_CTX_set0_CA_list(SSL_CTX *ctx, struct stack_st_X509_NAME *name_list);
void SSL_CTX_set0_ctlog_store(SSL_CTX *ctx, CTLOG_STORE *logs);
int SSL_CTX_set0_tmp_dh_pkey(SSL_CTX *ctx, EVP_PKEY *dhpkey);
void SSL_CTX_set1_cert_store(SSL_CTX *, X509_STORE *);
int SSL_CTX_set1_param(SSL_CTX *ctx, X509_VERIFY_PARAM *vpm)
	__attribute__((annotate("fails(not positive)")));
void SSL_CTX_set_allow_early_data_cb(SSL_CTX *ctx, SSL_allow_early_data_cb_fn cb, void *arg);
int SSL_CTX_set_alpn_protos(SSL_CTX *ctx, const unsigned char *protos, unsigned int protos_len);
void SSL_CTX_set_alpn_select_cb(SSL_CTX *ctx, SSL_CTX_alpn_select_cb_func cb, void *arg);
int SSL_CTX_set_async_callback(SSL_CTX *ctx, SSL_async_callback_fn callback);
int SSL_CTX_set_async_callback_arg(SSL_CTX *ctx, void *arg);
int SSL_CTX_set_block_padding(SSL_CTX *ctx, size_t block_size);
void SSL_CTX_set_cert_cb(SSL_CTX *c, int (*cb)(SSL *ssl, void *arg), void *arg);
void SSL_CTX_set_cert_store(SSL_CTX *, X509_STORE *);
void SSL_CTX_set_cert_verify_callback(SSL_CTX *ctx, int (*cb)(X509_STORE_CTX *, void *),
				      void *arg);
int SSL_CTX_set_cipher_list(SSL_CTX *, const char *str)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_ciphersuites(SSL_CTX *ctx, const char *str)
	__attribute__((annotate("fails(not positive)")));
void SSL_CTX_set_client_CA_list(SSL_CTX *ctx, struct stack_st_X509_NAME *name_list);
void SSL_CTX_set_client_cert_cb(SSL_CTX *ctx,
				int (*client_cert_cb)(SSL *ssl, X509 **x509, EVP_PKEY **pkey));
int SSL_CTX_set_client_cert_engine(SSL_CTX *ctx, ENGINE *e);
void SSL_CTX_set_client_hello_cb(SSL_CTX *c, SSL_client_hello_cb_fn cb, void *arg);
void SSL_CTX_set_cookie_generate_cb(SSL_CTX *ctx,
				    int (*app_gen_cookie_cb)(SSL *ssl, unsigned char *cookie,
							     unsigned int *cookie_len));
void SSL_CTX_set_cookie_verify_cb(SSL_CTX *ctx,
				  int (*app_verify_cookie_cb)(SSL *ssl,
							      const unsigned char *cookie,
							      unsigned int cookie_len));
int SSL_CTX_set_ct_validation_callback(SSL_CTX *ctx, ssl_ct_validation_cb callback, void *arg);
int SSL_CTX_set_ctlog_list_file(SSL_CTX *ctx, const char *path);
int SSL_CTX_set_default_ctlog_list_file(SSL_CTX *ctx);
void SSL_CTX_set_default_passwd_cb(SSL_CTX *ctx, pem_password_cb *cb);
void SSL_CTX_set_default_passwd_cb_userdata(SSL_CTX *ctx, void *u);
void SSL_CTX_set_default_read_buffer_len(SSL_CTX *ctx, size_t len);
int SSL_CTX_set_default_verify_dir(SSL_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_default_verify_file(SSL_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_default_verify_paths(SSL_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_default_verify_store(SSL_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_generate_session_id(SSL_CTX *ctx, GEN_SESSION_CB cb);
void SSL_CTX_set_info_callback(SSL_CTX *ctx, void (*cb)(const SSL *ssl, int type, int val));
void SSL_CTX_set_keylog_callback(SSL_CTX *ctx, SSL_CTX_keylog_cb_func cb);
int SSL_CTX_set_max_early_data(SSL_CTX *ctx, uint32_t max_early_data);
void SSL_CTX_set_msg_callback(SSL_CTX *ctx,
			      void (*cb)(int write_p, int version, int content_type,
					 const void *buf, size_t len, SSL *ssl, void *arg));
void SSL_CTX_set_next_proto_select_cb(SSL_CTX *s, SSL_CTX_npn_select_cb_func cb, void *arg);
void SSL_CTX_set_next_protos_advertised_cb(SSL_CTX *s, SSL_CTX_npn_advertised_cb_func cb,
					   void *arg);
void SSL_CTX_set_not_resumable_session_callback(SSL_CTX *ctx,
						int (*cb)(SSL *ssl, int is_forward_secure));
int SSL_CTX_set_num_tickets(SSL_CTX *ctx, size_t num_tickets)
	__attribute__((annotate("fails(not positive)")));
uint64_t SSL_CTX_set_options(SSL_CTX *ctx, uint64_t op);
void SSL_CTX_set_post_handshake_auth(SSL_CTX *ctx, int val);
void SSL_CTX_set_psk_client_callback(SSL_CTX *ctx, SSL_psk_client_cb_func cb);
void SSL_CTX_set_psk_find_session_callback(SSL_CTX *ctx, SSL_psk_find_session_cb_func cb);
void SSL_CTX_set_psk_server_callback(SSL_CTX *ctx, SSL_psk_server_cb_func cb);
void SSL_CTX_set_psk_use_session_callback(SSL_CTX *ctx, SSL_psk_use_session_cb_func cb);
int SSL_CTX_set_purpose(SSL_CTX *ctx, int purpose);
void SSL_CTX_set_quiet_shutdown(SSL_CTX *ctx, int mode);
void SSL_CTX_set_record_padding_callback(SSL_CTX *ctx, size_t (*cb)(SSL *ssl, int type,
								    size_t len, void *arg));
void SSL_CTX_set_record_padding_callback_arg(SSL_CTX *ctx, void *arg);
int SSL_CTX_set_recv_max_early_data(SSL_CTX *ctx, uint32_t recv_max_early_data);
void SSL_CTX_set_security_callback(SSL_CTX *ctx,
				   int (*cb)(const SSL *s, const SSL_CTX *ctx, int op, int bits,
					     int nid, void *other, void *ex));
void SSL_CTX_set_security_level(SSL_CTX *ctx, int level);
int SSL_CTX_set_session_id_context(SSL_CTX *ctx, const unsigned char *sid_ctx,
				   unsigned int sid_ctx_len)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_set_session_ticket_cb(SSL_CTX *ctx, SSL_CTX_generate_session_ticket_fn gen_cb,
				  SSL_CTX_decrypt_session_ticket_fn dec_cb, void *arg);
int SSL_CTX_set_srp_cb_arg(SSL_CTX *ctx, void *arg);
int SSL_CTX_set_srp_client_pwd_callback(SSL_CTX *ctx, char *(*cb)(SSL *, void *));
int SSL_CTX_set_srp_password(SSL_CTX *ctx, char *password);
int SSL_CTX_set_srp_strength(SSL_CTX *ctx, int strength);
int SSL_CTX_set_srp_username(SSL_CTX *ctx, char *name);
int SSL_CTX_set_srp_username_callback(SSL_CTX *ctx, int (*cb)(SSL *, int *, void *));
int SSL_CTX_set_srp_verify_param_callback(SSL_CTX *ctx, int (*cb)(SSL *, void *));
int SSL_CTX_set_ssl_version(SSL_CTX *ctx, const SSL_METHOD *meth);
void SSL_CTX_set_stateless_cookie_generate_cb(
	SSL_CTX *ctx,
	int (*gen_stateless_cookie_cb)(SSL *ssl, unsigned char *cookie, size_t *cookie_len));
void SSL_CTX_set_stateless_cookie_verify_cb(
	SSL_CTX *ctx, int (*verify_stateless_cookie_cb)(SSL *ssl, const unsigned char *cookie,
							size_t cookie_len));
long SSL_CTX_set_timeout(SSL_CTX *ctx, long t);
int SSL_CTX_set_tlsext_max_fragment_length(SSL_CTX *ctx, uint8_t mode);
int SSL_CTX_set_tlsext_ticket_key_evp_cb(SSL_CTX *ctx,
					 int (*fp)(SSL *, unsigned char *, unsigned char *,
						   EVP_CIPHER_CTX *, EVP_MAC_CTX *, int));
int SSL_CTX_set_tlsext_use_srtp(SSL_CTX *ctx, const char *profiles);
void SSL_CTX_set_tmp_dh_callback(SSL_CTX *ctx,
				 DH *(*dh)(SSL *ssl, int is_export, int keylength));
int SSL_CTX_set_trust(SSL_CTX *ctx, int trust);
void SSL_CTX_set_verify(SSL_CTX *ctx, int mode, SSL_verify_cb callback);
void SSL_CTX_set_verify_depth(SSL_CTX *ctx, int depth);
int SSL_CTX_up_ref(SSL_CTX *ctx);
int SSL_CTX_use_PrivateKey(SSL_CTX *ctx, EVP_PKEY *pkey)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_PrivateKey_ASN1(int pk, SSL_CTX *ctx, const unsigned char *d, long len)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_PrivateKey_file(SSL_CTX *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_RSAPrivateKey(SSL_CTX *ctx, RSA *rsa)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_RSAPrivateKey_ASN1(SSL_CTX *ctx, const unsigned char *d, long len)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_RSAPrivateKey_file(SSL_CTX *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_cert_and_key(SSL_CTX *ctx, X509 *x509, EVP_PKEY *privatekey,
			     struct stack_st_X509 *chain, int override)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_certificate(SSL_CTX *ctx, X509 *x)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_certificate_ASN1(SSL_CTX *ctx, int len, const unsigned char *d)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_certificate_chain_file(SSL_CTX *ctx, const char *file)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_certificate_file(SSL_CTX *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_psk_identity_hint(SSL_CTX *ctx, const char *identity_hint)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_serverinfo(SSL_CTX *ctx, const unsigned char *serverinfo,
			   size_t serverinfo_length)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_serverinfo_ex(SSL_CTX *ctx, unsigned int version,
			      const unsigned char *serverinfo, size_t serverinfo_length)
	__attribute__((annotate("fails(not positive)")));
int SSL_CTX_use_serverinfo_file(SSL_CTX *ctx, const char *file)
	__attribute__((annotate("fails(not positive)")));
SSL_SESSION *SSL_SESSION_dup(const SSL_SESSION *src);
void SSL_SESSION_free(SSL_SESSION *ses);
void SSL_SESSION_get0_alpn_selected(const SSL_SESSION *s, const unsigned char **alpn,
				    size_t *len);
const SSL_CIPHER *SSL_SESSION_get0_cipher(const SSL_SESSION *s);
const char *SSL_SESSION_get0_hostname(const SSL_SESSION *s);
const unsigned char *SSL_SESSION_get0_id_context(const SSL_SESSION *s, unsigned int *len);
X509 *SSL_SESSION_get0_peer(SSL_SESSION *s);
void SSL_SESSION_get0_ticket(const SSL_SESSION *s, const unsigned char **tick, size_t *len);
int SSL_SESSION_get0_ticket_appdata(SSL_SESSION *ss, void **data, size_t *len);
unsigned int SSL_SESSION_get_compress_id(const SSL_SESSION *s);
const unsigned char *SSL_SESSION_get_id(const SSL_SESSION *s, unsigned int *len);
size_t SSL_SESSION_get_master_key(const SSL_SESSION *sess, unsigned char *out, size_t outlen);
uint32_t SSL_SESSION_get_max_early_data(const SSL_SESSION *s);
uint8_t SSL_SESSION_get_max_fragment_length(const SSL_SESSION *sess);
int SSL_SESSION_get_protocol_version(const SSL_SESSION *s);
unsigned long SSL_SESSION_get_ticket_lifetime_hint(const SSL_SESSION *s);
long SSL_SESSION_get_time(const SSL_SESSION *s);
long SSL_SESSION_get_timeout(const SSL_SESSION *s);
int SSL_SESSION_has_ticket(const SSL_SESSION *s);
int SSL_SESSION_is_resumable(const SSL_SESSION *s);
SSL_SESSION *SSL_SESSION_new(void);
int SSL_SESSION_print(BIO *fp, const SSL_SESSION *ses);
int SSL_SESSION_print_fp(FILE *fp, const SSL_SESSION *ses);
int SSL_SESSION_print_keylog(BIO *bp, const SSL_SESSION *x);
int SSL_SESSION_set1_alpn_selected(SSL_SESSION *s, const unsigned char *alpn, size_t len);
int SSL_SESSION_set1_hostname(SSL_SESSION *s, const char *hostname);
int SSL_SESSION_set1_id(SSL_SESSION *s, const unsigned char *sid, unsigned int sid_len);
int SSL_SESSION_set1_id_context(SSL_SESSION *s, const unsigned char *sid_ctx,
				unsigned int sid_ctx_len);
int SSL_SESSION_set1_master_key(SSL_SESSION *sess, const unsigned char *in, size_t len);
int SSL_SESSION_set1_ticket_appdata(SSL_SESSION *ss, const void *data, size_t len);
int SSL_SESSION_set_cipher(SSL_SESSION *s, const SSL_CIPHER *cipher);
int SSL_SESSION_set_max_early_data(SSL_SESSION *s, uint32_t max_early_data);
int SSL_SESSION_set_protocol_version(SSL_SESSION *s, int version);
long SSL_SESSION_set_time(SSL_SESSION *s, long t);
long SSL_SESSION_set_timeout(SSL_SESSION *s, long t);
int SSL_SESSION_up_ref(SSL_SESSION *ses);
int SSL_SRP_CTX_free(SSL *ctx);
int SSL_SRP_CTX_init(SSL *s);
int SSL_accept(SSL *ssl) __attribute__((annotate("fails(not positive)")));
int SSL_add1_host(SSL *s, const char *hostname)
	__attribute__((annotate("fails(not positive)")));
int SSL_add1_to_CA_list(SSL *ssl, const X509 *x);
int SSL_add_client_CA(SSL *ssl, X509 *x);
int SSL_add_dir_cert_subjects_to_stack(struct stack_st_X509_NAME *stackCAs, const char *dir);
int SSL_add_file_cert_subjects_to_stack(struct stack_st_X509_NAME *stackCAs, const char *file);
void SSL_add_ssl_module(void);
int SSL_add_store_cert_subjects_to_stack(struct stack_st_X509_NAME *stackCAs, const char *uri);
const char *SSL_alert_desc_string(int value);
const char *SSL_alert_desc_string_long(int value);
const char *SSL_alert_type_string(int value);
const char *SSL_alert_type_string_long(int value);
int SSL_alloc_buffers(SSL *ssl);
int SSL_bytes_to_cipher_list(SSL *s, const unsigned char *bytes, size_t len, int isv2format,
			     struct stack_st_SSL_CIPHER **sk,
			     struct stack_st_SSL_CIPHER **scsvs);
long SSL_callback_ctrl(SSL *, int, void (*)(void));
void SSL_certs_clear(SSL *s);
int SSL_check_chain(SSL *s, X509 *x, EVP_PKEY *pk, struct stack_st_X509 *chain);
int SSL_check_private_key(const SSL *ctx) __attribute__((annotate("fails(not positive)")));
int SSL_clear(SSL *s) __attribute__((annotate("fails(not positive)")));
uint64_t SSL_clear_options(SSL *s, uint64_t op);
size_t SSL_client_hello_get0_ciphers(SSL *s, const unsigned char **out);
size_t SSL_client_hello_get0_compression_methods(SSL *s, const unsigned char **out);
int SSL_client_hello_get0_ext(SSL *s, unsigned int type, const unsigned char **out,
			      size_t *outlen);
unsigned int SSL_client_hello_get0_legacy_version(SSL *s);
size_t SSL_client_hello_get0_random(SSL *s, const unsigned char **out);
size_t SSL_client_hello_get0_session_id(SSL *s, const unsigned char **out);
int SSL_client_hello_get1_extensions_present(SSL *s, int **out, size_t *outlen);
int SSL_client_hello_isv2(SSL *s);
int SSL_client_version(const SSL *s);
int SSL_config(SSL *s, const char *name);
int SSL_connect(SSL *ssl) __attribute__((annotate("fails(not positive)")));
int SSL_copy_session_id(SSL *to, const SSL *from);
int SSL_ct_is_enabled(const SSL *s);
long SSL_ctrl(SSL *ssl, int cmd, long larg, void *parg);
unsigned long SSL_dane_clear_flags(SSL *ssl, unsigned long flags);
int SSL_dane_enable(SSL *s, const char *basedomain);
unsigned long SSL_dane_set_flags(SSL *ssl, unsigned long flags);
int SSL_dane_tlsa_add(SSL *s, uint8_t usage, uint8_t selector, uint8_t mtype,
		      const unsigned char *data, size_t dlen);
int SSL_do_handshake(SSL *s) __attribute__((annotate("fails(not positive)")));
SSL *SSL_dup(SSL *ssl);
struct stack_st_X509_NAME *SSL_dup_CA_list(const struct stack_st_X509_NAME *sk);
int SSL_enable_ct(SSL *s, int validation_mode);
int SSL_export_keying_material(SSL *s, unsigned char *out, size_t olen, const char *label,
			       size_t llen, const unsigned char *context, size_t contextlen,
			       int use_context)
	__attribute__((annotate("fails(not positive)")));
int SSL_export_keying_material_early(SSL *s, unsigned char *out, size_t olen, const char *label,
				     size_t llen, const unsigned char *context,
				     size_t contextlen);
int SSL_extension_supported(unsigned int ext_type);
void SSL_free(SSL *ssl);
int SSL_free_buffers(SSL *ssl);
const struct stack_st_X509_NAME *SSL_get0_CA_list(const SSL *s);
void SSL_get0_alpn_selected(const SSL *ssl, const unsigned char **data, unsigned int *len);
SSL_DANE *SSL_get0_dane(SSL *ssl);
int SSL_get0_dane_authority(SSL *s, X509 **mcert, EVP_PKEY **mspki);
int SSL_get0_dane_tlsa(SSL *s, uint8_t *usage, uint8_t *selector, uint8_t *mtype,
		       const unsigned char **data, size_t *dlen);
void SSL_get0_next_proto_negotiated(const SSL *s, const unsigned char **data, unsigned *len);
X509_VERIFY_PARAM *SSL_get0_param(SSL *ssl);
const struct stack_st_X509_NAME *SSL_get0_peer_CA_list(const SSL *s);
X509 *SSL_get0_peer_certificate(const SSL *s);
const struct stack_st_SCT *SSL_get0_peer_scts(SSL *s);
const char *SSL_get0_peername(SSL *s);
struct stack_st_X509 *SSL_get0_verified_chain(const SSL *s);
X509 *SSL_get1_peer_certificate(const SSL *s);
SSL_SESSION *SSL_get1_session(SSL *ssl);
struct stack_st_SSL_CIPHER *SSL_get1_supported_ciphers(SSL *s);
SSL_CTX *SSL_get_SSL_CTX(const SSL *ssl);
int SSL_get_all_async_fds(SSL *s, int *fds, size_t *numfds);
int SSL_get_async_status(SSL *s, int *status);
X509 *SSL_get_certificate(const SSL *ssl);
int SSL_get_changed_async_fds(SSL *s, int *addfd, size_t *numaddfds, int *delfd,
			      size_t *numdelfds);
const char *SSL_get_cipher_list(const SSL *s, int n);
struct stack_st_SSL_CIPHER *SSL_get_ciphers(const SSL *s);
struct stack_st_X509_NAME *SSL_get_client_CA_list(const SSL *s);
struct stack_st_SSL_CIPHER *SSL_get_client_ciphers(const SSL *s);
size_t SSL_get_client_random(const SSL *ssl, unsigned char *out, size_t outlen);
const SSL_CIPHER *SSL_get_current_cipher(const SSL *s);
const COMP_METHOD *SSL_get_current_compression(const SSL *s);
const COMP_METHOD *SSL_get_current_expansion(const SSL *s);
pem_password_cb *SSL_get_default_passwd_cb(SSL *s);
void *SSL_get_default_passwd_cb_userdata(SSL *s);
long SSL_get_default_timeout(const SSL *s);
int SSL_get_early_data_status(const SSL *s);
int SSL_get_error(const SSL *s, int ret_code);
int SSL_get_fd(const SSL *s);
size_t SSL_get_finished(const SSL *s, void *buf, size_t count);
void (*SSL_get_info_callback(const SSL *ssl))(const SSL *ssl, int type, int val);
int SSL_get_key_update_type(const SSL *s);
uint32_t SSL_get_max_early_data(const SSL *s);
size_t SSL_get_num_tickets(const SSL *s);
uint64_t SSL_get_options(const SSL *s);
struct stack_st_X509 *SSL_get_peer_cert_chain(const SSL *s);
size_t SSL_get_peer_finished(const SSL *s, void *buf, size_t count);
int SSL_get_peer_signature_type_nid(const SSL *s, int *pnid);
const SSL_CIPHER *SSL_get_pending_cipher(const SSL *s);
struct evp_pkey_st *SSL_get_privatekey(const SSL *ssl);
const char *SSL_get_psk_identity(const SSL *s);
const char *SSL_get_psk_identity_hint(const SSL *s);
int SSL_get_quiet_shutdown(const SSL *ssl);
BIO *SSL_get_rbio(const SSL *s);
int SSL_get_read_ahead(const SSL *s);
void *SSL_get_record_padding_callback_arg(const SSL *ssl);
uint32_t SSL_get_recv_max_early_data(const SSL *s);
int SSL_get_rfd(const SSL *s);
int (*SSL_get_security_callback(const SSL *s))(const SSL *s, const SSL_CTX *ctx, int op,
					       int bits, int nid, void *other, void *ex);
int SSL_get_security_level(const SSL *s);
SRTP_PROTECTION_PROFILE *SSL_get_selected_srtp_profile(SSL *s);
size_t SSL_get_server_random(const SSL *ssl, unsigned char *out, size_t outlen);
const char *SSL_get_servername(const SSL *s, const int type);
int SSL_get_servername_type(const SSL *s);
SSL_SESSION *SSL_get_session(const SSL *ssl);
char *SSL_get_shared_ciphers(const SSL *s, char *buf, int size);
int SSL_get_shared_sigalgs(SSL *s, int idx, int *psign, int *phash, int *psignandhash,
			   unsigned char *rsig, unsigned char *rhash);
int SSL_get_shutdown(const SSL *ssl);
int SSL_get_sigalgs(SSL *s, int idx, int *psign, int *phash, int *psignandhash,
		    unsigned char *rsig, unsigned char *rhash);
int SSL_get_signature_type_nid(const SSL *s, int *pnid);
BIGNUM *SSL_get_srp_N(SSL *s);
BIGNUM *SSL_get_srp_g(SSL *s);
char *SSL_get_srp_userinfo(SSL *s);
char *SSL_get_srp_username(SSL *s);
struct stack_st_SRTP_PROTECTION_PROFILE *SSL_get_srtp_profiles(SSL *ssl);
const SSL_METHOD *SSL_get_ssl_method(const SSL *s);
OSSL_HANDSHAKE_STATE SSL_get_state(const SSL *ssl);
SSL_verify_cb SSL_get_verify_callback(const SSL *s);
int SSL_get_verify_depth(const SSL *s);
int SSL_get_verify_mode(const SSL *s);
long SSL_get_verify_result(const SSL *ssl);
const char *SSL_get_version(const SSL *s);
BIO *SSL_get_wbio(const SSL *s);
int SSL_get_wfd(const SSL *s);
const char *SSL_group_to_name(SSL *s, int id);
int SSL_has_matching_session_id(const SSL *s, const unsigned char *id, unsigned int id_len);
int SSL_has_pending(const SSL *s);
int SSL_in_before(const SSL *s);
int SSL_in_init(const SSL *s);
int SSL_is_dtls(const SSL *s);
int SSL_is_init_finished(const SSL *s);
int SSL_is_server(const SSL *s);
int SSL_key_update(SSL *s, int updatetype) __attribute__((annotate("fails(not positive)")));
struct stack_st_X509_NAME *SSL_load_client_CA_file(const char *file);
struct stack_st_X509_NAME *SSL_load_client_CA_file_ex(const char *file, OSSL_LIB_CTX *libctx,
						      const char *propq);
SSL *SSL_new(SSL_CTX *ctx);
int SSL_new_session_ticket(SSL *s);
int SSL_peek(SSL *ssl, void *buf, int num) __attribute__((access(write_only, 2)))
__attribute__((annotate("returns(count,2)")))
__attribute__((annotate("fails(not positive)")));
int SSL_peek_ex(SSL *ssl, void *buf, size_t num, size_t *readbytes)
	__attribute__((annotate("fails(not positive)")));
int SSL_pending(const SSL *s);
int SSL_read(SSL *ssl, void *buf, int num) __attribute__((access(write_only, 2)))
__attribute__((annotate("returns(count,2)")))
__attribute__((annotate("fails(not positive)")));
int SSL_read_early_data(SSL *s, void *buf, size_t num, size_t *readbytes);
int SSL_read_ex(SSL *ssl, void *buf, size_t num, size_t *readbytes)
	__attribute__((annotate("fails(not positive)")));
int SSL_renegotiate(SSL *s) __attribute__((annotate("fails(not positive)")));
int SSL_renegotiate_abbreviated(SSL *s);
int SSL_renegotiate_pending(const SSL *s);
const char *SSL_rstate_string(const SSL *s);
const char *SSL_rstate_string_long(const SSL *s);
int SSL_select_next_proto(unsigned char **out, unsigned char *outlen, const unsigned char *in,
			  unsigned int inlen, const unsigned char *client,
			  unsigned int client_len);
ssize_t SSL_sendfile(SSL *s, int fd, off_t offset, size_t size, int flags);
int SSL_session_reused(const SSL *s);
void SSL_set0_CA_list(SSL *s, struct stack_st_X509_NAME *name_list);
void SSL_set0_rbio(SSL *s, BIO *rbio);
int SSL_set0_tmp_dh_pkey(SSL *s, EVP_PKEY *dhpkey);
void SSL_set0_wbio(SSL *s, BIO *wbio);
int SSL_set1_host(SSL *s, const char *hostname)
	__attribute__((annotate("fails(not positive)")));
int SSL_set1_param(SSL *ssl, X509_VERIFY_PARAM *vpm);
SSL_CTX *SSL_set_SSL_CTX(SSL *ssl, SSL_CTX *ctx);
void SSL_set_accept_state(SSL *s);
void SSL_set_allow_early_data_cb(SSL *s, SSL_allow_early_data_cb_fn cb, void *arg);
int SSL_set_alpn_protos(SSL *ssl, const unsigned char *protos, unsigned int protos_len);
int SSL_set_async_callback(SSL *s, SSL_async_callback_fn callback);
int SSL_set_async_callback_arg(SSL *s, void *arg);
void SSL_set_bio(SSL *s, BIO *rbio, BIO *wbio);
int SSL_set_block_padding(SSL *ssl, size_t block_size);
void SSL_set_cert_cb(SSL *s, int (*cb)(SSL *ssl, void *arg), void *arg);
int SSL_set_cipher_list(SSL *s, const char *str)
	__attribute__((annotate("fails(not positive)")));
int SSL_set_ciphersuites(SSL *s, const char *str)
	__attribute__((annotate("fails(not positive)")));
void SSL_set_client_CA_list(SSL *s, struct stack_st_X509_NAME *name_list);
void SSL_set_connect_state(SSL *s);
int SSL_set_ct_validation_callback(SSL *s, ssl_ct_validation_cb callback, void *arg);
void SSL_set_debug(SSL *s, int debug);
void SSL_set_default_passwd_cb(SSL *s, pem_password_cb *cb);
void SSL_set_default_passwd_cb_userdata(SSL *s, void *u);
void SSL_set_default_read_buffer_len(SSL *s, size_t len);
int SSL_set_fd(SSL *s, int fd) __attribute__((annotate("fails(not positive)")));
int SSL_set_generate_session_id(SSL *s, GEN_SESSION_CB cb);
void SSL_set_hostflags(SSL *s, unsigned int flags);
void SSL_set_info_callback(SSL *ssl, void (*cb)(const SSL *ssl, int type, int val));
int SSL_set_max_early_data(SSL *s, uint32_t max_early_data);
void SSL_set_msg_callback(SSL *ssl,
			  void (*cb)(int write_p, int version, int content_type,
				     const void *buf, size_t len, SSL *ssl, void *arg));
void SSL_set_not_resumable_session_callback(SSL *ssl,
					    int (*cb)(SSL *ssl, int is_forward_secure));
int SSL_set_num_tickets(SSL *s, size_t num_tickets);
uint64_t SSL_set_options(SSL *s, uint64_t op);
void SSL_set_post_handshake_auth(SSL *s, int val);
void SSL_set_psk_client_callback(SSL *ssl, SSL_psk_client_cb_func cb);
void SSL_set_psk_find_session_callback(SSL *s, SSL_psk_find_session_cb_func cb);
void SSL_set_psk_server_callback(SSL *ssl, SSL_psk_server_cb_func cb);
void SSL_set_psk_use_session_callback(SSL *s, SSL_psk_use_session_cb_func cb);
int SSL_set_purpose(SSL *ssl, int purpose);
void SSL_set_quiet_shutdown(SSL *ssl, int mode);
void SSL_set_read_ahead(SSL *s, int yes);
int SSL_set_record_padding_callback(SSL *ssl,
				    size_t (*cb)(SSL *ssl, int type, size_t len, void *arg));
void SSL_set_record_padding_callback_arg(SSL *ssl, void *arg);
int SSL_set_recv_max_early_data(SSL *s, uint32_t recv_max_early_data);
int SSL_set_rfd(SSL *s, int fd) __attribute__((annotate("fails(not positive)")));
void SSL_set_security_callback(SSL *s, int (*cb)(const SSL *s, const SSL_CTX *ctx, int op,
						 int bits, int nid, void *other, void *ex));
void SSL_set_security_level(SSL *s, int level);
int SSL_set_session(SSL *to, SSL_SESSION *session)
	__attribute__((annotate("fails(not positive)")));
int SSL_set_session_id_context(SSL *ssl, const unsigned char *sid_ctx,
			       unsigned int sid_ctx_len);
int SSL_set_session_secret_cb(SSL *s, tls_session_secret_cb_fn session_secret_cb, void *arg);
int SSL_set_session_ticket_ext(SSL *s, void *ext_data, int ext_len);
int SSL_set_session_ticket_ext_cb(SSL *s, tls_session_ticket_ext_cb_fn cb, void *arg);
void SSL_set_shutdown(SSL *ssl, int mode);
int SSL_set_srp_server_param(SSL *s, const BIGNUM *N, const BIGNUM *g, BIGNUM *sa, BIGNUM *v,
			     char *info);
int SSL_set_srp_server_param_pw(SSL *s, const char *user, const char *pass, const char *grp);
int SSL_set_ssl_method(SSL *s, const SSL_METHOD *method);
int SSL_set_tlsext_max_fragment_length(SSL *ssl, uint8_t mode);
int SSL_set_tlsext_use_srtp(SSL *ssl, const char *profiles);
void SSL_set_tmp_dh_callback(SSL *ssl, DH *(*dh)(SSL *ssl, int is_export, int keylength));
int SSL_set_trust(SSL *ssl, int trust);
void SSL_set_verify(SSL *s, int mode, SSL_verify_cb callback);
void SSL_set_verify_depth(SSL *s, int depth);
void SSL_set_verify_result(SSL *ssl, long v);
int SSL_set_wfd(SSL *s, int fd) __attribute__((annotate("fails(not positive)")));
int SSL_shutdown(SSL *s);
int SSL_srp_server_param_with_username(SSL *s, int *ad);
const char *SSL_state_string(const SSL *s);
const char *SSL_state_string_long(const SSL *s);
int SSL_stateless(SSL *s);
const struct openssl_ssl_test_functions *SSL_test_functions(void);
void SSL_trace(int write_p, int version, int content_type, const void *buf, size_t len,
	       SSL *ssl, void *arg);
int SSL_up_ref(SSL *s);
int SSL_use_PrivateKey(SSL *ssl, EVP_PKEY *pkey)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_PrivateKey_ASN1(int pk, SSL *ssl, const unsigned char *d, long len)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_PrivateKey_file(SSL *ssl, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_RSAPrivateKey(SSL *ssl, RSA *rsa) __attribute__((annotate("fails(not positive)")));
int SSL_use_RSAPrivateKey_ASN1(SSL *ssl, const unsigned char *d, long len)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_RSAPrivateKey_file(SSL *ssl, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_cert_and_key(SSL *ssl, X509 *x509, EVP_PKEY *privatekey,
			 struct stack_st_X509 *chain, int override)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_certificate(SSL *ssl, X509 *x) __attribute__((annotate("fails(not positive)")));
int SSL_use_certificate_ASN1(SSL *ssl, const unsigned char *d, int len)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_certificate_chain_file(SSL *ssl, const char *file)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_certificate_file(SSL *ssl, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int SSL_use_psk_identity_hint(SSL *s, const char *identity_hint)
	__attribute__((annotate("fails(not positive)")));
int SSL_verify_client_post_handshake(SSL *s) __attribute__((annotate("fails(not positive)")));
int SSL_version(const SSL *ssl);
int SSL_waiting_for_async(SSL *s);
int SSL_want(const SSL *s);
int SSL_write(SSL *ssl, const void *buf, int num) __attribute__((access(read_only, 2, 3)))
__attribute__((annotate("fails(not positive)")));
int SSL_write_early_data(SSL *s, const void *buf, size_t num, size_t *written);
int SSL_write_ex(SSL *s, const void *buf, size_t num, size_t *written)
	__attribute__((access(read_only, 2, 3)))
	__attribute__((annotate("fails(not positive)")));
void TLS_FEATURE_free(TLS_FEATURE *a);
TLS_FEATURE *TLS_FEATURE_new(void);
const SSL_METHOD *TLS_client_method(void);
const SSL_METHOD *TLS_method(void);
const SSL_METHOD *TLS_server_method(void);
const SSL_METHOD *TLSv1_1_client_method(void);
const SSL_METHOD *TLSv1_1_method(void);
const SSL_METHOD *TLSv1_1_server_method(void);
const SSL_METHOD *TLSv1_2_client_method(void);
const SSL_METHOD *TLSv1_2_method(void);
const SSL_METHOD *TLSv1_2_server_method(void);
const SSL_METHOD *TLSv1_client_method(void);
const SSL_METHOD *TLSv1_method(void);
const SSL_METHOD *TLSv1_server_method(void);
void X509_CINF_free(X509_CINF *a);
X509_CINF *X509_CINF_new(void);
void X509_CRL_INFO_free(X509_CRL_INFO *a);
X509_CRL_INFO *X509_CRL_INFO_new(void);
int X509_CRL_add0_revoked(X509_CRL *crl, X509_REVOKED *rev);
int X509_CRL_add1_ext_i2d(X509_CRL *x, int nid, void *value, int crit, unsigned long flags);
int X509_CRL_add_ext(X509_CRL *x, X509_EXTENSION *ex, int loc);
int X509_CRL_check_suiteb(X509_CRL *crl, EVP_PKEY *pk, unsigned long flags);
int X509_CRL_cmp(const X509_CRL *a, const X509_CRL *b);
X509_EXTENSION *X509_CRL_delete_ext(X509_CRL *x, int loc);
X509_CRL *X509_CRL_diff(X509_CRL *base, X509_CRL *newer, EVP_PKEY *skey, const EVP_MD *md,
			unsigned int flags);
int X509_CRL_digest(const X509_CRL *data, const EVP_MD *type, unsigned char *md,
		    unsigned int *len) __attribute__((annotate("fails(not positive)")));
X509_CRL *X509_CRL_dup(const X509_CRL *a);
void X509_CRL_free(X509_CRL *a);
int X509_CRL_get0_by_cert(X509_CRL *crl, X509_REVOKED **ret, X509 *x);
int X509_CRL_get0_by_serial(X509_CRL *crl, X509_REVOKED **ret, const ASN1_INTEGER *serial);
const struct stack_st_X509_EXTENSION *X509_CRL_get0_extensions(const X509_CRL *crl);
const ASN1_TIME *X509_CRL_get0_lastUpdate(const X509_CRL *crl);
const ASN1_TIME *X509_CRL_get0_nextUpdate(const X509_CRL *crl);
void X509_CRL_get0_signature(const X509_CRL *crl, const ASN1_BIT_STRING **psig,
			     const X509_ALGOR **palg);
struct stack_st_X509_REVOKED *X509_CRL_get_REVOKED(X509_CRL *crl);
X509_EXTENSION *X509_CRL_get_ext(const X509_CRL *x, int loc);
int X509_CRL_get_ext_by_NID(const X509_CRL *x, int nid, int lastpos);
int X509_CRL_get_ext_by_OBJ(const X509_CRL *x, const ASN1_OBJECT *obj, int lastpos);
int X509_CRL_get_ext_by_critical(const X509_CRL *x, int crit, int lastpos);
int X509_CRL_get_ext_count(const X509_CRL *x);
void *X509_CRL_get_ext_d2i(const X509_CRL *x, int nid, int *crit, int *idx);
X509_NAME *X509_CRL_get_issuer(const X509_CRL *crl);
ASN1_TIME *X509_CRL_get_lastUpdate(X509_CRL *crl);
ASN1_TIME *X509_CRL_get_nextUpdate(X509_CRL *crl);
int X509_CRL_get_signature_nid(const X509_CRL *crl);
long X509_CRL_get_version(const X509_CRL *crl);
X509_CRL *X509_CRL_load_http(const char *url, BIO *bio, BIO *rbio, int timeout);
int X509_CRL_match(const X509_CRL *a, const X509_CRL *b);
X509_CRL *X509_CRL_new(void);
X509_CRL *X509_CRL_new_ex(OSSL_LIB_CTX *libctx, const char *propq);
int X509_CRL_print(BIO *bp, X509_CRL *x);
int X509_CRL_print_ex(BIO *out, X509_CRL *x, unsigned long nmflag);
int X509_CRL_print_fp(FILE *bp, X509_CRL *x);
int X509_CRL_set1_lastUpdate(X509_CRL *x, const ASN1_TIME *tm);
int X509_CRL_set1_nextUpdate(X509_CRL *x, const ASN1_TIME *tm);
void X509_CRL_set_default_method(const X509_CRL_METHOD *meth);
int X509_CRL_set_issuer_name(X509_CRL *x, const X509_NAME *name);
int X509_CRL_set_version(X509_CRL *x, long version)
	__attribute__((annotate("fails(not positive)")));
int X509_CRL_sign(X509_CRL *x, EVP_PKEY *pkey, const EVP_MD *md)
	__attribute__((annotate("fails(not positive)")));
int X509_CRL_sign_ctx(X509_CRL *x, EVP_MD_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
int X509_CRL_sort(X509_CRL *crl);
int X509_CRL_up_ref(X509_CRL *crl);
int X509_CRL_verify(X509_CRL *a, EVP_PKEY *r) __attribute__((annotate("fails(not positive)")));
X509_EXTENSION *X509_EXTENSION_create_by_NID(X509_EXTENSION **ex, int nid, int crit,
					     ASN1_OCTET_STRING *data);
X509_EXTENSION *X509_EXTENSION_create_by_OBJ(X509_EXTENSION **ex, const ASN1_OBJECT *obj,
					     int crit, ASN1_OCTET_STRING *data);
X509_EXTENSION *X509_EXTENSION_dup(const X509_EXTENSION *a);
void X509_EXTENSION_free(X509_EXTENSION *a);
int X509_EXTENSION_get_critical(const X509_EXTENSION *ex);
ASN1_OCTET_STRING *X509_EXTENSION_get_data(X509_EXTENSION *ne);
ASN1_OBJECT *X509_EXTENSION_get_object(X509_EXTENSION *ex);
X509_EXTENSION *X509_EXTENSION_new(void);
int X509_EXTENSION_set_critical(X509_EXTENSION *ex, int crit);
int X509_EXTENSION_set_data(X509_EXTENSION *ex, ASN1_OCTET_STRING *data);
int X509_EXTENSION_set_object(X509_EXTENSION *ex, const ASN1_OBJECT *obj);
void X509_INFO_free(X509_INFO *a);
X509_INFO *X509_INFO_new(void);
int X509_LOOKUP_by_alias(X509_LOOKUP *ctx, X509_LOOKUP_TYPE type, const char *str, int len,
			 X509_OBJECT *ret);
int X509_LOOKUP_by_fingerprint(X509_LOOKUP *ctx, X509_LOOKUP_TYPE type,
			       const unsigned char *bytes, int len, X509_OBJECT *ret);
int X509_LOOKUP_by_issuer_serial(X509_LOOKUP *ctx, X509_LOOKUP_TYPE type, const X509_NAME *name,
				 const ASN1_INTEGER *serial, X509_OBJECT *ret);
int X509_LOOKUP_by_subject(X509_LOOKUP *ctx, X509_LOOKUP_TYPE type, const X509_NAME *name,
			   X509_OBJECT *ret);
int X509_LOOKUP_by_subject_ex(X509_LOOKUP *ctx, X509_LOOKUP_TYPE type, const X509_NAME *name,
			      X509_OBJECT *ret, OSSL_LIB_CTX *libctx, const char *propq);
int X509_LOOKUP_ctrl(X509_LOOKUP *ctx, int cmd, const char *argc, long argl, char **ret);
int X509_LOOKUP_ctrl_ex(X509_LOOKUP *ctx, int cmd, const char *argc, long argl, char **ret,
			OSSL_LIB_CTX *libctx, const char *propq);
X509_LOOKUP_METHOD *X509_LOOKUP_file(void);
void X509_LOOKUP_free(X509_LOOKUP *ctx);
void *X509_LOOKUP_get_method_data(const X509_LOOKUP *ctx);
X509_STORE *X509_LOOKUP_get_store(const X509_LOOKUP *ctx);
X509_LOOKUP_METHOD *X509_LOOKUP_hash_dir(void);
int X509_LOOKUP_init(X509_LOOKUP *ctx) __attribute__((annotate("fails(not positive)")));
X509_LOOKUP *X509_LOOKUP_new(X509_LOOKUP_METHOD *method);
int X509_LOOKUP_set_method_data(X509_LOOKUP *ctx, void *data);
int X509_LOOKUP_shutdown(X509_LOOKUP *ctx);
X509_LOOKUP_METHOD *X509_LOOKUP_store(void);
X509_NAME_ENTRY *X509_NAME_ENTRY_create_by_NID(X509_NAME_ENTRY **ne, int nid, int type,
					       const unsigned char *bytes, int len);
X509_NAME_ENTRY *X509_NAME_ENTRY_create_by_OBJ(X509_NAME_ENTRY **ne, const ASN1_OBJECT *obj,
					       int type, const unsigned char *bytes, int len);
X509_NAME_ENTRY *X509_NAME_ENTRY_create_by_txt(X509_NAME_ENTRY **ne, const char *field,
					       int type, const unsigned char *bytes, int len);
X509_NAME_ENTRY *X509_NAME_ENTRY_dup(const X509_NAME_ENTRY *a);
void X509_NAME_ENTRY_free(X509_NAME_ENTRY *a);
ASN1_STRING *X509_NAME_ENTRY_get_data(const X509_NAME_ENTRY *ne);
ASN1_OBJECT *X509_NAME_ENTRY_get_object(const X509_NAME_ENTRY *ne);
X509_NAME_ENTRY *X509_NAME_ENTRY_new(void);
int X509_NAME_ENTRY_set(const X509_NAME_ENTRY *ne);
int X509_NAME_ENTRY_set_data(X509_NAME_ENTRY *ne, int type, const unsigned char *bytes,
			     int len);
int X509_NAME_ENTRY_set_object(X509_NAME_ENTRY *ne, const ASN1_OBJECT *obj);
int X509_NAME_add_entry(X509_NAME *name, const X509_NAME_ENTRY *ne, int loc, int set)
	__attribute__((annotate("fails(not positive)")));
int X509_NAME_add_entry_by_NID(X509_NAME *name, int nid, int type, const unsigned char *bytes,
			       int len, int loc, int set)
	__attribute__((annotate("fails(not positive)")));
int X509_NAME_add_entry_by_OBJ(X509_NAME *name, const ASN1_OBJECT *obj, int type,
			       const unsigned char *bytes, int len, int loc, int set)
	__attribute__((annotate("fails(not positive)")));
int X509_NAME_add_entry_by_txt(X509_NAME *name, const char *field, int type,
			       const unsigned char *bytes, int len, int loc, int set)
	__attribute__((annotate("fails(not positive)")));
int X509_NAME_cmp(const X509_NAME *a, const X509_NAME *b);
X509_NAME_ENTRY *X509_NAME_delete_entry(X509_NAME *name, int loc);
int X509_NAME_digest(const X509_NAME *data, const EVP_MD *type, unsigned char *md,
		     unsigned int *len);
X509_NAME *X509_NAME_dup(const X509_NAME *a);
int X509_NAME_entry_count(const X509_NAME *name);
void X509_NAME_free(X509_NAME *a);
int X509_NAME_get0_der(const X509_NAME *nm, const unsigned char **pder, size_t *pderlen);
X509_NAME_ENTRY *X509_NAME_get_entry(const X509_NAME *name, int loc);
int X509_NAME_get_index_by_NID(const X509_NAME *name, int nid, int lastpos);
int X509_NAME_get_index_by_OBJ(const X509_NAME *name, const ASN1_OBJECT *obj, int lastpos);
int X509_NAME_get_text_by_NID(const X509_NAME *name, int nid, char *buf, int len);
int X509_NAME_get_text_by_OBJ(const X509_NAME *name, const ASN1_OBJECT *obj, char *buf,
			      int len);
unsigned long X509_NAME_hash_ex(const X509_NAME *x, OSSL_LIB_CTX *libctx, const char *propq,
				int *ok);
unsigned long X509_NAME_hash_old(const X509_NAME *x);
X509_NAME *X509_NAME_new(void);
char *X509_NAME_oneline(const X509_NAME *a, char *buf, int size);
int X509_NAME_print(BIO *bp, const X509_NAME *name, int obase);
int X509_NAME_print_ex(BIO *out, const X509_NAME *nm, int indent, unsigned long flags);
int X509_NAME_print_ex_fp(FILE *fp, const X509_NAME *nm, int indent, unsigned long flags);
int X509_NAME_set(X509_NAME **xn, const X509_NAME *name);
void X509_OBJECT_free(X509_OBJECT *a);
X509 *X509_OBJECT_get0_X509(const X509_OBJECT *a);
X509_CRL *X509_OBJECT_get0_X509_CRL(const X509_OBJECT *a);
X509_LOOKUP_TYPE X509_OBJECT_get_type(const X509_OBJECT *a);
int X509_OBJECT_idx_by_subject(struct stack_st_X509_OBJECT *h, X509_LOOKUP_TYPE type,
			       const X509_NAME *name);
X509_OBJECT *X509_OBJECT_new(void);
X509_OBJECT *X509_OBJECT_retrieve_by_subject(struct stack_st_X509_OBJECT *h,
					     X509_LOOKUP_TYPE type, const X509_NAME *name);
X509_OBJECT *X509_OBJECT_retrieve_match(struct stack_st_X509_OBJECT *h, X509_OBJECT *x);
int X509_OBJECT_set1_X509(X509_OBJECT *a, X509 *obj);
int X509_OBJECT_set1_X509_CRL(X509_OBJECT *a, X509_CRL *obj);
int X509_OBJECT_up_ref_count(X509_OBJECT *a);
void X509_PKEY_free(X509_PKEY *a);
X509_PKEY *X509_PKEY_new(void);
void X509_POLICY_NODE_print(BIO *out, X509_POLICY_NODE *node, int indent);
X509_PUBKEY *X509_PUBKEY_dup(const X509_PUBKEY *a);
int X509_PUBKEY_eq(const X509_PUBKEY *a, const X509_PUBKEY *b);
void X509_PUBKEY_free(X509_PUBKEY *a);
EVP_PKEY *X509_PUBKEY_get(const X509_PUBKEY *key);
EVP_PKEY *X509_PUBKEY_get0(const X509_PUBKEY *key);
int X509_PUBKEY_get0_param(ASN1_OBJECT **ppkalg, const unsigned char **pk, int *ppklen,
			   X509_ALGOR **pa, const X509_PUBKEY *pub);
X509_PUBKEY *X509_PUBKEY_new(void);
X509_PUBKEY *X509_PUBKEY_new_ex(OSSL_LIB_CTX *libctx, const char *propq);
int X509_PUBKEY_set(X509_PUBKEY **x, EVP_PKEY *pkey);
int X509_PUBKEY_set0_param(X509_PUBKEY *pub, ASN1_OBJECT *aobj, int ptype, void *pval,
			   unsigned char *penc, int penclen);
void X509_REQ_INFO_free(X509_REQ_INFO *a);
X509_REQ_INFO *X509_REQ_INFO_new(void);
int X509_REQ_add1_attr(X509_REQ *req, X509_ATTRIBUTE *attr);
int X509_REQ_add1_attr_by_NID(X509_REQ *req, int nid, int type, const unsigned char *bytes,
			      int len);
int X509_REQ_add1_attr_by_OBJ(X509_REQ *req, const ASN1_OBJECT *obj, int type,
			      const unsigned char *bytes, int len);
int X509_REQ_add1_attr_by_txt(X509_REQ *req, const char *attrname, int type,
			      const unsigned char *bytes, int len);
int X509_REQ_add_extensions(X509_REQ *req, const struct stack_st_X509_EXTENSION *ext);
int X509_REQ_add_extensions_nid(X509_REQ *req, const struct stack_st_X509_EXTENSION *exts,
				int nid);
int X509_REQ_check_private_key(X509_REQ *x509, EVP_PKEY *pkey);
X509_ATTRIBUTE *X509_REQ_delete_attr(X509_REQ *req, int loc);
int X509_REQ_digest(const X509_REQ *data, const EVP_MD *type, unsigned char *md,
		    unsigned int *len) __attribute__((annotate("fails(not positive)")));
X509_REQ *X509_REQ_dup(const X509_REQ *a);
int X509_REQ_extension_nid(int nid);
void X509_REQ_free(X509_REQ *a);
ASN1_OCTET_STRING *X509_REQ_get0_distinguishing_id(X509_REQ *x);
EVP_PKEY *X509_REQ_get0_pubkey(X509_REQ *req);
void X509_REQ_get0_signature(const X509_REQ *req, const ASN1_BIT_STRING **psig,
			     const X509_ALGOR **palg);
struct stack_st_OPENSSL_STRING *X509_REQ_get1_email(X509_REQ *x);
X509_PUBKEY *X509_REQ_get_X509_PUBKEY(X509_REQ *req);
X509_ATTRIBUTE *X509_REQ_get_attr(const X509_REQ *req, int loc);
int X509_REQ_get_attr_by_NID(const X509_REQ *req, int nid, int lastpos);
int X509_REQ_get_attr_by_OBJ(const X509_REQ *req, const ASN1_OBJECT *obj, int lastpos);
int X509_REQ_get_attr_count(const X509_REQ *req);
int *X509_REQ_get_extension_nids(void);
struct stack_st_X509_EXTENSION *X509_REQ_get_extensions(X509_REQ *req);
EVP_PKEY *X509_REQ_get_pubkey(X509_REQ *req);
int X509_REQ_get_signature_nid(const X509_REQ *req);
X509_NAME *X509_REQ_get_subject_name(const X509_REQ *req);
long X509_REQ_get_version(const X509_REQ *req);
X509_REQ *X509_REQ_new(void);
X509_REQ *X509_REQ_new_ex(OSSL_LIB_CTX *libctx, const char *propq);
int X509_REQ_print(BIO *bp, X509_REQ *req);
int X509_REQ_print_ex(BIO *bp, X509_REQ *x, unsigned long nmflag, unsigned long cflag);
int X509_REQ_print_fp(FILE *bp, X509_REQ *req);
void X509_REQ_set0_distinguishing_id(X509_REQ *x, ASN1_OCTET_STRING *d_id);
void X509_REQ_set0_signature(X509_REQ *req, ASN1_BIT_STRING *psig);
int X509_REQ_set1_signature_algo(X509_REQ *req, X509_ALGOR *palg);
void X509_REQ_set_extension_nids(int *nids);
int X509_REQ_set_pubkey(X509_REQ *x, EVP_PKEY *pkey)
	__attribute__((annotate("fails(not positive)")));
int X509_REQ_set_subject_name(X509_REQ *req, const X509_NAME *name)
	__attribute__((annotate("fails(not positive)")));
int X509_REQ_set_version(X509_REQ *x, long version)
	__attribute__((annotate("fails(not positive)")));
int X509_REQ_sign(X509_REQ *x, EVP_PKEY *pkey, const EVP_MD *md)
	__attribute__((annotate("fails(not positive)")));
int X509_REQ_sign_ctx(X509_REQ *x, EVP_MD_CTX *ctx)
	__attribute__((annotate("fails(not positive)")));
X509 *X509_REQ_to_X509(X509_REQ *r, int days, EVP_PKEY *pkey);
int X509_REQ_verify(X509_REQ *a, EVP_PKEY *r) __attribute__((annotate("fails(not positive)")));
int X509_REQ_verify_ex(X509_REQ *a, EVP_PKEY *r, OSSL_LIB_CTX *libctx, const char *propq);
void X509_STORE_CTX_cleanup(X509_STORE_CTX *ctx);
void X509_STORE_CTX_free(X509_STORE_CTX *ctx);
X509 *X509_STORE_CTX_get0_cert(const X509_STORE_CTX *ctx);
struct stack_st_X509 *X509_STORE_CTX_get0_chain(const X509_STORE_CTX *ctx);
X509_CRL *X509_STORE_CTX_get0_current_crl(const X509_STORE_CTX *ctx);
X509 *X509_STORE_CTX_get0_current_issuer(const X509_STORE_CTX *ctx);
X509_VERIFY_PARAM *X509_STORE_CTX_get0_param(const X509_STORE_CTX *ctx);
X509_STORE_CTX *X509_STORE_CTX_get0_parent_ctx(const X509_STORE_CTX *ctx);
X509_POLICY_TREE *X509_STORE_CTX_get0_policy_tree(const X509_STORE_CTX *ctx);
X509_STORE *X509_STORE_CTX_get0_store(const X509_STORE_CTX *ctx);
struct stack_st_X509 *X509_STORE_CTX_get0_untrusted(const X509_STORE_CTX *ctx);
struct stack_st_X509 *X509_STORE_CTX_get1_certs(X509_STORE_CTX *st, const X509_NAME *nm);
struct stack_st_X509 *X509_STORE_CTX_get1_chain(const X509_STORE_CTX *ctx);
struct stack_st_X509_CRL *X509_STORE_CTX_get1_crls(const X509_STORE_CTX *st,
						   const X509_NAME *nm);
int X509_STORE_CTX_get1_issuer(X509 **issuer, X509_STORE_CTX *ctx, X509 *x);
int X509_STORE_CTX_get_by_subject(const X509_STORE_CTX *vs, X509_LOOKUP_TYPE type,
				  const X509_NAME *name, X509_OBJECT *ret);
X509_STORE_CTX_cert_crl_fn X509_STORE_CTX_get_cert_crl(const X509_STORE_CTX *ctx);
X509_STORE_CTX_check_crl_fn X509_STORE_CTX_get_check_crl(const X509_STORE_CTX *ctx);
X509_STORE_CTX_check_issued_fn X509_STORE_CTX_get_check_issued(const X509_STORE_CTX *ctx);
X509_STORE_CTX_check_policy_fn X509_STORE_CTX_get_check_policy(const X509_STORE_CTX *ctx);
X509_STORE_CTX_check_revocation_fn
X509_STORE_CTX_get_check_revocation(const X509_STORE_CTX *ctx);
X509_STORE_CTX_cleanup_fn X509_STORE_CTX_get_cleanup(const X509_STORE_CTX *ctx);
X509 *X509_STORE_CTX_get_current_cert(const X509_STORE_CTX *ctx);
int X509_STORE_CTX_get_error(const X509_STORE_CTX *ctx);
int X509_STORE_CTX_get_error_depth(const X509_STORE_CTX *ctx);
int X509_STORE_CTX_get_explicit_policy(const X509_STORE_CTX *ctx);
X509_STORE_CTX_get_crl_fn X509_STORE_CTX_get_get_crl(const X509_STORE_CTX *ctx);
X509_STORE_CTX_get_issuer_fn X509_STORE_CTX_get_get_issuer(const X509_STORE_CTX *ctx);
X509_STORE_CTX_lookup_certs_fn X509_STORE_CTX_get_lookup_certs(const X509_STORE_CTX *ctx);
X509_STORE_CTX_lookup_crls_fn X509_STORE_CTX_get_lookup_crls(const X509_STORE_CTX *ctx);
int X509_STORE_CTX_get_num_untrusted(const X509_STORE_CTX *ctx);
X509_OBJECT *X509_STORE_CTX_get_obj_by_subject(X509_STORE_CTX *vs, X509_LOOKUP_TYPE type,
					       const X509_NAME *name);
X509_STORE_CTX_verify_fn X509_STORE_CTX_get_verify(const X509_STORE_CTX *ctx);
X509_STORE_CTX_verify_cb X509_STORE_CTX_get_verify_cb(const X509_STORE_CTX *ctx);
int X509_STORE_CTX_init(X509_STORE_CTX *ctx, X509_STORE *trust_store, X509 *target,
			struct stack_st_X509 *untrusted)
	__attribute__((annotate("fails(not positive)")));
X509_STORE_CTX *X509_STORE_CTX_new(void);
X509_STORE_CTX *X509_STORE_CTX_new_ex(OSSL_LIB_CTX *libctx, const char *propq);
int X509_STORE_CTX_print_verify_cb(int ok, X509_STORE_CTX *ctx);
int X509_STORE_CTX_purpose_inherit(X509_STORE_CTX *ctx, int def_purpose, int purpose,
				   int trust);
void X509_STORE_CTX_set0_crls(X509_STORE_CTX *ctx, struct stack_st_X509_CRL *sk);
void X509_STORE_CTX_set0_dane(X509_STORE_CTX *ctx, SSL_DANE *dane);
void X509_STORE_CTX_set0_param(X509_STORE_CTX *ctx, X509_VERIFY_PARAM *param);
void X509_STORE_CTX_set0_trusted_stack(X509_STORE_CTX *ctx, struct stack_st_X509 *sk);
void X509_STORE_CTX_set0_untrusted(X509_STORE_CTX *ctx, struct stack_st_X509 *sk);
void X509_STORE_CTX_set0_verified_chain(X509_STORE_CTX *c, struct stack_st_X509 *sk);
void X509_STORE_CTX_set_cert(X509_STORE_CTX *ctx, X509 *target);
void X509_STORE_CTX_set_current_cert(X509_STORE_CTX *ctx, X509 *x);
int X509_STORE_CTX_set_default(X509_STORE_CTX *ctx, const char *name);
void X509_STORE_CTX_set_depth(X509_STORE_CTX *ctx, int depth);
void X509_STORE_CTX_set_error(X509_STORE_CTX *ctx, int s);
void X509_STORE_CTX_set_error_depth(X509_STORE_CTX *ctx, int depth);
void X509_STORE_CTX_set_flags(X509_STORE_CTX *ctx, unsigned long flags);
int X509_STORE_CTX_set_purpose(X509_STORE_CTX *ctx, int purpose);
void X509_STORE_CTX_set_time(X509_STORE_CTX *ctx, unsigned long flags, time_t t);
int X509_STORE_CTX_set_trust(X509_STORE_CTX *ctx, int trust);
void X509_STORE_CTX_set_verify(X509_STORE_CTX *ctx, X509_STORE_CTX_verify_fn verify);
void X509_STORE_CTX_set_verify_cb(X509_STORE_CTX *ctx, X509_STORE_CTX_verify_cb verify);
int X509_STORE_CTX_verify(X509_STORE_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int X509_STORE_add_cert(X509_STORE *ctx, X509 *x)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_add_crl(X509_STORE *ctx, X509_CRL *x)
	__attribute__((annotate("fails(not positive)")));
X509_LOOKUP *X509_STORE_add_lookup(X509_STORE *v, X509_LOOKUP_METHOD *m);
void X509_STORE_free(X509_STORE *v);
struct stack_st_X509_OBJECT *X509_STORE_get0_objects(const X509_STORE *v);
X509_VERIFY_PARAM *X509_STORE_get0_param(const X509_STORE *ctx);
struct stack_st_X509 *X509_STORE_get1_all_certs(X509_STORE *st);
X509_STORE_CTX_cert_crl_fn X509_STORE_get_cert_crl(const X509_STORE *ctx);
X509_STORE_CTX_check_crl_fn X509_STORE_get_check_crl(const X509_STORE *ctx);
X509_STORE_CTX_check_issued_fn X509_STORE_get_check_issued(const X509_STORE *ctx);
X509_STORE_CTX_check_policy_fn X509_STORE_get_check_policy(const X509_STORE *ctx);
X509_STORE_CTX_check_revocation_fn X509_STORE_get_check_revocation(const X509_STORE *ctx);
X509_STORE_CTX_cleanup_fn X509_STORE_get_cleanup(const X509_STORE *ctx);
X509_STORE_CTX_get_crl_fn X509_STORE_get_get_crl(const X509_STORE *ctx);
X509_STORE_CTX_get_issuer_fn X509_STORE_get_get_issuer(const X509_STORE *ctx);
X509_STORE_CTX_lookup_certs_fn X509_STORE_get_lookup_certs(const X509_STORE *ctx);
X509_STORE_CTX_lookup_crls_fn X509_STORE_get_lookup_crls(const X509_STORE *ctx);
X509_STORE_CTX_verify_fn X509_STORE_get_verify(const X509_STORE *ctx);
X509_STORE_CTX_verify_cb X509_STORE_get_verify_cb(const X509_STORE *ctx);
int X509_STORE_load_file(X509_STORE *ctx, const char *file)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_load_file_ex(X509_STORE *ctx, const char *file, OSSL_LIB_CTX *libctx,
			    const char *propq) __attribute__((annotate("fails(not positive)")));
int X509_STORE_load_locations(X509_STORE *ctx, const char *file, const char *dir)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_load_locations_ex(X509_STORE *ctx, const char *file, const char *dir,
				 OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_load_path(X509_STORE *ctx, const char *path)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_load_store(X509_STORE *ctx, const char *store)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_load_store_ex(X509_STORE *ctx, const char *store, OSSL_LIB_CTX *libctx,
			     const char *propq)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_lock(X509_STORE *ctx);
X509_STORE *X509_STORE_new(void);
int X509_STORE_set1_param(X509_STORE *ctx, const X509_VERIFY_PARAM *pm);
void X509_STORE_set_cert_crl(X509_STORE *ctx, X509_STORE_CTX_cert_crl_fn cert_crl);
void X509_STORE_set_check_crl(X509_STORE *ctx, X509_STORE_CTX_check_crl_fn check_crl);
void X509_STORE_set_check_issued(X509_STORE *ctx, X509_STORE_CTX_check_issued_fn check_issued);
void X509_STORE_set_check_policy(X509_STORE *ctx, X509_STORE_CTX_check_policy_fn check_policy);
void X509_STORE_set_check_revocation(X509_STORE *ctx,
				     X509_STORE_CTX_check_revocation_fn check_revocation);
void X509_STORE_set_cleanup(X509_STORE *ctx, X509_STORE_CTX_cleanup_fn cleanup);
int X509_STORE_set_default_paths(X509_STORE *ctx)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_set_default_paths_ex(X509_STORE *ctx, OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int X509_STORE_set_depth(X509_STORE *store, int depth);
int X509_STORE_set_flags(X509_STORE *ctx, unsigned long flags);
void X509_STORE_set_get_crl(X509_STORE *ctx, X509_STORE_CTX_get_crl_fn get_crl);
void X509_STORE_set_get_issuer(X509_STORE *ctx, X509_STORE_CTX_get_issuer_fn get_issuer);
void X509_STORE_set_lookup_certs(X509_STORE *ctx, X509_STORE_CTX_lookup_certs_fn lookup_certs);
void X509_STORE_set_lookup_crls(X509_STORE *ctx, X509_STORE_CTX_lookup_crls_fn lookup_crls);
int X509_STORE_set_purpose(X509_STORE *ctx, int purpose);
int X509_STORE_set_trust(X509_STORE *ctx, int trust);
void X509_STORE_set_verify(X509_STORE *ctx, X509_STORE_CTX_verify_fn verify);
void X509_STORE_set_verify_cb(X509_STORE *ctx, X509_STORE_CTX_verify_cb verify_cb);
int X509_STORE_unlock(X509_STORE *ctx);
int X509_STORE_up_ref(X509_STORE *v);
void X509_VAL_free(X509_VAL *a);
X509_VAL *X509_VAL_new(void);
int X509_VERIFY_PARAM_add0_policy(X509_VERIFY_PARAM *param, ASN1_OBJECT *policy);
int X509_VERIFY_PARAM_add0_table(X509_VERIFY_PARAM *param);
int X509_VERIFY_PARAM_add1_host(X509_VERIFY_PARAM *param, const char *name, size_t namelen);
int X509_VERIFY_PARAM_clear_flags(X509_VERIFY_PARAM *param, unsigned long flags);
void X509_VERIFY_PARAM_free(X509_VERIFY_PARAM *param);
const X509_VERIFY_PARAM *X509_VERIFY_PARAM_get0(int id);
char *X509_VERIFY_PARAM_get0_email(X509_VERIFY_PARAM *param);
char *X509_VERIFY_PARAM_get0_host(X509_VERIFY_PARAM *param, int idx);
const char *X509_VERIFY_PARAM_get0_name(const X509_VERIFY_PARAM *param);
char *X509_VERIFY_PARAM_get0_peername(const X509_VERIFY_PARAM *param);
char *X509_VERIFY_PARAM_get1_ip_asc(X509_VERIFY_PARAM *param);
int X509_VERIFY_PARAM_get_auth_level(const X509_VERIFY_PARAM *param);
int X509_VERIFY_PARAM_get_count(void);
int X509_VERIFY_PARAM_get_depth(const X509_VERIFY_PARAM *param);
unsigned long X509_VERIFY_PARAM_get_flags(const X509_VERIFY_PARAM *param);
unsigned int X509_VERIFY_PARAM_get_hostflags(const X509_VERIFY_PARAM *param);
uint32_t X509_VERIFY_PARAM_get_inh_flags(const X509_VERIFY_PARAM *param);
time_t X509_VERIFY_PARAM_get_time(const X509_VERIFY_PARAM *param);
int X509_VERIFY_PARAM_inherit(X509_VERIFY_PARAM *to, const X509_VERIFY_PARAM *from);
const X509_VERIFY_PARAM *X509_VERIFY_PARAM_lookup(const char *name);
void X509_VERIFY_PARAM_move_peername(X509_VERIFY_PARAM *, X509_VERIFY_PARAM *);
X509_VERIFY_PARAM *X509_VERIFY_PARAM_new(void);
int X509_VERIFY_PARAM_set1(X509_VERIFY_PARAM *to, const X509_VERIFY_PARAM *from);
int X509_VERIFY_PARAM_set1_email(X509_VERIFY_PARAM *param, const char *email, size_t emaillen);
int X509_VERIFY_PARAM_set1_host(X509_VERIFY_PARAM *param, const char *name, size_t namelen);
int X509_VERIFY_PARAM_set1_ip(X509_VERIFY_PARAM *param, const unsigned char *ip, size_t iplen);
int X509_VERIFY_PARAM_set1_ip_asc(X509_VERIFY_PARAM *param, const char *ipasc);
int X509_VERIFY_PARAM_set1_name(X509_VERIFY_PARAM *param, const char *name);
int X509_VERIFY_PARAM_set1_policies(X509_VERIFY_PARAM *param,
				    struct stack_st_ASN1_OBJECT *policies);
void X509_VERIFY_PARAM_set_auth_level(X509_VERIFY_PARAM *param, int auth_level);
void X509_VERIFY_PARAM_set_depth(X509_VERIFY_PARAM *param, int depth);
int X509_VERIFY_PARAM_set_flags(X509_VERIFY_PARAM *param, unsigned long flags);
void X509_VERIFY_PARAM_set_hostflags(X509_VERIFY_PARAM *param, unsigned int flags);
int X509_VERIFY_PARAM_set_inh_flags(X509_VERIFY_PARAM *param, uint32_t flags);
int X509_VERIFY_PARAM_set_purpose(X509_VERIFY_PARAM *param, int purpose);
void X509_VERIFY_PARAM_set_time(X509_VERIFY_PARAM *param, time_t t);
int X509_VERIFY_PARAM_set_trust(X509_VERIFY_PARAM *param, int trust);
void X509_VERIFY_PARAM_table_cleanup(void);
int X509_add1_ext_i2d(X509 *x, int nid, void *value, int crit, unsigned long flags);
int X509_add1_reject_object(X509 *x, const ASN1_OBJECT *obj);
int X509_add1_trust_object(X509 *x, const ASN1_OBJECT *obj);
int X509_add_cert(struct stack_st_X509 *sk, X509 *cert, int flags);
int X509_add_certs(struct stack_st_X509 *sk, struct stack_st_X509 *certs, int flags);
int X509_add_ext(X509 *x, X509_EXTENSION *ex, int loc)
	__attribute__((annotate("fails(not positive)")));
unsigned char *X509_alias_get0(X509 *x, int *len);
int X509_alias_set1(X509 *x, const unsigned char *name, int len);
int X509_aux_print(BIO *out, X509 *x, int indent);
struct stack_st_X509 *X509_build_chain(X509 *target, struct stack_st_X509 *certs,
				       X509_STORE *store, int with_self_signed,
				       OSSL_LIB_CTX *libctx, const char *propq);
int X509_certificate_type(const X509 *x, const EVP_PKEY *pubkey);
int X509_chain_check_suiteb(int *perror_depth, X509 *x, struct stack_st_X509 *chain,
			    unsigned long flags);
struct stack_st_X509 *X509_chain_up_ref(struct stack_st_X509 *chain);
int X509_check_akid(const X509 *issuer, const AUTHORITY_KEYID *akid);
int X509_check_ca(X509 *x);
int X509_check_email(X509 *x, const char *chk, size_t chklen, unsigned int flags);
int X509_check_host(X509 *x, const char *chk, size_t chklen, unsigned int flags,
		    char **peername);
int X509_check_ip(X509 *x, const unsigned char *chk, size_t chklen, unsigned int flags);
int X509_check_ip_asc(X509 *x, const char *ipasc, unsigned int flags);
int X509_check_issued(X509 *issuer, X509 *subject);
int X509_check_private_key(const X509 *x509, const EVP_PKEY *pkey)
	__attribute__((annotate("fails(not positive)")));
int X509_check_purpose(X509 *x, int id, int ca);
int X509_check_trust(X509 *x, int id, int flags);
int X509_cmp(const X509 *a, const X509 *b);
int X509_cmp_current_time(const ASN1_TIME *s);
int X509_cmp_time(const ASN1_TIME *s, time_t *t);
int X509_cmp_timeframe(const X509_VERIFY_PARAM *vpm, const ASN1_TIME *start,
		       const ASN1_TIME *end);
X509_EXTENSION *X509_delete_ext(X509 *x, int loc);
int X509_digest(const X509 *data, const EVP_MD *type, unsigned char *md, unsigned int *len)
	__attribute__((annotate("fails(not positive)")));
ASN1_OCTET_STRING *X509_digest_sig(const X509 *cert, EVP_MD **md_used, int *md_is_fallback);
X509 *X509_dup(const X509 *a);
void X509_email_free(struct stack_st_OPENSSL_STRING *sk);
X509 *X509_find_by_issuer_and_serial(struct stack_st_X509 *sk, const X509_NAME *name,
				     const ASN1_INTEGER *serial);
X509 *X509_find_by_subject(struct stack_st_X509 *sk, const X509_NAME *name);
void X509_free(X509 *a);
const GENERAL_NAMES *X509_get0_authority_issuer(X509 *x);
const ASN1_OCTET_STRING *X509_get0_authority_key_id(X509 *x);
const ASN1_INTEGER *X509_get0_authority_serial(X509 *x);
ASN1_OCTET_STRING *X509_get0_distinguishing_id(X509 *x);
const struct stack_st_X509_EXTENSION *X509_get0_extensions(const X509 *x);
const ASN1_TIME *X509_get0_notAfter(const X509 *x);
const ASN1_TIME *X509_get0_notBefore(const X509 *x);
EVP_PKEY *X509_get0_pubkey(const X509 *x);
ASN1_BIT_STRING *X509_get0_pubkey_bitstr(const X509 *x);
struct stack_st_ASN1_OBJECT *X509_get0_reject_objects(X509 *x);
const ASN1_INTEGER *X509_get0_serialNumber(const X509 *x);
void X509_get0_signature(const ASN1_BIT_STRING **psig, const X509_ALGOR **palg, const X509 *x);
const ASN1_OCTET_STRING *X509_get0_subject_key_id(X509 *x);
const X509_ALGOR *X509_get0_tbs_sigalg(const X509 *x);
struct stack_st_ASN1_OBJECT *X509_get0_trust_objects(X509 *x);
void X509_get0_uids(const X509 *x, const ASN1_BIT_STRING **piuid,
		    const ASN1_BIT_STRING **psuid);
struct stack_st_OPENSSL_STRING *X509_get1_email(X509 *x);
struct stack_st_OPENSSL_STRING *X509_get1_ocsp(X509 *x);
X509_PUBKEY *X509_get_X509_PUBKEY(const X509 *x);
const char *X509_get_default_cert_area(void);
const char *X509_get_default_cert_dir(void);
const char *X509_get_default_cert_dir_env(void);
const char *X509_get_default_cert_file(void);
const char *X509_get_default_cert_file_env(void);
const char *X509_get_default_private_dir(void);
X509_EXTENSION *X509_get_ext(const X509 *x, int loc);
int X509_get_ext_by_NID(const X509 *x, int nid, int lastpos);
int X509_get_ext_by_OBJ(const X509 *x, const ASN1_OBJECT *obj, int lastpos);
int X509_get_ext_by_critical(const X509 *x, int crit, int lastpos);
int X509_get_ext_count(const X509 *x);
void *X509_get_ext_d2i(const X509 *x, int nid, int *crit, int *idx);
uint32_t X509_get_extended_key_usage(X509 *x);
uint32_t X509_get_extension_flags(X509 *x);
X509_NAME *X509_get_issuer_name(const X509 *a);
uint32_t X509_get_key_usage(X509 *x);
long X509_get_pathlen(X509 *x);
long X509_get_proxy_pathlen(X509 *x);
EVP_PKEY *X509_get_pubkey(X509 *x);
int X509_get_pubkey_parameters(EVP_PKEY *pkey, struct stack_st_X509 *chain);
ASN1_INTEGER *X509_get_serialNumber(X509 *x);
int X509_get_signature_info(X509 *x, int *mdnid, int *pknid, int *secbits, uint32_t *flags);
int X509_get_signature_nid(const X509 *x);
int X509_get_signature_type(const X509 *x);
X509_NAME *X509_get_subject_name(const X509 *a);
long X509_get_version(const X509 *x);
ASN1_TIME *X509_getm_notAfter(const X509 *x);
ASN1_TIME *X509_getm_notBefore(const X509 *x);
int X509_issuer_and_serial_cmp(const X509 *a, const X509 *b);
unsigned long X509_issuer_and_serial_hash(X509 *a);
int X509_issuer_name_cmp(const X509 *a, const X509 *b);
unsigned long X509_issuer_name_hash(X509 *a);
unsigned long X509_issuer_name_hash_old(X509 *a);
unsigned char *X509_keyid_get0(X509 *x, int *len);
int X509_keyid_set1(X509 *x, const unsigned char *id, int len);
int X509_load_cert_crl_file(X509_LOOKUP *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int X509_load_cert_crl_file_ex(X509_LOOKUP *ctx, const char *file, int type,
			       OSSL_LIB_CTX *libctx, const char *propq)
	__attribute__((annotate("fails(not positive)")));
int X509_load_cert_file(X509_LOOKUP *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
int X509_load_cert_file_ex(X509_LOOKUP *ctx, const char *file, int type, OSSL_LIB_CTX *libctx,
			   const char *propq) __attribute__((annotate("fails(not positive)")));
int X509_load_crl_file(X509_LOOKUP *ctx, const char *file, int type)
	__attribute__((annotate("fails(not positive)")));
X509 *X509_load_http(const char *url, BIO *bio, BIO *rbio, int timeout);
X509 *X509_new(void);
X509 *X509_new_ex(OSSL_LIB_CTX *libctx, const char *propq);
int X509_ocspid_print(BIO *bp, X509 *x);
int X509_print(BIO *bp, X509 *x) __attribute__((annotate("fails(not positive)")));
int X509_print_ex(BIO *bp, X509 *x, unsigned long nmflag, unsigned long cflag)
	__attribute__((annotate("fails(not positive)")));
int X509_print_ex_fp(FILE *bp, X509 *x, unsigned long nmflag, unsigned long cflag);
int X509_print_fp(FILE *bp, X509 *x) __attribute__((annotate("fails(not positive)")));
int X509_pubkey_digest(const X509 *data, const EVP_MD *type, unsigned char *md,
		       unsigned int *len) __attribute__((annotate("fails(not positive)")));
void X509_reject_clear(X509 *x);
int X509_self_signed(X509 *cert, int verify_signature);
void X509_set0_distinguishing_id(X509 *x, ASN1_OCTET_STRING *d_id);
int X509_set1_notAfter(X509 *x, const ASN1_TIME *tm)
	__attribute__((annotate("fails(not positive)")));
int X509_set1_notBefore(X509 *x, const ASN1_TIME *tm)
	__attribute__((annotate("fails(not positive)")));
int X509_set_issuer_name(X509 *x, const X509_NAME *name)
	__attribute__((annotate("fails(not positive)")));
void X509_set_proxy_flag(X509 *x);
void X509_set_proxy_pathlen(X509 *x, long l);
int X509_set_pubkey(X509 *x, EVP_PKEY *pkey) __attribute__((annotate("fails(not positive)")));
int X509_set_serialNumber(X509 *x, ASN1_INTEGER *serial)
	__attribute__((annotate("fails(not positive)")));
int X509_set_subject_name(X509 *x, const X509_NAME *name)
	__attribute__((annotate("fails(not positive)")));
int X509_set_version(X509 *x, long version) __attribute__((annotate("fails(not positive)")));
int X509_sign(X509 *x, EVP_PKEY *pkey, const EVP_MD *md)
	__attribute__((annotate("fails(not positive)")));
int X509_sign_ctx(X509 *x, EVP_MD_CTX *ctx) __attribute__((annotate("fails(not positive)")));
int X509_signature_dump(BIO *bp, const ASN1_STRING *sig, int indent);
int X509_signature_print(BIO *bp, const X509_ALGOR *alg, const ASN1_STRING *sig);
int X509_subject_name_cmp(const X509 *a, const X509 *b);
unsigned long X509_subject_name_hash(X509 *x);
unsigned long X509_subject_name_hash_old(X509 *x);
int X509_supported_extension(X509_EXTENSION *ex);
ASN1_TIME *X509_time_adj_ex(ASN1_TIME *s, int offset_day, long offset_sec, time_t *t);
X509_REQ *X509_to_X509_REQ(X509 *x, EVP_PKEY *pkey, const EVP_MD *md);
void X509_trust_clear(X509 *x);
int X509_trusted(const X509 *x);
int X509_up_ref(X509 *x);
int X509_verify(X509 *a, EVP_PKEY *r) __attribute__((annotate("fails(not positive)")));
int X509_verify_cert(X509_STORE_CTX *ctx) __attribute__((annotate("fails(not positive)")));
const char *X509_verify_cert_error_string(long n);
EVP_PKEY *d2i_AutoPrivateKey(EVP_PKEY **a, const unsigned char **pp, long length);
EVP_PKEY *d2i_AutoPrivateKey_ex(EVP_PKEY **a, const unsigned char **pp, long length,
				OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *d2i_PUBKEY(EVP_PKEY **a, const unsigned char **in, long len);
EVP_PKEY *d2i_PUBKEY_bio(BIO *bp, EVP_PKEY **a);
EVP_PKEY *d2i_PUBKEY_ex(EVP_PKEY **a, const unsigned char **pp, long length,
			OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *d2i_PUBKEY_fp(FILE *fp, EVP_PKEY **a);
EVP_PKEY *d2i_PrivateKey(int type, EVP_PKEY **a, const unsigned char **pp, long length);
EVP_PKEY *d2i_PrivateKey_bio(BIO *bp, EVP_PKEY **a);
EVP_PKEY *d2i_PrivateKey_ex(int type, EVP_PKEY **a, const unsigned char **pp, long length,
			    OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *d2i_PrivateKey_ex_bio(BIO *bp, EVP_PKEY **a, OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *d2i_PrivateKey_ex_fp(FILE *fp, EVP_PKEY **a, OSSL_LIB_CTX *libctx, const char *propq);
EVP_PKEY *d2i_PrivateKey_fp(FILE *fp, EVP_PKEY **a);
X509 *d2i_X509(X509 **a, const unsigned char **in, long len);
X509_ALGOR *d2i_X509_ALGOR(X509_ALGOR **a, const unsigned char **in, long len);
X509_ALGORS *d2i_X509_ALGORS(X509_ALGORS **a, const unsigned char **in, long len);
X509_ATTRIBUTE *d2i_X509_ATTRIBUTE(X509_ATTRIBUTE **a, const unsigned char **in, long len);
X509 *d2i_X509_AUX(X509 **a, const unsigned char **in, long len);
X509_CERT_AUX *d2i_X509_CERT_AUX(X509_CERT_AUX **a, const unsigned char **in, long len);
X509_CINF *d2i_X509_CINF(X509_CINF **a, const unsigned char **in, long len);
X509_CRL *d2i_X509_CRL(X509_CRL **a, const unsigned char **in, long len);
X509_CRL_INFO *d2i_X509_CRL_INFO(X509_CRL_INFO **a, const unsigned char **in, long len);
X509_CRL *d2i_X509_CRL_bio(BIO *bp, X509_CRL **crl);
X509_CRL *d2i_X509_CRL_fp(FILE *fp, X509_CRL **crl);
X509_EXTENSION *d2i_X509_EXTENSION(X509_EXTENSION **a, const unsigned char **in, long len);
X509_EXTENSIONS *d2i_X509_EXTENSIONS(X509_EXTENSIONS **a, const unsigned char **in, long len);
X509_NAME *d2i_X509_NAME(X509_NAME **a, const unsigned char **in, long len);
X509_NAME_ENTRY *d2i_X509_NAME_ENTRY(X509_NAME_ENTRY **a, const unsigned char **in, long len);
X509_PUBKEY *d2i_X509_PUBKEY(X509_PUBKEY **a, const unsigned char **in, long len);
X509_PUBKEY *d2i_X509_PUBKEY_bio(BIO *bp, X509_PUBKEY **xpk);
X509_PUBKEY *d2i_X509_PUBKEY_fp(FILE *fp, X509_PUBKEY **xpk);
X509_REQ *d2i_X509_REQ(X509_REQ **a, const unsigned char **in, long len);
X509_REQ_INFO *d2i_X509_REQ_INFO(X509_REQ_INFO **a, const unsigned char **in, long len);
X509_REQ *d2i_X509_REQ_bio(BIO *bp, X509_REQ **req);
X509_REQ *d2i_X509_REQ_fp(FILE *fp, X509_REQ **req);
X509_REVOKED *d2i_X509_REVOKED(X509_REVOKED **a, const unsigned char **in, long len);
X509_SIG *d2i_X509_SIG(X509_SIG **a, const unsigned char **in, long len);
X509_VAL *d2i_X509_VAL(X509_VAL **a, const unsigned char **in, long len);
X509 *d2i_X509_bio(BIO *bp, X509 **x509);
X509 *d2i_X509_fp(FILE *fp, X509 **x509);
int i2d_PUBKEY(const EVP_PKEY *a, unsigned char **out);
int i2d_PUBKEY_bio(BIO *bp, const EVP_PKEY *pkey);
int i2d_PUBKEY_fp(FILE *fp, const EVP_PKEY *pkey);
int i2d_PrivateKey(const EVP_PKEY *a, unsigned char **pp);
int i2d_PrivateKey_bio(BIO *bp, const EVP_PKEY *pkey);
int i2d_PrivateKey_fp(FILE *fp, const EVP_PKEY *pkey);
int i2d_X509(const X509 *a, unsigned char **out);
int i2d_X509_ALGOR(const X509_ALGOR *a, unsigned char **out);
int i2d_X509_ALGORS(const X509_ALGORS *a, unsigned char **out);
int i2d_X509_ATTRIBUTE(const X509_ATTRIBUTE *a, unsigned char **out);
int i2d_X509_AUX(const X509 *a, unsigned char **out);
int i2d_X509_CERT_AUX(const X509_CERT_AUX *a, unsigned char **out);
int i2d_X509_CINF(const X509_CINF *a, unsigned char **out);
int i2d_X509_CRL(const X509_CRL *a, unsigned char **out);
int i2d_X509_CRL_INFO(const X509_CRL_INFO *a, unsigned char **out);
int i2d_X509_CRL_bio(BIO *bp, const X509_CRL *crl);
int i2d_X509_CRL_fp(FILE *fp, const X509_CRL *crl);
int i2d_X509_EXTENSION(const X509_EXTENSION *a, unsigned char **out);
int i2d_X509_EXTENSIONS(const X509_EXTENSIONS *a, unsigned char **out);
int i2d_X509_NAME(const X509_NAME *a, unsigned char **out);
int i2d_X509_NAME_ENTRY(const X509_NAME_ENTRY *a, unsigned char **out);
int i2d_X509_PUBKEY(const X509_PUBKEY *a, unsigned char **out);
int i2d_X509_PUBKEY_bio(BIO *bp, const X509_PUBKEY *xpk);
int i2d_X509_PUBKEY_fp(FILE *fp, const X509_PUBKEY *xpk);
int i2d_X509_REQ(const X509_REQ *a, unsigned char **out);
int i2d_X509_REQ_INFO(const X509_REQ_INFO *a, unsigned char **out);
int i2d_X509_REQ_bio(BIO *bp, const X509_REQ *req);
int i2d_X509_REQ_fp(FILE *fp, const X509_REQ *req);
int i2d_X509_REVOKED(const X509_REVOKED *a, unsigned char **out);
int i2d_X509_SIG(const X509_SIG *a, unsigned char **out);
int i2d_X509_VAL(const X509_VAL *a, unsigned char **out);
int i2d_X509_bio(BIO *bp, const X509 *x509);
int i2d_X509_fp(FILE *fp, const X509 *x509);
