import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../demo/engine-process.ts';
import { run } from '../package/run.ts';
import { makePythonClient } from '../python/generate.ts';

/*
 * Has the generators that most people use make clients from openapi.json, and compiles what they make together with a
 * program that uses it. Each reads the document in its own way, and ends at what the others accept.
 */

/** Fetched when this runs, because an installation of the engine needs none of it. */
const HEY_API = '@hey-api/openapi-ts@0.99.0';
const OPENAPI_TYPESCRIPT = 'openapi-typescript@7.13.0';
/** Both generators call the compiler as a library, which the engine's own no longer is. */
const COMPILER = 'typescript@5.9.3';
const DOCUMENT = join(ROOT, 'openapi.json');

const directory = await mkdtemp(join(tmpdir(), 'engine-stock-'));
const bin = (name: string): string => join(directory, 'node_modules/.bin', name);
try {
  await inTypeScript();
  await inPython();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function inTypeScript(): Promise<void> {
  await writeFile(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, HEY_API, OPENAPI_TYPESCRIPT, COMPILER], directory);
  await run(bin('openapi-ts'), ['--input', DOCUMENT, '--output', 'hey-api', '--no-log-file'], directory);
  await run(bin('openapi-typescript'), [DOCUMENT, '--output', 'openapi-typescript.d.ts'], directory);
  // Named so that the engine's own compiler, which has no such clients, leaves it out.
  await copyFile(fileURLToPath(new URL('program.txt', import.meta.url)), join(directory, 'program.ts'));
  const options = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  const project = { compilerOptions: options, include: ['hey-api', '*.ts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(project));
  await run(bin('tsc'), ['--project', directory], directory);
  say(`What ${HEY_API} and ${OPENAPI_TYPESCRIPT} make of openapi.json compiles.`);
}

async function inPython(): Promise<void> {
  const { client } = await makePythonClient(directory);
  await run('python3', ['-m', 'compileall', '-q', client]);
  say('What openapi-python-client makes of openapi.json compiles.');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
