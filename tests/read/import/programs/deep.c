/* SPDX-License-Identifier: Apache-2.0 */
/* 3001 calls deep, then 2001. */
int down(int n);

int down(int n)
{
	return n ? down(n - 1) + 1 : 0;
}

int main(void)
{
	return down(3000) + down(2000) != 5000;
}
