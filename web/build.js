// SPDX-License-Identifier: Apache-2.0
// build.js FOLDER PAGE: makes the page, one file, of what is here and of FOLDER/node_modules.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAX_BYTES = 400_000;
const here = dirname(fileURLToPath(import.meta.url));
const [folder, output] = process.argv.slice(2);
const modules = join(resolve(folder), 'node_modules');

function fail(why) {
	console.error(`page: ${why}`);
	process.exit(1);
}

const { default: esbuild } = await import(pathToFileURL(join(modules, 'esbuild/lib/main.js')));
const built = await esbuild.build({
	entryPoints: [join(here, 'main.js')],
	absWorkingDir: here,
	nodePaths: [modules],
	bundle: true,
	minify: true,
	keepNames: true, // d3-flame-graph asks for the name of a class
	format: 'iife',
	target: ['chrome100', 'firefox100', 'safari15'],
	legalComments: 'none', // their licences are in the page, as a whole
	loader: { '.css': 'text' },
	metafile: true,
	write: false,
	logLevel: 'warning',
});
// Nothing in it may end the script that it stands in.
const script = built.outputFiles[0].text.replaceAll('</script', '<\\/script').trim();

// ---- the licences of all that is in it ----

const [{ inputs }] = Object.values(built.metafile.outputs);
const packages = new Set(Object.keys(inputs)
	.filter((path) => inputs[path].bytesInOutput > 0)
	.map((path) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1])
	.filter(Boolean));
const notice = readFileSync(join(here, 'NOTICE'), 'utf8');
const licences = [...packages].sort().map((name) => {
	const { version, license } = JSON.parse(readFileSync(join(modules, name, 'package.json')));
	const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'License']
		.map((base) => join(modules, name, base)).find(existsSync);
	const line = `${name} ${version} (${license})`;
	if (!notice.split('\n').some((had) => had.startsWith(line)))
		fail(`NOTICE has no line for ${line}`);
	// The text of Apache-2.0 is known, and long; the others have names in them.
	if (license === 'Apache-2.0')
		return `${line}: https://www.apache.org/licenses/LICENSE-2.0`;
	if (!file)
		fail(`${name} has no licence file`);
	return `${line}\n\n${readFileSync(file, 'utf8').trim()}`;
});
for (const line of notice.split('\n').filter((text) => /^\S+ \d+\.\d+\.\d+ \(/.test(text)))
	if (!packages.has(line.split(' ')[0]))
		fail(`NOTICE tells of ${line}, which is not in the page`);

// ---- the page ----

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const parts = {
	css: readFileSync(join(here, 'page.css'), 'utf8'),
	script,
	hash: `sha256-${createHash('sha256').update(script).digest('base64')}`,
	licences: escape(licences.join('\n\n----\n\n')),
};
const page = readFileSync(join(here, 'page.html'), 'utf8')
	.replace(/@(css|script|hash|licences)@/g, (_, name) => parts[name]);
if (page.split('@fctrace-data@').length !== 2)
	fail('the place of the data must occur once');
if (Buffer.byteLength(page) > MAX_BYTES)
	fail(`${Buffer.byteLength(page)} bytes are too many: at most ${MAX_BYTES}`);
writeFileSync(output, page);
