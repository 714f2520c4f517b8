import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../demo/engine-process.ts';

const N8N_VERSION = '2.41.1';
const NODES = join(ROOT, 'packages/n8n');
const MAX_OUTPUT_BYTES = 64 * 1_048_576;

/**
 * Installs n8n, 2.9 GB, and keeps it for the next run. Install scripts stay off, since some would download programs;
 * the tests need none of these.
 */
export async function installN8n(): Promise<string> {
  const cache = process.env['N8N_CACHE'] ?? join(homedir(), '.cache/messaging-engine/n8n');
  const directory = join(cache, N8N_VERSION);
  const program = join(directory, 'node_modules/n8n/bin/n8n');
  const done = join(directory, 'installed');
  if ((await readFile(done).catch(() => null)) !== null) return program;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  await npm(directory, 'install', '--ignore-scripts', '--no-audit', '--no-fund', `n8n@${N8N_VERSION}`);
  await writeFile(done, '');
  return program;
}

/** Builds the package as it is published, with n8n's own tools and their lint, and returns the directory that n8n loads. */
export async function buildNodes(scratch: string): Promise<string> {
  const directory = join(scratch, 'nodes');
  await cp(NODES, directory, { recursive: true, filter: (path) => !/\/(?:node_modules|dist)$/.test(path) });
  await npm(directory, 'install', '--ignore-scripts', '--no-audit', '--no-fund');
  await npm(directory, 'run', 'lint');
  await npm(directory, 'run', 'build');
  // n8n looks for nodes in everything below, the installed packages among it.
  const custom = join(scratch, 'custom');
  await cp(join(directory, 'dist'), join(custom, 'dist'), { recursive: true });
  await cp(join(directory, 'package.json'), join(custom, 'package.json'));
  return custom;
}

async function npm(cwd: string, ...words: string[]): Promise<void> {
  await promisify(execFile)('npm', words, { cwd, maxBuffer: MAX_OUTPUT_BYTES }).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error instanceof Error ? Object.fromEntries(Object.entries(error)) : {};
    throw new Error(`npm ${words.join(' ')} failed:\n${String(stdout).slice(-3_000)}${String(stderr).slice(-3_000)}`);
  });
}
