import { describe, expect, it } from '@jest/globals';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { createEgress } from '../../../adapters/egress/egress.ts';
import { createAckLooks } from '../../../activities/sending/ack-looks.ts';
import { createMessageActivities } from '../../../activities/sending/messages.ts';
import { applyAcks } from '../../../db/sending/outcome.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { everywhere, onlyBackend } from '../../adapters/backend/only-backend.ts';
import { startStub } from '../../adapters/backend/stub-backend.ts';
import { countRows } from '../../support/rows.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { watched } from '../../db/round-trips.ts';
import { aSentMessage } from '../../db/sending/a-sent-message.ts';
import { UNCLEANED } from '../../support/uncleaned.ts';

const { database, sessionId } = await databaseOfThisFile();
let people = 0;

const SENT = { state: 'sent', level: 0, watch: true } as const;
/** The workflow of such a send ends at once. */
const LOOKED = { ...SENT, watch: false } as const;

async function aSend(minutesAgo = 0): Promise<{ messageId: string; networkId: string }> {
  people += 1;
  const networkId = `SOON${people}`;
  return {
    ...(await aSentMessage(database, sessionId, { chatId: `1555${4_600_000 + people}@c.us`, networkId, minutesAgo })),
    networkId,
  };
}

const ack = (networkId: string, level: AckLevel) =>
  database.transaction((tx) => applyAcks(tx, [{ sessionId, networkId, level, error: null }]));
const signals = (messageId: string) =>
  countRows(database, 'dispatch', { workflowId: `message/${messageId}`, signal: 'acked' });
const looks = (over = database) => createAckLooks({ database: over });

describe('the look for an ack that comes at once', () => {
  it('the activity that has sent a message tells of its delivery, and nobody signals the workflow', async () => {
    const { messageId, networkId } = await aSend();
    const found = looks().withSoonAck(messageId, SENT);
    await ack(networkId, 1);
    await ack(networkId, 2);
    expect(await found).toEqual({ ...LOOKED, level: 2 });
    expect(await signals(messageId)).toBe(0);
  });

  it('the activity tells that the network has refused the message after all', async () => {
    const { messageId, networkId } = await aSend();
    const found = looks().withSoonAck(messageId, SENT);
    await ack(networkId, -1);
    expect(await found).toMatchObject({ state: 'ended', status: 'failed', reason: 'network_error' });
    expect(await signals(messageId)).toBe(0);
  });

  it('a workflow whose ack comes later has ended: the ack changes the row, and signals nobody', async () => {
    const [late, refused] = [await aSend(1), await aSend(1)];
    for (const { messageId } of [late, refused]) expect(await looks().withSoonAck(messageId, SENT)).toEqual(LOOKED);
    await ack(late.networkId, 2);
    await ack(refused.networkId, -1);
    for (const [{ messageId }, status] of [
      [late, 'delivered'],
      [refused, 'failed'],
    ] as const) {
      expect(await signals(messageId)).toBe(0);
      expect(await countRows(database, 'message', { id: messageId, status })).toBe(1);
    }
  });

  it('an activity that finds the message sent when it comes to prepare it looks for the ack, too', async () => {
    await using stub = await startStub(() => ({ status: 500 }));
    const never = async (): Promise<never> => {
      throw new Error('Nothing is prepared.');
    };
    const { messageId, networkId } = await aSend();
    let reads = 0;
    const { prepareAndSend } = createMessageActivities({
      // The first two reads find the message sent; the ack comes before the third.
      database: watched(database, async () => {
        if ((reads += 1) === 3) await ack(networkId, 2);
      }),
      backends: onlyBackend(stub.backend),
      limits: everywhere(createFairSlots({ perOwner: 1, inAll: 1 })),
      shares: EQUAL_SHARES,
      settleDelays: { afterErrorAnswerMs: 0, afterBrokenConnectionMs: 0, longestFileCallMs: 0, giveUpAfterMs: 0 },
      egress: createEgress({ allow: [], userAgent: 'test' }),
      media: { store: { ...UNCLEANED, put: never, get: never }, maxBytes: 0 },
      thumbnails: { make: never, stop: () => undefined },
      stopping: new AbortController().signal,
    });
    expect(await prepareAndSend({ messageId })).toMatchObject({ ...LOOKED, level: 2 });
    expect(await signals(messageId)).toBe(0);
  });

  it('the activity fails when nobody can look, so that it is repeated', async () => {
    const { messageId } = await aSend();
    const broken = watched(database, () => {
      throw new Error('No database.');
    });
    await expect(looks(broken).withSoonAck(messageId, SENT)).rejects.toThrow('No database.');
  });

  it('one statement looks for all sends of the process', async () => {
    let reads = 0;
    const { withSoonAck } = looks(watched(database, () => void (reads += 1)));
    const sends = await Promise.all(Array.from({ length: 10 }, () => aSend()));
    const found = Promise.all(sends.map(({ messageId }) => withSoonAck(messageId, SENT)));
    // At once: on a busy machine ten transactions would be further looks apart.
    const acks = sends.map(({ networkId }) => ({ sessionId, networkId, level: 2 as const, error: null }));
    await database.transaction((tx) => applyAcks(tx, acks));
    expect(await found).toEqual(sends.map(() => ({ ...LOOKED, level: 2 })));
    // They may be applied around a look; each send alone would make ten looks.
    expect(reads).toBeLessThan(10);
  });

  it('a broadcast’s message and one that has arrived are not looked for', async () => {
    const { withSoonAck } = looks(watched(database, () => expect(true).toBe(false)));
    for (const result of [{ ...SENT, watch: false }, { ...SENT, level: 2 }, { state: 'unsettled' as const }])
      expect(await withSoonAck('msg_1', result)).toEqual(result);
  });
});
