import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../api/openapi.ts';
import { routes } from '../../api/routes.ts';
import { lastLine, runCommand } from '../../local/embedded/process/run-command.ts';
import { ROOT } from '../demo/engine-process.ts';

/** Pins every package, so that a run of today tries what a run of tomorrow does. */
const REQUIREMENTS = join(ROOT, 'tools/fuzz-api/requirements.txt');
const INSTALL_WITHIN_MS = 300_000;
/** Their answers do not end, so each would take as long as the fuzzer waits for one. Tests of their own read them. */
const ENDLESS = ['webhookEvents.stream'];
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** 501 is no fault: it says that the platform of the session cannot do what is asked. */
const NO_FAULTS = ['[checks.not_a_server_error]', 'expected-statuses = ["2xx", "3xx", "4xx", "501"]'];

interface Run {
  /** Tells its files from those of a run at the same time. */
  name: string;
  url: string;
  headers: Record<string, string>;
  /** Values for parameters of these names, wherever they stand. */
  parameters: Record<string, string | number>;
  /** Only what the document allows is asked, or what it forbids, too. */
  onlyValid?: boolean;
  /** An expression that the paths of the operations must match. */
  onlyPaths?: string;
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
  // The whole document has the examples, which the fuzzer sends first.
  const document = join(directory, 'openapi.json');
  await writeFile(document, JSON.stringify(createOpenApiDocument(routes)));
  // Packages outside the list are not fetched: tomorrow they would be another version.
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--target', packages];
  pip.push('--requirement', REQUIREMENTS);
  const installed = await runCommand('python3', pip, { env: process.env, timeoutMs: INSTALL_WITHIN_MS });
  if (!installed.ok) {
    const reason = lastLine(installed.output) || 'no answer in time';
    throw new Error(`schemathesis cannot be installed from PyPI (${reason}): Python 3.11 or later with pip is needed.`);
  }
  return async ({ name, url, headers, parameters, onlyValid = false, onlyPaths = '', maxSeconds }) => {
    const own = join(directory, name);
    await mkdir(own);
    const config = join(own, 'schemathesis.toml');
    // Quoted, because a dot in a bare key of TOML would open a table.
    const lines = Object.entries(parameters).map(([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(value)}`);
    await writeFile(config, ['[parameters]', ...lines, '', ...NO_FAULTS, ''].join('\n'));
    const given = Object.entries(headers).flatMap(([key, value]) => ['--header', `${key}:${value}`]);
    const bounds = ['--phases', 'examples,coverage', '--request-timeout', '35'];
    bounds.push('--mode', onlyValid ? 'positive' : 'all');
    for (const operationId of ENDLESS) bounds.push('--exclude-operation-id', operationId);
    if (onlyPaths !== '') bounds.push('--include-path-regex', onlyPaths);
    // More than one worker makes the Python of Debian fail by itself.
    const ways = ['--checks', CHECKS.join(), '--continue-on-failure', '--seed', '1', '--workers', '1', '--no-color'];
    const words = ['--config-file', config, 'run', document, '--url', url];
    // Its own time limit ends it as if all had been tried, and so ours ends it instead.
    const { ok, ran, output } = await runCommand(
      join(packages, 'bin', 'schemathesis'),
      [...words, ...given, ...bounds, ...ways],
      { cwd: own, env: { ...process.env, PYTHONPATH: packages }, timeoutMs: maxSeconds * 1_000 },
    );
    const [, selected, tested] = /Selected: (\d+)\/\d+\s+Tested: (\d+)/.exec(output) ?? [];
    const isWhole = selected !== undefined && selected === tested;
    return { isClean: ok && isWhole, output: ran ? output : `${output}\nIt was ended after ${maxSeconds} s.` };
  };
}
