/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a function STEP that work() calls n times. */
int STEP(int n);
int work(int n);

int STEP(int n)
{
	return n;
}

int work(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += STEP(i);
	return sum;
}
