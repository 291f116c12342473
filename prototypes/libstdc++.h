/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libstdc++.h - what those functions of the C++ library are given and return whose names do not
 * tell it: see libc.h. Those of the Itanium C++ ABI, of the unwinder, and the operators new and
 * delete, whose results are in no name.
 */

typedef unsigned long size_t;
struct type_info;
struct _Unwind_Context;
struct _Unwind_Exception;

enum _Unwind_Reason_Code {
	_URC_NO_REASON,
	_URC_FOREIGN_EXCEPTION_CAUGHT,
	_URC_FATAL_PHASE2_ERROR,
	_URC_FATAL_PHASE1_ERROR,
	_URC_NORMAL_STOP,
	_URC_END_OF_STACK,
	_URC_HANDLER_FOUND,
	_URC_INSTALL_CONTEXT,
	_URC_CONTINUE_UNWIND,
};

void *operator_new(size_t size) __asm__("_Znwm");
void *operator_new_array(size_t size) __asm__("_Znam");
void *operator_new_nothrow(size_t size, const void *nothrow) __asm__("_ZnwmRKSt9nothrow_t");
void *operator_new_array_nothrow(size_t size,
				 const void *nothrow) __asm__("_ZnamRKSt9nothrow_t");
void *operator_new_aligned(size_t size, size_t align) __asm__("_ZnwmSt11align_val_t");
void *operator_new_array_aligned(size_t size, size_t align) __asm__("_ZnamSt11align_val_t");
void operator_delete(void *ptr) __asm__("_ZdlPv");
void operator_delete_array(void *ptr) __asm__("_ZdaPv");
void operator_delete_sized(void *ptr, size_t size) __asm__("_ZdlPvm");
void operator_delete_array_sized(void *ptr, size_t size) __asm__("_ZdaPvm");
void operator_delete_aligned(void *ptr, size_t align) __asm__("_ZdlPvSt11align_val_t");
void operator_delete_sized_aligned(void *ptr, size_t size,
				   size_t align) __asm__("_ZdlPvmSt11align_val_t");

void *__cxa_allocate_exception(size_t thrown_size);
void __cxa_free_exception(void *thrown);
void __cxa_throw(void *thrown, struct type_info *type, void (*destructor)(void *));
void *__cxa_begin_catch(void *exception);
void __cxa_end_catch(void);
void __cxa_rethrow(void);
void *__cxa_get_exception_ptr(void *exception);
struct type_info *__cxa_current_exception_type(void);
void *__cxa_get_globals(void);
void *__cxa_get_globals_fast(void);
void __cxa_bad_cast(void);
void __cxa_bad_typeid(void);
void __cxa_throw_bad_array_new_length(void);
void __cxa_call_unexpected(void *exception);
int __cxa_guard_acquire(void *guard);
void __cxa_guard_release(void *guard);
void __cxa_guard_abort(void *guard);
void __cxa_pure_virtual(void);
void __cxa_deleted_virtual(void);
int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *dso);
char *__cxa_demangle(const char *mangled_name, char *output_buffer, size_t *length, int *status)
	__attribute__((access(write_only, 4)));
void *__dynamic_cast(const void *object, const struct type_info *from,
		     const struct type_info *to, long offset);

enum _Unwind_Reason_Code __gxx_personality_v0(int version, int actions,
					      unsigned long exception_class,
					      struct _Unwind_Exception *exception,
					      struct _Unwind_Context *context);
