/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/user/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

int fc_request_parse(const char *bytes, size_t size, struct fc_request *ret)
{
	*ret = (struct fc_request){ 0 };
	if (!size || !bytes[0])
		return fc_fail(EINVAL, "the request is empty");
	if (size > FC_REQUEST_MAX)
		return fc_fail(EINVAL, "a request of more than %d bytes", FC_REQUEST_MAX);
	if (bytes[size - 1])
		return fc_fail(EINVAL, "a request whose last word has no end");
	ret->bytes = fc_alloc(size);
	memcpy(ret->bytes, bytes, size);
	for (size_t at = 0; at < size; at += strlen(ret->bytes + at) + 1) {
		if (ret->nr == FC_REQUEST_WORDS) {
			fc_request_deinit(ret);
			return fc_fail(EINVAL, "a request of more than %d words",
				       FC_REQUEST_WORDS);
		}
		ret->words[ret->nr++] = ret->bytes + at;
	}
	return 0;
}

void fc_request_deinit(struct fc_request *request)
{
	free(request->bytes);
	*request = (struct fc_request){ 0 };
}
