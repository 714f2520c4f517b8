import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { activityInterceptors } from '../../worker/interceptors.ts';

/** Runs an activity as a worker does, so that it fails as Temporal sees it; `info` is what Temporal says of the attempt. */
export function inActivity<I, R>(
  activity: (input: I) => Promise<R>,
  input: I,
  info: Pick<Partial<Info>, 'heartbeatDetails' | 'isLocal' | 'attempt'> = {},
): Promise<R> {
  const environment = new MockActivityEnvironment(info, {
    interceptors: [activityInterceptors(() => undefined)],
    logger: new DefaultLogger('ERROR', () => undefined),
  });
  return environment.run<[I], R, typeof activity>(activity, input);
}
