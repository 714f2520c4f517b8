import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../demo/engine-process.ts';
import { lastLine, runCommand } from '../../../local/embedded/process/run-command.ts';
import type { CommandResult } from '../../../local/embedded/process/run-command.ts';

const INSTALL_WITHIN_MS = 120_000;
/** Only for what hangs. */
const MADE_WITHIN_MS = 180_000;
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The path on which Python finds the client `engine_client` and its packages. */
export interface PythonClient {
  client: string;
  packages: string;
}

/** Makes a client of openapi.json below the directory, without a warning. */
export async function makePythonClient(directory: string): Promise<PythonClient> {
  const packages = join(directory, 'packages');
  const client = join(directory, 'client');
  await mkdir(client);
  // The list is complete: a package that it left out would be another version tomorrow.
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', packages];
  const installed = await python([...pip, '--requirement', beside('requirements.txt')], {}, INSTALL_WITHIN_MS);
  if (!installed.ok) {
    const reason = lastLine(installed.output) || 'no answer in time';
    throw new Error(`The generator cannot be had from PyPI (${reason}): Python 3.11 or later with pip is needed.`);
  }
  const words = ['-m', 'openapi_python_client', 'generate', '--path', join(ROOT, 'openapi.json'), '--meta', 'none'];
  words.push('--output-path', join(client, 'engine_client'), '--config', beside('generator.yml'), '--fail-on-warning');
  const made = await python(words, { PYTHONPATH: packages }, MADE_WITHIN_MS);
  if (!made.ok) throw new Error(`No client can be made from openapi.json:\n${made.output}`);
  return { client, packages };
}

export function python(
  words: string[],
  environment: Record<string, string>,
  timeoutMs: number,
): Promise<CommandResult> {
  return runCommand('python3', words, { env: { ...process.env, ...environment }, timeoutMs });
}
