// SPDX-License-Identifier: Apache-2.0
// colours.js - a colour a function: the hue says its module, the shade tells it from others.

const HUES = [28, 208, 140, 275, 350, 180, 55, 310, 100, 240];
const dark = matchMedia('(prefers-color-scheme: dark)');
let hues = new Map();
let shades = new Map();

export const isDark = () => dark.matches;
export const onTheme = (fn) => dark.addEventListener('change', () => { shades = new Map(); fn(); });

// The modules with the most self time come first: their hues differ most.
export function learn(functions) {
	const sums = new Map();
	for (const { module, self, calls } of functions)
		sums.set(module, (sums.get(module) ?? 0) + self + calls * 1e-6);
	const order = [...sums].sort((a, b) => b[1] - a[1]).map(([module]) => module);
	hues = new Map(order.map((module, i) => [module, HUES[i % HUES.length]]));
	return order;
}

function hash(text) {
	let h = 2166136261;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 16777619);
	return h >>> 8;
}

export function ofModule(module) {
	return isDark() ? `hsl(${hues.get(module)},38%,31%)` : `hsl(${hues.get(module)},72%,74%)`;
}

function shade(who) {
	if (who.isWord)
		return isDark() ? '#3a4047' : '#d5d9dd';
	const h = hash(who.name);
	const hue = hues.get(who.module) + (h % 25) - 12;
	const light = (h >> 5) % 9;
	return isDark() ? `hsl(${hue},38%,${25 + light}%)` : `hsl(${hue},72%,${70 + light}%)`;
}

export function of(who) {
	if (!shades.has(who))
		shades.set(who, shade(who));
	return shades.get(who);
}

// While something is searched for.
export const match = () => (isDark() ? '#b0307e' : '#ff8ac4');
export const dimmed = () => (isDark() ? '#2a2f35' : '#e9ebed');
