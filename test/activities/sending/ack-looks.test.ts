import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createAckLooks } from '../../../activities/sending/ack-looks.ts';
import { applyAcks } from '../../../db/sending/outcome.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { countOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { watched } from '../../db/round-trips.ts';
import { aSentMessage } from '../../db/sending/a-sent-message.ts';

const { database, sessionId } = await databaseOfThisFile();
let people = 0;

const SENT = { state: 'sent', level: 0, watch: true } as const;

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
  countOf(database, sql`dispatch where workflow_id = ${`message/${messageId}`} and signal = 'acked'`);
const looks = (over = database) => createAckLooks({ database: over, stopping: new AbortController().signal });

describe('the look for an ack that comes at once', () => {
  it('the activity that has sent a message tells of its delivery, and nobody signals the workflow', async () => {
    const { messageId, networkId } = await aSend();
    const found = looks().withSoonAck(messageId, SENT);
    await ack(networkId, 1);
    await ack(networkId, 2);
    expect(await found).toEqual({ ...SENT, level: 2 });
    expect(await signals(messageId)).toBe(0);
  });

  it('the activity tells that the network has refused the message after all', async () => {
    const { messageId, networkId } = await aSend();
    const found = looks().withSoonAck(messageId, SENT);
    await ack(networkId, -1);
    expect(await found).toEqual({ state: 'ended', status: 'failed', reason: 'network_error' });
    expect(await signals(messageId)).toBe(0);
  });

  it('a workflow whose ack comes later watches for it, and is signalled', async () => {
    const { messageId, networkId } = await aSend(1);
    expect(await looks().withSoonAck(messageId, SENT)).toEqual(SENT);
    await ack(networkId, 2);
    expect(await signals(messageId)).toBe(1);
  });

  it('one statement looks for all sends of the process', async () => {
    let reads = 0;
    const { withSoonAck } = looks(watched(database, () => void (reads += 1)));
    const sends = await Promise.all(Array.from({ length: 10 }, () => aSend()));
    const found = Promise.all(sends.map(({ messageId }) => withSoonAck(messageId, SENT)));
    for (const { networkId } of sends) await ack(networkId, 2);
    expect(await found).toEqual(sends.map(() => ({ ...SENT, level: 2 })));
    // The acks may be applied around a look; each send alone would make ten looks.
    expect(reads).toBeLessThan(10);
  });

  it('a broadcast’s message and one that has arrived are not looked for', async () => {
    const { withSoonAck } = looks(watched(database, () => expect(true).toBe(false)));
    for (const result of [{ ...SENT, watch: false }, { ...SENT, level: 2 }, { state: 'unsettled' as const }])
      expect(await withSoonAck('msg_1', result)).toEqual(result);
  });
});
