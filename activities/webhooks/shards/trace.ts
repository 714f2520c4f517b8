import { inTracedSpan, isTracing } from '../../../domain/telemetry/tracing.ts';
import type { Attempt } from '../attempt.ts';
import type { ShardStore } from './store.ts';

/** An event of a message names it, also one that is too large to be posted whole. */
const MESSAGE_ID = /"messageId":"([^"]+)"/;

/** Makes the attempt in the trace of the message that the event tells of, if both are there. */
export async function inTraceOf(
  store: Pick<ShardStore, 'traces'>,
  body: Buffer,
  attempt: () => Promise<Attempt>,
): Promise<Attempt> {
  if (!isTracing()) return attempt();
  const parent = await traceOf(store, body).catch(() => undefined);
  return inTracedSpan({ name: 'webhook', kind: 'client', parent }, async (span) => {
    const made = await attempt();
    if (made.status !== null) span.set('http.response.status_code', made.status);
    if (made.class !== 'delivered') span.fail(made.class);
    return made;
  });
}

async function traceOf(store: Pick<ShardStore, 'traces'>, body: Buffer): Promise<string | undefined> {
  const id = MESSAGE_ID.exec(body.toString('utf8'))?.[1];
  return id === undefined ? undefined : (await store.traces([id])).get(id);
}
