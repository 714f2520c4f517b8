import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';

/** Fetched when the check runs: with what it needs it takes 25 MB, which no other command uses. */
const LINTER = '@redocly/openapi-core@2.64.0';

/** Every rule of the strict set holds but these two. Nothing is fetched: the document refers to nothing outside itself. */
const RULES = {
  extends: ['recommended-strict'],
  rules: {
    // The table of errors is shown whole: some codes are answered where there is no operation, or only inside Temporal.
    'no-unused-components': 'off',
    // Some paths begin with the session, as the contract of the API has them (`/{session}/block`). No session bears the
    // name of another path's beginning, so each path is one route's; a test of the reserved names holds that.
    'no-ambiguous-paths': 'off',
  },
};

type Make = (rules: object) => Promise<object>;
type Lint = (options: { source: string; absoluteRef: string; config: object }) => Promise<unknown>;
const isFunction = (value: unknown): boolean => typeof value === 'function';
const Linter = z.object({ createConfig: z.custom<Make>(isFunction), lintFromString: z.custom<Lint>(isFunction) });
const Problems = z.array(
  z.object({
    ruleId: z.string(),
    severity: z.string(),
    message: z.string(),
    location: z.array(z.object({ pointer: z.string().optional() })),
  }),
);

const directory = await mkdtemp(join(tmpdir(), 'openapi-lint-'));
try {
  const words = ['install', '--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund', LINTER];
  await promisify(execFile)('npm', words);
  const entry = createRequire(join(directory, 'index.js')).resolve('@redocly/openapi-core');
  const { createConfig, lintFromString } = Linter.parse(await import(pathToFileURL(entry).href));

  const path = fileURLToPath(new URL('../openapi.json', import.meta.url));
  const source = await readFile(path, 'utf8');
  const found = await lintFromString({ source, absoluteRef: path, config: await createConfig(RULES) });
  const problems = Problems.parse(found);
  for (const { ruleId, severity, message, location } of problems) {
    const [place] = location;
    process.stderr.write(`${severity} ${ruleId} at ${place?.pointer ?? ''}: ${message}\n`);
  }
  process.stdout.write(`openapi.json: ${problems.length} problems\n`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
