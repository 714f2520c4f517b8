import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/*
 * Runs the tests on a machine that is busy with other things: two endless loops a core take turns with them. Words after
 * the command go to jest: `npm run test:busy -- test/journeys`.
 */

const LOOPS_PER_CORE = 2;
const JEST = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));

const loops = Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], {
    stdio: 'ignore',
  }),
);
const stop = (): void => loops.forEach((loop) => void loop.kill('SIGKILL'));
process.once('exit', stop);
const jest = spawn(process.execPath, [JEST, ...process.argv.slice(2)], { stdio: 'inherit' });
// The terminal sends an interrupt to jest as well, which stops its servers first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => jest.kill(signal));
const [code] = await once(jest, 'exit');
stop();
process.exitCode = code === 0 ? 0 : 1;
