import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const TESTS = new URL('../', import.meta.url).href;
const JEST = new URL('./', import.meta.url).href;
const GLOBALS = new URL('globals.ts', import.meta.url).href;

// The process that gives out the files is gone: without it this one would wait forever.
process.once('disconnect', () => process.exit());

// Each engine starts two threads for its workflows, which load the SDK anew. They take it compiled from here. This
// process does not, because it would also keep what belongs to one file.
const compiled = process.env['TEST_COMPILED'];
if (compiled !== undefined) process.env['NODE_COMPILE_CACHE'] = compiled;

let files = 0;
/** The modules under `test/` without their types. Each file evaluates them, and to strip one takes 2 to 4 ms. */
const stripped = new Map<string, string>();

// Node warns once in a process that this function may change.
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = () => undefined;
stripTypeScriptTypes('');
process.emitWarning = emitWarning;

/**
 * A test file and the modules under `test/` that it imports are evaluated for this file alone, because they keep state
 * and import `@jest/globals`. All else is evaluated once in a process. Jest cannot: it gives each file a module registry
 * of its own, and to load the engine and its packages takes 3.4 s of CPU, the next file 0.1 s. That saves 3.3 s for each
 * file that needs the engine, some 300.
 */
registerHooks({
  resolve(specifier, context, next) {
    const file = fileOf(context.parentURL);
    if (specifier === '@jest/globals') return { url: `${GLOBALS}${file}`, shortCircuit: true };
    const resolved = next(specifier, context);
    const isFurniture = resolved.url.startsWith(TESTS) && !resolved.url.startsWith(JEST);
    return isFurniture && !resolved.url.includes('?') ? { ...resolved, url: `${resolved.url}${file}` } : resolved;
  },
  load(url, context, next) {
    const address = url.startsWith(TESTS) ? url.replace(/\?file=.*/, '') : url;
    if (!url.includes('?file=') || !address.endsWith('.ts')) return next(url, context);
    const source = stripped.get(address) ?? stripTypeScriptTypes(readFileSync(fileURLToPath(address), 'utf8'));
    // A process of its own reads each text once; the one that watches reads it again after a change.
    if (process.connected) stripped.set(address, source);
    return { format: 'module', source, shortCircuit: true };
  },
});

/** Imports a test file, afresh each time. */
export async function importTest(url: URL): Promise<void> {
  files += 1;
  await import(`${url.href}?file=${files}`);
}

/** Returns the test file of a module's address. */
function fileOf(url: string | undefined): string {
  const from = url?.startsWith(TESTS) ? url.indexOf('?file=') : -1;
  return from === -1 ? '' : (url?.slice(from) ?? '');
}
