import { describe, it } from '@jest/globals';
import type { Server } from '../../adapters/backend/backends.ts';
import { takeTurnToList } from '../../db/sessions/session-look.ts';
import { recordLook } from '../../db/sessions/session-webhook.ts';
import { startSessionWatch } from '../../loops/session-watch.ts';
import { databaseOfThisFile } from '../db/database-of-this-file.ts';
import { eventually } from '../support/eventually.ts';
import { countRows, deleteRows, findRows, not } from '../support/rows.ts';

const HOUR = 3_600_000;
const { database, sessionId } = await databaseOfThisFile();

const aWebhook = (url: string, startedAgoMs: number) => ({
  url,
  secret: 'hush',
  events: ['message.any'],
  since: new Date(database.clock.now().getTime() - startedAgoMs),
});

/** The backend's sessions equal our rows. */
const listed = () => findRows(database, 'session', { id: sessionId }, ['name', 'status']);

const aServer = (sessions: { name: string; status: string }[]): Server => ({
  id: 'default',
  weight: 1,
  engine: null,
  ping: () => Promise.resolve(true),
  listSessions: () => Promise.resolve(sessions),
  readClockSkew: () => Promise.resolve(null),
  readStartedAt: () => Promise.resolve(null),
});

describe('the watch of a process that begins at another address', () => {
  it('asks at once for a look at the sessions that still report to the former address, whoever has just listed them', async () => {
    await database.transaction((tx) => recordLook(tx, sessionId, aWebhook('http://former.test', HOUR)));
    await database.transaction((tx) => takeTurnToList(tx, 'default', 0));
    await deleteRows(database, 'dispatch');
    const stop = new AbortController();
    const backends = { servers: [aServer(await listed())] };
    const backendWebhook = aWebhook('http://new.test', 0);
    const stopping = stop.signal;
    const watch = startSessionWatch({ database, backends, backendWebhook, stopping }, HOUR, { warn: () => undefined });
    await eventually(
      async () => (await countRows(database, 'session', { id: sessionId, lookAskedAt: not(null) })) === 1,
    );
    stop.abort();
    await watch.finish();
  });
});
