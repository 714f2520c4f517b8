import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAckWatchdog } from '../../../activities/sending/ack-watchdog.ts';
import type { Database } from '../../../db/engine/database.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import { EngineError } from '../../../domain/error.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { aDatabase, aWorkingSession } from '../../db/a-database.ts';
import { aSentMessage } from '../../db/sending/a-sent-message.ts';
import { changeRows, findRows } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

describe('readMissingAcks: a sent message whose ack was lost', () => {
  let database: Database;
  let sessionId: string;
  let stopping: AbortController;
  let people = 0;

  beforeAll(async () => {
    database = await aDatabase();
    sessionId = await aWorkingSession(database);
  });
  afterAll(() => database.close());
  beforeEach(() => {
    stopping = new AbortController();
  });

  /** One more message, which alone is due for a look. */
  async function aMessage(): Promise<string> {
    people += 1;
    await changeRows(database, 'message', { ack: 1 }, { ack: 0 });
    const sent = { chatId: `1555080000${people}@c.us`, networkId: `N${people}` };
    return (await aSentMessage(database, sessionId, sent)).messageId;
  }

  const looks = (readAck: () => Promise<AckLevel | null>) => {
    const { readMissingAcks } = createAckWatchdog({
      database,
      backends: everywhere({ readAck }),
      stopping: stopping.signal,
    });
    return inActivity(readMissingAcks, undefined);
  };
  const statusOf = async (messageId: string) =>
    (await findRows(database, 'message', { id: messageId }, ['status']))[0]?.status;

  it('has the level that the backend knows', async () => {
    const messageId = await aMessage();
    expect(await looks(async () => 2)).toEqual({ asked: 1, found: 1 });
    expect(await statusOf(messageId)).toBe('delivered');
  });

  it('stays sent where the backend knows of no ack, and is asked about later', async () => {
    const messageId = await aMessage();
    expect(await looks(async () => 0)).toEqual({ asked: 1, found: 0 });
    expect(await statusOf(messageId)).toBe('sent');
    expect(await looks(async () => 2)).toEqual({ asked: 0, found: 0 });
  });

  it.each(['backend_unavailable', 'session_not_ready'] as const)(
    'has its look back where the answer is %s',
    async (code) => {
      await aMessage();
      expect(await looks(() => Promise.reject(new EngineError(code, 'away')))).toEqual({ asked: 0, found: 0 });
      database.clock.advance(60_000);
      expect(await looks(async () => 2)).toEqual({ asked: 1, found: 1 });
    },
  );

  it('has its look back where the process stops before it', async () => {
    await aMessage();
    stopping.abort(new Error('stopping'));
    await expect(looks(async () => 2)).rejects.toMatchObject({ type: 'internal', nonRetryable: false });
    stopping = new AbortController();
    database.clock.advance(60_000);
    expect(await looks(async () => 2)).toEqual({ asked: 1, found: 1 });
  });
});
