// SPDX-License-Identifier: Apache-2.0
// timeline.js - who was called when, a band of rows a thread: flame-chart-js, and what keys do.
import { FlameChartContainer, FlameChartPlugin, MarksPlugin, TimeGridPlugin } from 'flame-chart-js';
import * as colours from './colours.js';
import * as search from './search.js';
import { duration, interval, several } from './text.js';

const ROW = 18;
const HEAD = 50;         // of the times and the marks above the rows, pixels
const MAX_PART = 0.65;   // of the window, as the box in page.css has it
const AT_ONCE = 12;      // threads shown at first
const MAX_MARKS = 40;
const LEVELS = [12, 24]; // of each thread; or all
const FONT = '11px system-ui, "Liberation Sans", sans-serif';

// Rows of its own making: the threads one below the other.
class Rows extends FlameChartPlugin {
	constructor(rows, scroller) {
		super({ data: rows, name: 'rows' });
		this.scroller = scroller;
	}

	parseData() {
		this.flatTree = this.data.nodes;
		this.min = this.data.min;
		this.max = this.data.max;
	}

	// Rows are scrolled by the box around them.
	handlePositionChange({ deltaX, deltaY }) {
		this.interactionsEngine.setCursor('grabbing');
		this.scroller.scrollTop += deltaY;
		this.renderEngine.tryToChangePosition(deltaX);
		this.renderEngine.parent.render();
	}

	reset() {
		this.selectedRegion = null;
	}
}

function unitOf(ns) {
	return ns > 20e9 ? ['s', 1e9] : ns > 20e6 ? ['ms', 1e6] : ['µs', 1e3];
}

const titleOf = (track, n) => `${track.program}  ${track.pid === track.tid ? `process ${track.pid}`
	: `thread ${track.tid} of process ${track.pid}`}${n > 1 ? `, stack ${n}` : ''}`;

function colourOf({ who }) {
	if (!search.isOn())
		return colours.of(who);
	return search.matches(who) ? colours.match() : colours.dimmed();
}

const callOf = (span) => span.who.name + span.values;

function labelOf(span) {
	return span.calls > 1 ? `${several(span.calls, 'call')}, longest ${callOf(span)}` : callOf(span);
}

function toldOf({ span, track }) {
	if (!span)
		return [track.title, several(track.calls, 'call')];
	const at = `at ${duration(span.begin)}, ${track.title}`;
	if (span.calls === 1)
		return [callOf(span), `${duration(span.longest)}${span.who.module ? `, ${span.who.module}` : ''}`, at];
	return [`${several(span.calls, 'call')} within ${duration(span.length)}`,
		`the longest is ${callOf(span)}, ${duration(span.longest)}`, at];
}

function styles() {
	const css = getComputedStyle(document.documentElement);
	const get = (name) => css.getPropertyValue(name).trim();
	return {
		main: { blockHeight: ROW - 1, font: FONT, backgroundColor: get('--panel'), fontColor: get('--front') },
		timeGrid: { color: colours.isDark() ? 'rgba(255,255,255,0.13)' : 'rgba(0,0,0,0.11)' },
		timeGridPlugin: { font: FONT, fontColor: get('--soft') },
	};
}

const MARKS = { lost: '#d9363e', exec: '#2a9d4a', start: '#3a78d8' };

// Not those before the first call: there would be nothing else to see.
function marksOf(data, from, scale) {
	return data.moments.filter(([at, what]) => MARKS[what] && at >= from).slice(0, MAX_MARKS)
		.map(([at, what, pid, , value, text]) => {
			const short = what === 'lost' ? `${value} lost` : what === 'exec' ? `exec ${text.split('/').pop()}` : what;
			return { shortName: short, fullName: `${what} ${text} (process ${pid})`, timestamp: at / scale, color: MARKS[what] };
		});
}

// Threads with several stacks (signals, coroutines) have a track each.
function name(tracks) {
	const seen = new Map();
	for (const track of tracks) {
		const id = `${track.pid}/${track.tid}`;
		seen.set(id, (seen.get(id) ?? 0) + 1);
		track.title = titleOf(track, seen.get(id));
	}
}

// When something happens in them, ns.
function rangeOf(tracks) {
	let min = Infinity, max = 0;
	for (const track of tracks) {
		for (const level of track.levels.filter((l) => l.length)) {
			min = Math.min(min, level[0].begin);
			max = Math.max(max, level.at(-1).begin + level.at(-1).length);
		}
	}
	return [min, Math.max(max, min + 1)];
}

export function show(data, dom) {
	const { box, room, canvas, tip, detail, choice, depth, within } = dom;
	const tracks = data.tracks.filter((track) => track.levels.some((level) => level.length));
	if (!tracks.length) {
		box.textContent = 'There are no calls in this trace.';
		box.style.padding = '1rem';
		choice.disabled = depth.disabled = true;
		return;
	}
	name(tracks);

	const [min, max] = rangeOf(tracks);
	const [unit, scale] = unitOf(max);
	const busiest = [...tracks].sort((a, b) => b.calls - a.calls).slice(0, AT_ONCE);

	function rowsOf(shown) {
		const nodes = [];
		let level = 0;
		const add = (source, at) => nodes.push({
			source, end: source.start + source.duration, parent: null, level: at, index: nodes.length,
		});
		for (const track of shown) {
			add({ name: `${track.title} · ${several(track.calls, 'call')}`, start: min / scale,
				duration: (max - min) / scale, color: head(), track }, level++);
			for (const spans of track.levels.slice(0, nrLevels)) {
				for (const span of spans)
					add({ name: labelOf(span), start: span.begin / scale, duration: span.length / scale,
						color: colourOf(span), span, track }, level);
				level++;
			}
			level++;
		}
		return { nodes, levels: level, min: min / scale, max: max / scale };
	}
	const head = () => (colours.isDark() ? '#2b3138' : '#e8ebee');

	// Of several threads each is to be seen.
	let nrLevels = tracks.length > 1 ? LEVELS[0] : Infinity;
	let shown = tracks.length <= AT_ONCE ? tracks : tracks.filter((track) => busiest.includes(track));
	const rows = new Rows(rowsOf(shown), box);
	const marks = marksOf(data, min, scale);
	const height = () => Math.min(Math.floor(innerHeight * MAX_PART), rows.data.levels * ROW + HEAD);

	canvas.width = box.clientWidth;
	canvas.height = height();
	const plugins = [new TimeGridPlugin(), ...(marks.length ? [new MarksPlugin({ data: marks })] : []), rows];
	const chart = new FlameChartContainer({
		canvas,
		plugins,
		settings: { options: { timeUnits: unit, tooltip }, styles: styles() },
	});
	plugins[0].setSettings({ styles: styles().timeGridPlugin });
	const engine = chart.renderEngine;

	// ---- what the mouse is over ----

	function tooltip(region, _, mouse) {
		const what = region?.data;
		tip.hidden = !what;
		if (!what)
			return;
		const lines = what.source ? toldOf(what.source) : [what.fullName ?? ''];
		tip.replaceChildren(...lines.map((line, i) => {
			const made = document.createElement(i ? 'div' : 'b');
			made.textContent = line;
			return made;
		}));
		const around = canvas.getBoundingClientRect();
		const x = Math.min(around.left + mouse.x + 14, innerWidth - tip.offsetWidth - 8);
		const y = around.top + mouse.y + 16;
		tip.style.left = `${Math.max(4, x)}px`;
		tip.style.top = `${y + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 28 : y}px`;
	}
	canvas.addEventListener('mouseleave', () => { tip.hidden = true; });

	rows.on('select', ({ node }) => {
		detail.textContent = node ? toldOf(node.source).join(' · ') : hint();
	});
	const hint = () => 'Drag to move, Ctrl and wheel to zoom; a double click zooms to a call.';
	canvas.addEventListener('dblclick', () => {
		const source = rows.hoveredRegion?.data.source;
		if (source)
			look(source.start - source.duration / 20, source.start + source.duration * 1.05);
	});

	// ---- where it looks ----

	function look(from, to) {
		const all = rows.max - rows.min;
		const span = Math.min(Math.max(to - from, all * 1e-7), all);
		const begin = Math.min(Math.max(from, rows.min), rows.max - span);
		chart.setZoom(begin, begin + span);
		engine.setPositionX(Math.min(begin, rows.max - engine.getRealView()));
		chart.render();
	}

	const view = () => [engine.positionX, engine.positionX + engine.getRealView()];

	function zoom(factor) {
		const [from, to] = view();
		const middle = (from + to) / 2, half = ((to - from) / 2) * factor;
		look(middle - half, middle + half);
	}

	function move(part) {
		const [from, to] = view();
		look(from + (to - from) * part, to + (to - from) * part);
	}

	const all = () => look(rows.min, rows.max);
	const keys = {
		ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
		'+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: all, Escape: all,
		ArrowUp: () => { box.scrollTop -= ROW * 3; }, ArrowDown: () => { box.scrollTop += ROW * 3; },
	};
	box.addEventListener('keydown', (event) => {
		if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		keys[event.key]();
	});
	dom.zoomIn.addEventListener('click', () => zoom(0.5));
	dom.zoomOut.addEventListener('click', () => zoom(2));
	dom.zoomAll.addEventListener('click', all);

	// The wheel scrolls the page, as everywhere; with Ctrl it zooms.
	box.addEventListener('wheel', (event) => {
		if (!event.ctrlKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY))
			event.stopPropagation();
	}, { capture: true, passive: true });
	box.addEventListener('scroll', () => {
		rows.setPositionY(box.scrollTop);
		chart.render();
	});

	let told = '';
	(function tell() {
		const [from, to] = view();
		const text = interval(from * scale, to * scale);
		if (text !== told)
			within.textContent = told = text;
		requestAnimationFrame(tell);
	})();

	// ---- what it shows ----

	function fit() {
		room.style.height = `${rows.data.levels * ROW + HEAD}px`;
		chart.resize(box.clientWidth, height());
	}

	function redraw() {
		const [from, to] = view();
		const top = box.scrollTop;
		rows.setData(rowsOf(shown));
		fit();
		look(from, to);
		box.scrollTop = top;
		rows.setPositionY(box.scrollTop);
	}

	function option(value, text, to = choice) {
		const made = document.createElement('option');
		made.value = value;
		made.textContent = text;
		to.append(made);
	}
	if (tracks.length > AT_ONCE)
		option('busiest', `The ${AT_ONCE} busiest of ${tracks.length} threads`);
	option('all', `All (${several(tracks.length, 'thread')})`);
	tracks.forEach((track, i) => option(String(i), track.title));
	for (const nr of LEVELS)
		option(nr, `${nr} levels`, depth);
	option(Infinity, 'All levels', depth);
	depth.value = String(nrLevels);
	depth.addEventListener('change', () => {
		nrLevels = Number(depth.value);
		redraw();
	});
	choice.addEventListener('change', () => {
		shown = choice.value === 'all' ? tracks
			: choice.value === 'busiest' ? tracks.filter((track) => busiest.includes(track))
			: [tracks[choice.value]];
		box.scrollTop = 0;
		redraw();
		const [from, to] = rangeOf(shown);
		look((from - (to - from) / 50) / scale, (to + (to - from) / 50) / scale);
	});

	search.onChange(redraw);
	colours.onTheme(() => {
		chart.setSettings({ options: { timeUnits: unit, tooltip }, styles: styles() });
		redraw();
	});
	const refit = () => {
		if (box.clientWidth !== engine.width || height() !== engine.height)
			fit();
	};
	new ResizeObserver(refit).observe(box);
	addEventListener('resize', refit);
	detail.textContent = hint();
	fit();
	// For tests, and for who is curious: what is shown, and where.
	window.fctraceTimeline = { rows, view, look, scale, canvas };
}
