/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph that is looked at: zoom, search, details. Each frame is
 * <g class="f" data-f="left width level"><title>name, module, details</title><rect/><text/></g>;
 * left and width are shares of the whole. Names only ever become text.
 */
"use strict";
(function () {
	const EDGE = 10, FOOT = 48, LETTER = 7.25, SVG = "http://www.w3.org/2000/svg";
	const root = document.documentElement;
	const at = id => document.getElementById(id);
	const frames = Array.from(document.querySelectorAll(".f"), read);
	let zoom = { left: 0, right: 1, level: -1 };
	let width = 1200;

	function read(g) {
		const [left, share, level] = g.dataset.f.split(" ").map(Number);
		const [name, module, details] = g.querySelector("title").textContent.split("\n");
		const frame = { g, rect: g.querySelector("rect"), text: g.querySelector("text"),
				left, right: left + share, level, name, module, details,
				is_sum: "others" in g.dataset, is_shown: true };
		g.frame = frame;
		return frame;
	}

	/* Numbers in the file are rounded: what is off by less is where it should be. */
	function is_inside(inner, outer) {
		return inner.left >= outer.left - 1e-9 && inner.right <= outer.right + 1e-9;
	}

	function label(frame, x, pixels) {
		const room = Math.floor((pixels - 6) / LETTER), letters = Array.from(frame.name);
		const text = room < 3 ? "" : letters.length <= room ? frame.name :
			     letters.slice(0, room - 2).join("") + "..";
		if (!frame.text) {
			if (!text)
				return;
			frame.text = document.createElementNS(SVG, "text");
			frame.text.setAttribute("y", Number(frame.rect.getAttribute("y")) + 12);
			frame.g.appendChild(frame.text);
		}
		frame.text.textContent = text;
		frame.text.setAttribute("x", x + 3);
	}

	function place(frame) {
		const is_outer = frame.level < zoom.level && is_inside(zoom, frame);
		frame.is_shown = is_outer || (frame.level >= zoom.level && is_inside(frame, zoom));
		frame.g.setAttribute("display", frame.is_shown ? "inline" : "none");
		if (!frame.is_shown)
			return;
		frame.g.classList.toggle("outer", is_outer);
		const scale = (width - 2 * EDGE) / (zoom.right - zoom.left);
		const x = is_outer ? EDGE : EDGE + (frame.left - zoom.left) * scale;
		const pixels = is_outer ? width - 2 * EDGE : (frame.right - frame.left) * scale;
		frame.rect.setAttribute("x", x);
		frame.rect.setAttribute("width", pixels);
		label(frame, x, pixels);
	}

	function draw() {
		width = Math.max(400, root.clientWidth || 1200);
		frames.forEach(place);
		at("matched").setAttribute("x", width - EDGE);
		at("search").setAttribute("x", width - EDGE);
		at("box").setAttribute("x", width - EDGE - 300);
		at("reset").setAttribute("display", zoom.level > 0 ? "inline" : "none");
		count();
	}

	function zoom_to(frame) {
		/* What has no width cannot be made wider. */
		zoom = frame && frame.right > frame.left ? frame : { left: 0, right: 1, level: -1 };
		draw();
	}

	function tell(frame) {
		at("name").textContent = frame ?
			frame.name + (frame.module ? " [" + frame.module + "]" : "") : "";
		at("details").textContent = frame ? frame.details : "";
	}

	/* ---- search ---- */

	function matcher(term) {
		try {
			const pattern = new RegExp(term, "i");
			return text => pattern.test(text);
		} catch (e) {
			return text => text.toLowerCase().includes(term.toLowerCase());
		}
	}

	function search() {
		const term = at("term").value, is_found = matcher(term);
		for (const frame of frames) {
			frame.is_found = term !== "" && !frame.is_sum && frame.level > 0 &&
					 (is_found(frame.name) || is_found(frame.module));
			frame.g.classList.toggle("found", frame.is_found);
		}
		count();
	}

	/* The share of what is shown that is in frames found, or below them: each part once. */
	function count() {
		const found = frames.filter(f => f.is_found && f.is_shown);
		found.sort((a, b) => a.left - b.left || b.right - a.right);
		let end = zoom.left, sum = 0;
		for (const frame of found) {
			const right = Math.min(frame.right, zoom.right);
			sum += Math.max(0, right - Math.max(frame.left, end));
			end = Math.max(end, right);
		}
		const share = 100 * sum / (zoom.right - zoom.left);
		at("matched").textContent = at("term").value === "" ? "" :
			"Matched: " + share.toFixed(1) + "% in " + found.length +
			(found.length === 1 ? " frame" : " frames");
	}

	function open_search() {
		at("box").setAttribute("display", "inline");
		at("search").setAttribute("display", "none");
		at("term").focus();
		at("term").select();
	}

	function close_search() {
		at("term").value = "";
		at("box").setAttribute("display", "none");
		at("search").setAttribute("display", "inline");
		search();
	}

	/* ---- what the user does ---- */

	function frame_of(event) {
		const g = event.target.closest && event.target.closest(".f");
		return g ? g.frame : null;
	}

	function on_key(event) {
		const is_typing = event.target === at("term");
		if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f" ||
		    event.key === "F3" || event.key === "/" && !is_typing) {
			event.preventDefault();
			open_search();
		} else if (event.key === "Escape" && at("term").value + is_typing !== "false") {
			close_search();
		} else if (event.key === "Escape") {
			zoom_to(null);
		} else if (event.key === "Enter" && is_typing) {
			at("term").blur();
		}
	}

	/* Head and foot stay where they can be seen. */
	function stay() {
		const height = Number(root.getAttribute("height"));
		const foot = Math.min(height, window.scrollY + window.innerHeight) - FOOT;
		at("head").setAttribute("transform", "translate(0," + Math.max(0, window.scrollY) + ")");
		at("foot").setAttribute("transform", "translate(0," + foot + ")");
	}

	at("frames").addEventListener("click", e => frame_of(e) && zoom_to(frame_of(e)));
	at("frames").addEventListener("mouseover", e => tell(frame_of(e)));
	at("frames").addEventListener("mouseout", () => tell(null));
	at("reset").addEventListener("click", () => zoom_to(null));
	at("search").addEventListener("click", open_search);
	at("term").addEventListener("input", search);
	window.addEventListener("keydown", on_key);
	window.addEventListener("resize", () => { draw(); stay(); });
	window.addEventListener("scroll", stay);

	/* As wide as the window, from its foot on, where stacks begin. */
	root.removeAttribute("viewBox");
	root.setAttribute("width", "100%");
	at("search").setAttribute("display", "inline");
	draw();
	if (window.top === window)
		window.scrollTo(0, root.getAttribute("height"));
	stay();
})();
