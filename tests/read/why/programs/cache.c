/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: what is put into the cache is never found again, as its key has a time in it. */
#include "work.h"

static unsigned keys[64];

ALONE unsigned cache_get(unsigned key)
{
	return keys[key % 64] == key ? key : 0;
}

ALONE void cache_put(unsigned key)
{
	keys[key % 64] = key;
}

ALONE unsigned render_page(unsigned key)
{
	return spin(key, 40000);
}

ALONE unsigned get_page(unsigned key)
{
	unsigned page = cache_get(key);

	if (page)
		return page;
	page = render_page(key);
	cache_put(key);
	return page;
}

int main(void)
{
	unsigned x = 0;

	for (unsigned i = 0; i < 2000; i++)
		x += get_page(i % 10 + i * 1000);
	printf("%u\n", x);
	return 0;
}
