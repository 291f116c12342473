// SPDX-License-Identifier: Apache-2.0
// main.js - the page: its head, its notes, and its parts put to work.
import * as colours from './colours.js';
import { read } from './data.js';
import * as flame from './flame.js';
import * as search from './search.js';
import * as table from './table.js';
import { duration, grouped, percent, several, signalName } from './text.js';
import * as timeline from './timeline.js';

const MAX_DEATHS = 3; // that are noted

const at = (id) => document.getElementById(id);
const data = read(at('data').textContent);

function fill(parent, tag, texts) {
	for (const text of texts) {
		const made = document.createElement(tag);
		made.textContent = text;
		parent.append(made);
	}
}

// ---- head ----

// Of what fctrace attached to, the programs that were there.
const programs = [...new Set(data.tracks.map((track) => track.program))];
const program = data.args[0]?.split('/').pop() ?? (programs.slice(0, 3).join(', ') || 'a process');
const calls = data.functions.reduce((sum, f) => sum + f.calls, data.other_functions.calls);

function showHead() {
	const pids = new Set(data.tracks.map((track) => track.pid));
	const title = data.args.length ? [program, ...data.args.slice(1)].join(' ')
		: `${program}, ${pids.size === 1 ? `process ${[...pids][0]}` : several(pids.size, 'process', 'processes')}`;
	at('title').textContent = title.length > 160 ? `${title.slice(0, 160)}…` : title;
	document.title = `${program} · fctrace`;
	const nrFunctions = data.functions.length + data.other_functions.functions;
	at('facts').textContent = [several(calls, 'call'), several(nrFunctions, 'function'),
		several(data.tracks.length, 'thread'), duration(data.duration_ns),
		new Date(data.began_ms).toLocaleString()].join(' · ');
}

// ---- notes: what is not there ----

// Who was killed, and by what.
function notesOnDeaths() {
	const killed = data.moments.filter(([, what, , , value]) => what === 'exit' && value & 0x7f);
	const notes = killed.slice(0, MAX_DEATHS).map(([when, , pid, , value]) =>
		`Process ${pid} was killed by ${signalName(value & 0x7f)}, ${duration(when)} after the begin.`);
	if (killed.length > MAX_DEATHS)
		notes.push(`${several(killed.length - MAX_DEATHS, 'more process was', 'more processes were')} killed by signals: see the events.`);
	return notes;
}

function notesOnTrace() {
	const notes = notesOnDeaths();
	if (data.trouble)
		notes.push(data.trouble);
	if (data.lost)
		notes.push(`${several(data.lost, 'record was', 'records were')} lost while recording: calls are missing there, and times around it are longer or shorter than they were.`);
	if (data.unshown_functions)
		notes.push(`Of ${several(data.unshown_functions, 'function')} not all calls are in here: ${grouped(data.counted)} were only counted, and ${several(data.unseen_functions, 'function was', 'functions were')} not seen at all for some time.`);
	if (data.told < data.calls && !data.trouble)
		notes.push(`These are ${grouped(data.told)} of the ${grouped(data.calls)} calls of the trace, those that were asked for.`);
	if (data.waited_ns > data.duration_ns / 10)
		notes.push(`The program waited ${duration(data.waited_ns)} for fctrace: that is inside the times of its calls.`);
	return notes;
}

function notesOnPage() {
	const notes = [];
	const spans = data.tracks.flatMap((track) => track.levels.flat());
	if (spans.some((span) => span.calls > 1))
		notes.push(`Time line: calls shorter than ${duration(data.step_ns)} are drawn together where many begin close to each other; each such block says how many, and which was the longest.`);
	if (data.deeper_calls)
		notes.push(`Time line: ${several(data.deeper_calls, 'call')} deeper than ${several(data.levels, 'level')} are not drawn.`);
	if (data.elsewhere_calls)
		notes.push(`Time line: ${several(data.elsewhere_calls, 'call')} of further threads are not drawn.`);
	if (data.valueless_spans)
		notes.push(`Time line: arguments and results of the longest calls are shown, not those of ${several(data.valueless_spans, 'other')}.`);
	if (data.tree.hasOther)
		notes.push(`Flame graph: of ${grouped(data.stacks)} stacks the heaviest are shown; the rest is summed as [other] where it belongs.`);
	if (data.other_functions.functions)
		notes.push(`Table: ${several(data.other_functions.functions, 'light function')} are summed in its last lines.`);
	if (data.nr_moments > data.moments.length)
		notes.push(`Events: the first ${grouped(data.moments.length)} of ${grouped(data.nr_moments)} are listed.`);
	return notes;
}

function showNotes() {
	const notes = notesOnTrace();
	at('notes').hidden = !notes.length;
	fill(at('notes'), 'li', notes);
}

// ---- about ----

function showSession() {
	const list = document.createElement('dl');
	const add = (term, texts) => {
		fill(list, 'dt', [term]);
		fill(list, 'dd', [texts]);
	};
	add('Command', data.args.join(' ') || '(attached)');
	add('Machine', data.machine);
	add('Began', new Date(data.began_ms).toString());
	add('Lasted', `${duration(data.duration_ns)}${data.is_complete ? '' : ', not recorded to its end'}`);
	const left = notesOnPage();
	add('Left out', left.length ? left.join(' ') : 'Nothing: each call of the trace is in the page.');
	at('session').append(list);
}

function statusText(status) {
	return (status & 0x7f) === 0 ? `with ${status >> 8}` : `by ${signalName(status & 0x7f)}`;
}

function textOf([, what, , , value, text]) {
	switch (what) {
	case 'lost': return several(value, 'record');
	case 'exit': return statusText(value);
	case 'start': case 'fork': return value ? `by ${value}` : '';
	default: return text;
	}
}

function showMoments() {
	const box = at('moments');
	box.querySelector('summary').textContent = several(data.nr_moments, 'event') +
		': starts, programs, exits, losses';
	for (const moment of data.moments) {
		const row = box.querySelector('tbody').insertRow();
		fill(row, 'td', [duration(moment[0]), moment[1], moment[2] || '', moment[3] || '', textOf(moment)]);
	}
}

// ---- search ----

function showFound() {
	if (!search.isOn()) {
		at('found').textContent = '';
		return;
	}
	const matched = data.functions.filter(search.matches);
	const sums = flame.found(data.tree);
	at('found').textContent = matched.length
		? `${several(matched.length, 'function')}, ${several(matched.reduce((sum, f) => sum + f.calls, 0), 'call')}, ${percent(sums.time, data.tree.allTime)} of the time in and below`
		: 'nothing found';
}

function setUpSearch() {
	const input = at('search');
	let timer = 0;
	input.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => search.set(input.value), 120);
	});
	input.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape' && event.key !== 'Enter')
			return;
		if (event.key === 'Escape')
			input.value = '';
		search.set(input.value);
	});
	document.addEventListener('keydown', (event) => {
		if (event.key !== '/' || event.ctrlKey || event.target.matches('input, select'))
			return;
		event.preventDefault();
		input.focus();
		input.select();
	});
	search.onChange(showFound);
}

function pick(func) {
	at('search').value = `"${func.name}"`;
	search.set(at('search').value);
	at('flame').scrollIntoView({ block: 'start' });
}

// ---- all ----

const modules = colours.learn(data.functions);

function showLegend() {
	at('modules').replaceChildren();
	for (const module of modules.slice(0, 6).filter(Boolean)) {
		const entry = document.createElement('span');
		const dot = document.createElement('i');
		dot.style.background = colours.ofModule(module);
		entry.append(dot, module);
		at('modules').append(entry, ' ');
	}
}

showHead();
showNotes();
showSession();
showMoments();
showLegend();
colours.onTheme(showLegend);
setUpSearch();
flame.show(data, { box: at('flame-box'), detail: at('flame-detail'), reset: at('flame-reset'),
	byTime: at('by-time'), byCalls: at('by-calls') });
timeline.show(data, { box: at('time-box'), room: at('time-room'), canvas: at('time-canvas'), tip: at('time-tip'),
	detail: at('time-detail'), choice: at('threads'), depth: at('levels'), within: at('time-span'),
	zoomIn: at('time-in'), zoomOut: at('time-out'), zoomAll: at('time-all') });
table.show(data, { table: at('functions'), more: at('more'), found: at('table-found'), onPick: pick });
document.documentElement.dataset.ready = Math.round(performance.now());
