import { createConfig, lintFromString } from '@redocly/openapi-core';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Every rule of the strict set holds but these two. Nothing is fetched: the document refers to nothing outside itself. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The table of errors is shown whole: some codes are answered where there is no operation, or only inside Temporal.
    'no-unused-components': 'off',
    // Some paths begin with the session, as the contract of the API has them (`/{session}/block`). No session bears the
    // name of another path's beginning, so each path is one route's; a test of the reserved names holds that.
    'no-ambiguous-paths': 'off',
  },
});

const path = fileURLToPath(new URL('../openapi.json', import.meta.url));
const problems = await lintFromString({ source: await readFile(path, 'utf8'), absoluteRef: path, config });
for (const { ruleId, severity, message, location } of problems) {
  const [place] = location;
  process.stderr.write(`${severity} ${ruleId} at ${place?.pointer ?? ''}: ${message}\n`);
}
process.stdout.write(`openapi.json: ${problems.length} problems\n`);
if (problems.length > 0) process.exitCode = 1;
