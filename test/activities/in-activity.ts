import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** Runs an activity as a worker does; `info` is what Temporal says of the attempt. */
export function inActivity<I, R>(
  activity: (input: I) => Promise<R>,
  input: I,
  info: Pick<Partial<Info>, 'heartbeatDetails'> = {},
): Promise<R> {
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR', () => undefined) });
  return environment.run<[I], R, typeof activity>(activity, input);
}
