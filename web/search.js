// SPDX-License-Identifier: Apache-2.0
// search.js - what is searched for, and who is told when that changes.
//
// A word is found anywhere in a name, whatever its case; "name" is just that name.

const listeners = [];
let current = '';
let test = null; // null: nothing is searched for
const answers = new Map();

function testOf(term) {
	const exact = term.match(/^"(.*)"$/);
	if (exact)
		return (who) => who.name === exact[1];
	const word = term.toLowerCase();
	return (who) => who.name.toLowerCase().includes(word);
}

export const isOn = () => test !== null;
export const onChange = (fn) => listeners.push(fn);

export function matches(who) {
	if (!answers.has(who))
		answers.set(who, test !== null && !who.isWord && test(who));
	return answers.get(who);
}

export function set(term) {
	if (term === current)
		return;
	current = term;
	test = term.trim() ? testOf(term.trim()) : null;
	answers.clear();
	for (const fn of listeners)
		fn();
}
