/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redactor.h - a tap that passes everything on, but takes secrets out of values: those that a text names
 * when it is passed (values/secrets/redact.h), what calls around were given of them (values/secrets/given.h),
 * and all texts beneath a call whose result is masked. So neither a trace nor a terminal has them.
 *
 *	getpass() {                  its result is masked
 *	  getline(<masked>) = 8;     so nothing that it calls tells a text
 */
#ifndef FC_CALLS_SECRETS_REDACTOR_H
#define FC_CALLS_SECRETS_REDACTOR_H

#include "trace/source.h"
#include "values/masks.h"

struct fc_redactor;

/* masks and next outlive it. */
struct fc_redactor *fc_redactor_create(const struct fc_masks *masks, struct fc_tap *next);
void fc_redactor_destroy(struct fc_redactor *redactor);
struct fc_tap *fc_redactor_tap(struct fc_redactor *redactor);

#endif
