import { describe, expect, it } from '@jest/globals';
import { createDrains } from '../../../activities/webhooks/drain.ts';
import { createAttemptSlots } from '../../../activities/webhooks/attempt-slots.ts';
import { startWokenDrains } from '../../../loops/woken-drains.ts';
import { eventually } from '../../support/eventually.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEndpoint, receivers, tellMessage } from './a-drained-endpoint.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('drains that are woken', () => {
  it('an endpoint that hangs takes nothing from the others, nor from itself more than it may', async () => {
    await anEndpoint(database, { url: 'http://hangs.test/', concurrency: 3, ordering: 'parallel' });
    for (let index = 0; index < 3; index += 1) await anEndpoint(database, { url: `http://well-${index}.test/` });
    const world = receivers(({ url }) => (url.includes('hangs') ? { status: 204, delayMs: 400 } : 204));
    const stopping = new AbortController();
    const egress = { post: world.post, get: () => Promise.reject(new Error('none')), close: () => Promise.resolve() };
    const deps = { database, egress, stopping: stopping.signal };
    const drain = createDrains(deps, { slots: createAttemptSlots(16) });
    const woken = startWokenDrains(deps, drain, { warn: () => undefined });
    for (let index = 0; index < 12; index += 1)
      await tellMessage(database, sessionId, `lane-${index}`, `text ${index}`);
    const taken = (name: string) => world.taken.filter(({ url }) => url.includes(name)).length;
    await eventually(() => taken('well') === 36);
    // They were not made to wait for it: it has had time for a part of its own.
    expect(taken('hangs')).toBeLessThan(12);
    await eventually(() => taken('hangs') === 12);

    // One after the other, while the last drain ends or is over: none waits for the poll, which there is not.
    for (let index = 0; index < 5; index += 1) {
      await tellMessage(database, sessionId, 'again', `again ${index}`);
      await eventually(() => taken('well') === 36 + 3 * (index + 1), { withinMs: 5_000 });
    }
    stopping.abort();
    await woken.finish();
  });
});
