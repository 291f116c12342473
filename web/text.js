// SPDX-License-Identifier: Apache-2.0
// text.js - numbers as people read them.

const UNITS = [['s', 1e9], ['ms', 1e6], ['µs', 1e3], ['ns', 1]];

// 1234567 ns: "1.235 ms"
export function duration(ns) {
	const [unit, size] = UNITS.find(([, least]) => Math.abs(ns) >= least) ?? UNITS[3];
	const n = ns / size;
	const digits = size === 1 ? 0 : Math.abs(n) >= 100 ? 1 : Math.abs(n) >= 10 ? 2 : 3;
	return `${grouped(n.toFixed(digits))} ${unit}`;
}

// 142 213 000 and 142 298 000 ns: "142.213 to 142.298 ms, 85.00 µs long". As many digits as tell the
// two ends apart, to a hundredth of what is between them, but none below a nanosecond.
export function interval(from, to) {
	const [unit, size] = UNITS.find(([, least]) => to >= least) ?? UNITS[3];
	const wanted = Math.ceil(Math.log10(size / Math.max(to - from, 1))) + 2;
	const digits = Math.min(Math.max(wanted, 0), Math.log10(size));
	const [begin, end] = [from, to].map((ns) => grouped((ns / size).toFixed(digits)));
	return `${begin} to ${end} ${unit}, ${duration(to - from)} long`;
}

// 1234567: "1 234 567", with thin spaces
export function grouped(n) {
	const [whole, part] = String(n).split('.');
	const text = whole.replace(/\B(?=(\d{3})+$)/g, '\u2009');
	return part ? `${text}.${part}` : text;
}

export function percent(part, whole) {
	return whole > 0 ? `${((100 * part) / whole).toFixed(part < whole / 10 ? 2 : 1)} %` : '–';
}

// Of Linux on x86-64, by number: signal(7).
const SIGNALS = ['', 'HUP', 'INT', 'QUIT', 'ILL', 'TRAP', 'ABRT', 'BUS', 'FPE', 'KILL', 'USR1', 'SEGV', 'USR2',
	'PIPE', 'ALRM', 'TERM', 'STKFLT', 'CHLD', 'CONT', 'STOP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'XCPU', 'XFSZ',
	'VTALRM', 'PROF', 'WINCH', 'IO', 'PWR', 'SYS'];

export function signalName(number) {
	return SIGNALS[number] ? `SIG${SIGNALS[number]}` : `signal ${number}`;
}

export function several(n, one, many = `${one}s`) {
	return `${grouped(n)} ${n === 1 ? one : many}`;
}
