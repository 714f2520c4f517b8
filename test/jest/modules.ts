import { registerHooks } from 'node:module';

const TESTS = new URL('../', import.meta.url).href;
const JEST = new URL('./', import.meta.url).href;
const GLOBALS = new URL('globals.ts', import.meta.url).href;

// The process that gives out the files is gone: without it this one would wait forever.
process.once('disconnect', () => process.exit());

let files = 0;

/**
 * A test file and the furniture under `test/` that it imports are evaluated for this file alone, because they keep
 * state and import `@jest/globals`. All else is evaluated once in a process: to link the engine and its packages anew
 * for each of some three hundred files took as long as the tests.
 */
registerHooks({
  resolve(specifier, context, next) {
    const file = fileOf(context.parentURL);
    if (specifier === '@jest/globals') return { url: `${GLOBALS}${file}`, shortCircuit: true };
    const resolved = next(specifier, context);
    const isFurniture = resolved.url.startsWith(TESTS) && !resolved.url.startsWith(JEST);
    return isFurniture && !resolved.url.includes('?') ? { ...resolved, url: `${resolved.url}${file}` } : resolved;
  },
});

/** Imports a test file, afresh each time. */
export async function importTest(url: URL): Promise<void> {
  files += 1;
  await import(`${url.href}?file=${files}`);
}

/** What the address of a module says of the test file that it is evaluated for. */
function fileOf(url: string | undefined): string {
  const from = url?.startsWith(TESTS) ? url.indexOf('?file=') : -1;
  return from === -1 ? '' : (url?.slice(from) ?? '');
}
