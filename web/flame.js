// SPDX-License-Identifier: Apache-2.0
// flame.js - the flame graph: d3-flame-graph, and what keys do in it.
import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import * as colours from './colours.js';
import * as search from './search.js';
import { duration, percent, several } from './text.js';

const ROW = 19;
const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;

export function show(data, dom) {
	const { box, detail, reset, byTime, byCalls } = dom;
	const root = data.tree;
	let isByCalls = data.by_calls || root.allTime === 0;
	let at = null;   // of the keys
	let zoomed = null;

	if (root.allCalls === 0 && root.allTime === 0) {
		box.textContent = 'There are no calls in this trace.';
		box.style.padding = '1rem';
		return;
	}
	const own = (node) => (isByCalls ? node.calls : node.self);
	const whole = (node) => (isByCalls ? node.allCalls : node.allTime);

	function told(node) {
		const share = percent(whole(node), whole(root));
		const times = node === root ? duration(node.allTime)
			: `${duration(node.total)} in and below it, ${duration(node.self)} itself`;
		const module = node.who.module ? ` (${node.who.module})` : '';
		const calls = node === root ? node.allCalls : node.calls;
		return `${node.who.name}${module}: ${share}, ${several(calls, 'call')}, ${times}`;
	}

	function colour(d) {
		const { who } = d.data;
		if (!search.isOn())
			return colours.of(who);
		return search.matches(who) ? colours.match() : colours.dimmed();
	}

	const chart = flamegraph()
		.width(box.clientWidth)
		.cellHeight(ROW)
		.minFrameSize(0.6)
		.inverted(true)
		.sort(false)
		.selfValue(true)
		.resetHeightOnZoom(true)
		.transitionDuration(isCalm ? 0 : 150)
		.getName((d) => d.data.who.name)
		.getValue((d) => own(d.data?.who ? d.data : d))
		.setLabelHandler((d) => told(d.data))
		.setDetailsHandler((text) => { detail.textContent = text ?? rest(); })
		.setColorMapper(colour)
		.onClick(onZoom);

	function rest() {
		return zoomed ? `Zoomed to ${told(zoomed.data)}` : 'A click zooms; the graph reads from top (callers) to bottom (callees).';
	}

	function onZoom(d) {
		zoomed = d.parent ? d : null;
		at = d;
		reset.disabled = !zoomed;
		detail.textContent = rest();
		mark();
	}

	const selection = select(box);
	const frames = () => selection.selectAll('g.frame');

	function mark() {
		frames().attr('data-at', (d) => (d === at && document.activeElement === box ? '' : null));
	}

	function tellAll() {
		zoomed = at = null;
		reset.disabled = true;
		byTime.setAttribute('aria-pressed', String(!isByCalls));
		byCalls.setAttribute('aria-pressed', String(isByCalls));
		detail.textContent = rest();
	}

	function weigh(byNumber) {
		if (isByCalls === byNumber)
			return;
		chart.resetZoom();
		isByCalls = byNumber;
		chart.update(root);
		tellAll();
	}

	// ---- keys ----

	function go(to) {
		if (!to)
			return;
		at = to;
		mark();
		detail.textContent = told(at.data);
		const frame = frames().filter((d) => d === at).node();
		frame?.scrollIntoView({ block: 'nearest' });
	}

	function beside(d, step) {
		const row = d.parent?.children ?? [d];
		return row[row.indexOf(d) + step];
	}

	const keys = {
		ArrowUp: () => go(at.parent),
		ArrowDown: () => go(at.children?.[0]),
		ArrowLeft: () => go(beside(at, -1)),
		ArrowRight: () => go(beside(at, 1)),
		Enter: () => chart.zoomTo(at),
		Escape: () => chart.resetZoom(),
	};
	box.addEventListener('keydown', (event) => {
		if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		at ??= selection.datum();
		keys[event.key]();
	});
	box.addEventListener('focus', () => { at ??= selection.datum(); mark(); });
	box.addEventListener('blur', mark);

	// ----

	selection.datum(root).call(chart);
	tellAll();
	if (root.allTime === 0)
		byTime.disabled = true;
	reset.addEventListener('click', () => chart.resetZoom());
	byTime.addEventListener('click', () => weigh(false));
	byCalls.addEventListener('click', () => weigh(true));
	search.onChange(() => chart.update());
	colours.onTheme(() => chart.update());
	let width = box.clientWidth;
	new ResizeObserver(() => {
		if (box.clientWidth === width)
			return;
		width = box.clientWidth;
		chart.width(width).update();
	}).observe(box);
}

// Of all time and calls, how much is in and below what is searched for?
export function found(root) {
	const sums = { time: 0, calls: 0 };
	const stack = [root];
	while (stack.length) {
		const node = stack.pop();
		if (search.matches(node.who)) {
			sums.time += node.allTime;
			sums.calls += node.allCalls;
		} else {
			stack.push(...node.children);
		}
	}
	return sums;
}
