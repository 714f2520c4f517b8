import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { serverArguments } from '../../../../local/embedded/temporal/arguments.ts';
import { findTemporal } from '../../../../local/embedded/temporal/binary.ts';

/** Every kind of task that the server works on for workflows and timers. */
const KINDS = ['transfer', 'timer', 'visibility', 'memoryTimer'];

describe("the embedded Temporal's command line", () => {
  it.each(KINDS)('bounds how many %s tasks the server works on at once', async (kind) => {
    const binary = await findTemporal({
      kind: 'cli',
      cliPath: process.env['TEMPORAL_CLI_PATH'],
      pathVariable: process.env['PATH'],
      env: process.env,
      cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
      log: () => undefined,
    });
    const args = await serverArguments(binary, '/data', { namespace: 'engine', searchAttributes: {} });
    const name = `history.${kind}ProcessorSchedulerWorkerCount=`;
    const [bound] = args.flatMap((arg) => (arg.startsWith(name) ? [Number(arg.slice(name.length))] : []));
    expect(bound).toBeGreaterThanOrEqual(1);
    expect(bound).toBeLessThanOrEqual(8);
  });
});
