import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastLine, runCommand } from '../../embedded/process/run-command.ts';
import { ROOT } from '../../demo/engine-process.ts';

const REQUIREMENT = 'schemathesis==4.32.5';
const INSTALL_WITHIN_MS = 120_000;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

interface Run {
  /** Tells its files from those of a run at the same time. */
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Values for parameters of these names, wherever they stand, so that not everything ends at "not found". */
  parameters: Record<string, string>;
  maxSeconds: number;
}

interface Found {
  /** Every operation was tried to its end, and every answer was one that the document describes. */
  isClean: boolean;
  /** Says what was not. */
  output: string;
}

export type Fuzzer = (run: Run) => Promise<Found>;

/** Installs it from PyPI into this directory. */
export async function installSchemathesis(directory: string): Promise<Fuzzer> {
  await mkdir(directory);
  const packages = join(directory, 'packages');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', packages, REQUIREMENT];
  const installed = await runCommand('python3', pip, { env: process.env, timeoutMs: INSTALL_WITHIN_MS });
  if (!installed.ok) {
    const reason = lastLine(installed.output) || 'no answer in time';
    throw new Error(`${REQUIREMENT} cannot be installed from PyPI (${reason}): python3 with pip is needed.`);
  }
  return async ({ name, url, headers, parameters, maxSeconds }) => {
    const own = join(directory, name);
    await mkdir(own);
    const config = join(own, 'schemathesis.toml');
    const lines = Object.entries(parameters).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    await writeFile(config, ['[parameters]', ...lines, ''].join('\n'));
    const given = Object.entries(headers).flatMap(([key, value]) => ['--header', `${key}:${value}`]);
    const bounds = ['--phases', 'examples,coverage', '--request-timeout', '35'];
    // More than one worker makes the Python of Debian fail by itself.
    const ways = ['--checks', CHECKS.join(), '--continue-on-failure', '--seed', '1', '--workers', '1', '--no-color'];
    const words = ['--config-file', config, 'run', join(ROOT, 'openapi.json'), '--url', url];
    // Its own time limit ends it as if all had been tried, and so ours ends it instead.
    const { ok, ran, output } = await runCommand(
      join(packages, 'bin', 'schemathesis'),
      [...words, ...given, ...bounds, ...ways],
      { cwd: own, env: { ...process.env, PYTHONPATH: packages }, timeoutMs: maxSeconds * 1_000 },
    );
    return { isClean: ok, output: ran ? output : `${output}\nIt was ended after ${maxSeconds} s.` };
  };
}
