import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient, CLIENT, COMPILER } from './build.ts';
import { programOf } from './readme.ts';
import { run } from './run.ts';

/*
 * Builds the client as it is published, and checks the package that npm would take: what is in it, by publint and by "Are
 * the types wrong?", and in the program of its README, compiled as strictly as anybody may. It publishes nothing.
 */

const PUBLINT = 'publint@0.3.25';
const ATTW = '@arethetypeswrong/cli@0.18.5';
/** Nothing else belongs into the package. */
const EXPECTED = /^(LICENSE|README\.md|package\.json|dist\/index\.js|dist\/[\w/-]+\.d\.ts)$/;
const NODE_TYPES = fileURLToPath(new URL('../../../node_modules/@types', import.meta.url));

const directory = await mkdtemp(join(tmpdir(), 'engine-client-'));
try {
  await buildClient();
  const tarball = await pack();
  await run('npx', ['--yes', PUBLINT, tarball, '--strict']);
  say(`${PUBLINT} finds nothing.`);
  // Only what cannot load modules of today is left out.
  await run('npx', ['--yes', ATTW, tarball, '--profile', 'esm-only', '--no-definitely-typed']);
  say(`${ATTW} finds nothing.`);
  await useIt(tarball);
  say('The program of the README compiles with it, and it loads.');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function pack(): Promise<string> {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const [packed]: { filename: string; size: number; files: { path: string }[] }[] = JSON.parse(
    await run('npm', words, CLIENT),
  );
  if (packed === undefined) throw new Error('npm has packed nothing.');
  const names = packed.files.map(({ path }) => path);
  const strange = names.filter((name) => !EXPECTED.test(name));
  const missing = ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts'].filter((name) => !names.includes(name));
  if (strange.length > 0) throw new Error(`These do not belong into the package: ${strange.join(', ')}.`);
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(', ')}.`);
  say(`${packed.filename}: ${names.length} files, ${Math.round(packed.size / 1_000)} kB.`);
  return join(directory, packed.filename);
}

/** Uses the package as a project does that has installed it: no source of this one is in reach. */
async function useIt(tarball: string): Promise<void> {
  const project = join(directory, 'project');
  const installed = join(project, 'node_modules/@messaging-engine/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['--extract', '--gzip', '--strip-components=1', '--file', tarball, '--directory', installed]);
  await symlink(NODE_TYPES, join(project, 'node_modules/@types'));
  const options = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: false,
  };
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
  await writeFile(join(project, 'program.ts'), programOf(await readFile(join(installed, 'README.md'), 'utf8')));
  await run(process.execPath, [COMPILER, '--project', project]);
  const load = "const { Engine } = await import('@messaging-engine/client'); new Engine({ url: 'http://engine' })";
  await run(process.execPath, ['--input-type=module', '--eval', load], project);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
