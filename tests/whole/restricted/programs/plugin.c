// SPDX-License-Identifier: Apache-2.0
// A library that a restricted program loads.
int plugin_call(int x);
int plugin_call(int x)
{
	return x + 2;
}
