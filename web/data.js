// SPDX-License-Identifier: Apache-2.0
// data.js - what fctrace put into the page (src/show/export/html/html_data.c), as the other parts want it.
//
// functions  [name, module, calls, timed calls, total, self, min, avg, max] each, times in ns,
//            heaviest first; the module is a number in modules
// tree       five numbers a node: parent's number (-1: none), name, calls, total, self
// tracks     {pid, tid, program, calls, levels}; a level is a row of spans, in order of time:
//            ns since the end of the one before, duration, name, calls, and the duration of the
//            longest where that is more than one; then, where it is known, a text: what that
//            call was given and returned
// moments    [time, what, pid, tid, value, text]
// calls      of the trace; told: of these, those that were asked for
// words      a name is the number of a function, or -1 - i for word i

const NOBODY = { module: '', isWord: true, key: 0 };

function functionsOf(raw) {
	return raw.functions.map(([name, module, calls, timed, total, self, min, avg, max], number) =>
		({ name, module: raw.modules[module], calls, timed, total, self, min, avg, max, number,
			isWord: false }));
}

// Sums of self times and calls at and below each node; a parent comes before its children.
function treeOf(raw, who) {
	const root = { who: { ...NOBODY, name: 'all' }, calls: 0, total: 0, self: 0, children: [] };
	const nodes = [];
	for (let i = 0; i < raw.tree.length; i += 5) {
		const [parent, name, calls, total, self] = raw.tree.slice(i, i + 5);
		const node = { who: who(name), calls, total, self, children: [], parent: nodes[parent] ?? root };
		node.parent.children.push(node);
		nodes.push(node);
	}
	for (const node of nodes.concat(root)) {
		node.allCalls = node.calls;
		node.allTime = node.self;
	}
	for (const node of nodes.reverse()) {
		node.parent.allCalls += node.allCalls;
		node.parent.allTime += node.allTime;
	}
	root.total = root.allTime;
	root.hasOther = nodes.some((node) => node.who.isWord && node.who.name === '[other]');
	for (const node of nodes.concat(root))
		node.children.sort((a, b) => b.allTime - a.allTime || b.allCalls - a.allCalls);
	return root;
}

function spansOf(level, who) {
	const spans = [];
	let at = 0;
	for (let i = 0; i < level.length;) {
		const begin = at + level[i++];
		const length = level[i++];
		const func = who(level[i++]);
		const calls = level[i++];
		const longest = calls > 1 ? level[i++] : length;
		const values = typeof level[i] === 'string' ? level[i++] : '';
		spans.push({ begin, length, who: func, calls, longest, values });
		at = begin + length;
	}
	return spans;
}

export function read(text) {
	const raw = JSON.parse(text);
	const functions = functionsOf(raw);
	const words = raw.words.map((name) => ({ ...NOBODY, name }));
	const who = (number) => (number >= 0 ? functions[number] : words[-1 - number]);
	return {
		...raw,
		functions,
		tree: treeOf(raw, who),
		tracks: raw.tracks.map((track) =>
			({ ...track, levels: track.levels.map((level) => spansOf(level, who)) })),
	};
}
