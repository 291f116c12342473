/* SPDX-License-Identifier: Apache-2.0 */
/* A tree that is easily told: main { outer { middle { leaf } leaf } x 3, leaf x 5000 or 10, last }. */
static volatile int sink;

static void leaf(void)
{
	sink++;
}

static void middle(void)
{
	leaf();
	sink++;
}

static void outer(void)
{
	middle();
	leaf();
}

static void last(void)
{
	sink++;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		outer();
	for (int i = 0; i < (argc > 1 ? 3 : 5000); i++)
		leaf();
	last();
	return 0;
}
