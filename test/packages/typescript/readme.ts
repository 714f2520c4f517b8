import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '../../../tools/clients/package/readme.ts';

const README = new URL('../../../packages/typescript/README.md', import.meta.url);
const SOURCES = new URL('../../../packages/typescript/src/index.ts', import.meta.url);

/** Runs the program that the README of the client shows, and `more` behind it, and returns what it prints. */
export async function runReadme(environment: Record<string, string>, more: string): Promise<string> {
  const shown = programOf(await readFile(README, 'utf8'));
  const program = shown.replaceAll("'@messaging-engine/client'", `'${SOURCES.href}'`);
  const directory = await mkdtemp(join(tmpdir(), 'client-readme-'));
  try {
    const path = join(directory, 'program.ts');
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(path, `${program}\n${more}`);
    const env = { PATH: process.env['PATH'], ...environment };
    return (await promisify(execFile)(process.execPath, [path], { env })).stdout;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
