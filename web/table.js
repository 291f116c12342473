// SPDX-License-Identifier: Apache-2.0
// table.js - all functions, in the order asked for.
import * as search from './search.js';
import { duration, grouped, percent, several } from './text.js';

const PAGE = 200; // rows shown at first, and with each click on "more"
const COLUMNS = [
	{ key: 'name', title: 'Function' },
	{ key: 'module', title: 'Module' },
	{ key: 'calls', title: 'Calls', text: (f) => grouped(f.calls) },
	{ key: 'total', title: 'Total', text: (f) => timed(f, f.total) },
	{ key: 'self', title: 'Self', text: (f) => timed(f, f.self) },
	{ key: 'avg', title: 'Avg', text: (f) => timed(f, f.avg) },
	{ key: 'max', title: 'Max', text: (f) => timed(f, f.max) },
];

const timed = (f, ns) => (f.timed || ns ? duration(ns) : '–');

function compare(key, isUp) {
	const sign = isUp ? 1 : -1;
	return (a, b) => (typeof a[key] === 'string'
		? (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : 0)
		: sign * (a[key] - b[key])) || a.number - b.number;
}

function element(tag, className, text) {
	const made = document.createElement(tag);
	if (className)
		made.className = className;
	if (text !== undefined)
		made.textContent = text;
	return made;
}

export function show(data, { table, more, found, onPick }) {
	const [head, body, foot] = [table.tHead, table.tBodies[0], table.tFoot];
	let sorted = { key: data.by_calls ? 'calls' : 'total', isUp: false };
	let nrShown = PAGE;
	const wholeSelf = data.tree.allTime;

	function rowOf(f) {
		const row = element('tr');
		for (const { key, text } of COLUMNS) {
			const cell = element('td', text ? 'number' : key, text?.(f));
			if (key === 'name') {
				const button = element('button', '', f.name);
				button.type = 'button';
				button.title = `${f.name}: show it in the flame graph and the time line`;
				button.addEventListener('click', () => onPick(f));
				cell.append(button);
			} else if (key === 'module') {
				cell.textContent = f.module;
				cell.title = f.module;
			} else if (key === 'self' && wholeSelf) {
				cell.classList.add('share');
				cell.style.setProperty('--part', `${(100 * f.self) / wholeSelf}%`);
				cell.title = percent(f.self, wholeSelf);
			}
			row.append(cell);
		}
		return row;
	}

	function draw() {
		const wanted = data.functions.filter((f) => !search.isOn() || search.matches(f));
		wanted.sort(compare(sorted.key, sorted.isUp));
		body.replaceChildren(...wanted.slice(0, nrShown).map(rowOf));
		for (const cell of head.rows[0].cells)
			cell.setAttribute('aria-sort', cell.dataset.key !== sorted.key ? 'none'
				: sorted.isUp ? 'ascending' : 'descending');
		const rest = wanted.length - nrShown;
		more.hidden = rest <= 0;
		more.textContent = `Show ${grouped(Math.min(rest, PAGE))} more of ${grouped(Math.max(rest, 0))}`;
		found.textContent = several(wanted.length, 'function');
	}

	function sort(key) {
		const isText = key === 'name' || key === 'module';
		sorted = { key, isUp: sorted.key === key ? !sorted.isUp : isText };
		draw();
	}

	const titles = element('tr');
	for (const { key, title, text } of COLUMNS) {
		const cell = element('th', text ? 'number' : '');
		const button = element('button', '', title);
		button.type = 'button';
		button.addEventListener('click', () => sort(key));
		cell.dataset.key = key;
		cell.scope = 'col';
		cell.append(button);
		titles.append(cell);
	}
	head.append(titles);

	function footRow(name, calls, self) {
		const row = element('tr');
		const texts = { name, calls: grouped(calls), self: duration(self) };
		row.append(...COLUMNS.map(({ key, text }) =>
			element('td', text ? 'number' : key, texts[key] ?? '')));
		foot.append(row);
	}

	const { functions, calls, self_ns } = data.other_functions;
	if (functions)
		footRow(`${several(functions, 'other function')}`, calls, self_ns);
	footRow('All', data.functions.reduce((sum, f) => sum + f.calls, calls),
		data.functions.reduce((sum, f) => sum + f.self, self_ns));
	more.addEventListener('click', () => { nrShown += PAGE; draw(); });
	search.onChange(() => { nrShown = PAGE; draw(); });
	draw();
}
