import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const JEST = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));

/**
 * Runs the property tests with all their seeds and orders, of which `npm test` tries a few. Returns true when all pass.
 */
export async function proveProperties(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((path) =>
    readFileSync(`${ROOT}${path}`, 'utf8').includes("support/depth.ts'"),
  );
  if (files.length === 0) throw new Error('No test imports test/support/depth.ts.');
  const jest = spawn(process.execPath, [JEST, '--runTestsByPath', ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...environment, TEST_DEPTH: 'all' },
  });
  const [code] = await once(jest, 'exit');
  return code === 0;
}
