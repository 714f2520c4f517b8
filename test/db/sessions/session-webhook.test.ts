import { describe, expect, it } from '@jest/globals';
import { askForLooks, askForWebhooks } from '../../../db/sessions/session-look.ts';
import { readWebhookState, recordLook } from '../../../db/sessions/session-webhook.ts';
import type { SessionWebhook } from '../../../db/sessions/session-webhook.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { deleteRows, findRows } from '../../support/rows.ts';

const MINUTE = 60_000;
const { database, sessionId } = await databaseOfThisFile();

/** A process that started so many minutes ago and gives sessions that address. */
const aProcess = (url: string, startedMinutesAgo: number): SessionWebhook => ({
  url,
  secret: 'hush',
  events: ['message.any'],
  since: new Date(database.clock.now().getTime() - startedMinutesAgo * MINUTE),
});

describe('the webhook of a session, while processes with two addresses run', () => {
  const look = (given: SessionWebhook | null) => database.transaction((tx) => recordLook(tx, sessionId, given));
  const stateFor = (process: SessionWebhook) =>
    database.read((queries) => readWebhookState(queries, sessionId, process));
  const listedBy = async (process: SessionWebhook) => {
    await deleteRows(database, 'dispatch');
    const [session] = await findRows(database, 'session', { id: sessionId }, ['name', 'status']);
    return database.transaction((tx) => askForLooks(tx, { id: 'default', listed: session ? [session] : [] }, process));
  };

  const begunBy = async (process: SessionWebhook) => {
    await deleteRows(database, 'dispatch');
    return database.transaction((tx) => askForWebhooks(tx, 'default', process));
  };

  it('becomes that of the younger, whose list asks for a look until one of its kind has looked', async () => {
    const old = aProcess('http://old.test', 60);
    const young = aProcess('http://young.test', 1);
    expect(await stateFor(old)).toBe('outdated');
    await look(old);
    expect(await stateFor(old)).toBe('ours');
    expect(await stateFor(young)).toBe('outdated');
    expect(await listedBy(old)).toBe(0);
    expect(await listedBy(young)).toBe(1);
    // An old process has looked: it changed nothing, and is not asked again at once.
    await look(null);
    expect(await listedBy(young)).toBe(0);
    database.clock.advance(6 * MINUTE);
    expect(await listedBy(young)).toBe(1);
    await look(young);
    expect(await listedBy(young)).toBe(0);
    expect(await stateFor(old)).toBe('newer');
    expect(await listedBy(old)).toBe(0);
  });

  it('is asked for at once by a process that started after the last ask', async () => {
    const second = aProcess('http://second.test', 0);
    await look(second);
    database.clock.advance(MINUTE);
    const third = aProcess('http://third.test', 0);
    expect(await begunBy(third)).toBe(1);
    await look(third);
    database.clock.advance(MINUTE);
    const fourth = aProcess('http://fourth.test', 0);
    expect(await begunBy(fourth)).toBe(1);
    expect(await begunBy(fourth)).toBe(0);
    await look(fourth);
  });

  it('is given back by a process that is younger still, and not by one that started with the oldest settings first', async () => {
    const rolledBack = aProcess('http://old.test', 0);
    expect(await stateFor(rolledBack)).toBe('outdated');
    await look(rolledBack);
    expect(await stateFor(aProcess('http://young.test', 1))).toBe('newer');
  });
});
