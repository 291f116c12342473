/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: a list is walked to its end for each item that is appended. */
#include "work.h"

struct item {
	struct item *next;
	int value;
};

static struct item *list;

ALONE struct item *last_item(struct item *item)
{
	while (item->next)
		item = item->next;
	return item;
}

ALONE void append(int value)
{
	struct item *item = calloc(1, sizeof(*item));

	item->value = value;
	if (list)
		last_item(list)->next = item;
	else
		list = item;
}

int main(void)
{
	for (int i = 0; i < 4000; i++)
		append(i);
	printf("%d\n", last_item(list)->value);
	return 0;
}
