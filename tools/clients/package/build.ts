import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { run } from './run.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const CLIENT = join(ROOT, 'packages/typescript');
export const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const DIST = join(CLIENT, 'dist');

if (import.meta.main) await buildClient();

/** Makes what is published: all of the client as one readable script, and its types as they stand in the sources. */
export async function buildClient(): Promise<void> {
  await rm(DIST, { recursive: true, force: true });
  await build({
    entryPoints: [join(CLIENT, 'src/index.ts')],
    outfile: join(DIST, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  await run(process.execPath, [COMPILER, '--project', join(CLIENT, 'tsconfig.build.json')]);
  for (const name of await readdir(DIST, { recursive: true })) {
    if (name.endsWith('.d.ts')) await nameDeclarations(join(DIST, name));
  }
}

/** The compiler leaves the names of sources in declarations, which are not there for whoever installs the package. */
async function nameDeclarations(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
}
