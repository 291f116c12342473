// SPDX-License-Identifier: Apache-2.0
// What follows ud2 never runs.
	ud2
