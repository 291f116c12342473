/* SPDX-License-Identifier: Apache-2.0 */
/* Planted: one query for the list of orders, and one more for each order. */
#include "work.h"

ALONE unsigned db_query(unsigned id)
{
	return spin(id, 60000);
}

ALONE unsigned load_customer(unsigned order)
{
	return db_query(order) % 100;
}

ALONE unsigned load_orders(void)
{
	unsigned sum = db_query(0);

	for (unsigned i = 0; i < 1500; i++)
		sum += load_customer(i);
	return sum;
}

ALONE unsigned show_orders(void)
{
	return load_orders();
}

int main(void)
{
	printf("%u\n", show_orders());
	return 0;
}
