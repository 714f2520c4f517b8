import { describe, expect, it } from '@jest/globals';
import { readAgencyBacklog } from '../../../db/operations/agency-backlog.ts';
import { PRIORITY } from '../../../domain/names.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { addRow, ago, changeRows } from '../../support/rows.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const api = await apiOfThisFile('shedding-in-temporal');
let agencies = 0;
let sends = 0;

interface Wait {
  /** The minutes from the release to the send. */
  minutes: number;
  sentAgo?: { seconds: number };
  changes?: object;
}

/** An agency whose sends waited for a worker as long as this, and went within the last minute. */
async function anAgencyThatSent(...waits: Wait[]): Promise<Sender & { conversationId: string }> {
  const sender = await aSender(api, `waited-${(agencies += 1)}`);
  await changeRows(api.database, 'session', { statusChangedAt: ago({ days: 1 }) }, { id: sender.session.id });
  let conversationId = '';
  for (const { minutes, sentAgo = { seconds: 5 }, changes = {} } of waits) {
    const made = await sender.send({ to: somebody(), text: 'Hello' });
    ({ conversationId } = made);
    const networkId = `waited-${(sends += 1)}`;
    const releasedAt = ago({ seconds: sentAgo.seconds + minutes * 60 });
    const times = { releasedAt, takenAt: ago(sentAgo), sentAt: ago(sentAgo) };
    const sent = { status: 'sent', networkId, ...times, attempts: 1, ...changes };
    await changeRows(api.database, 'message', sent, { id: made.messageId });
  }
  return { ...sender, conversationId };
}
const times = (count: number, wait: Wait): Wait[] => Array.from({ length: count }, () => wait);
/** The wait of each priority in minutes. The door itself remembers it for a second. */
async function waitsOf({ agencyId }: Sender): Promise<[number, number][]> {
  const backlog = await api.database.read((queries) => readAgencyBacklog(queries, agencyId));
  return backlog.map(({ priority, seconds }) => [priority, Math.round(seconds / 60)]);
}
const answered = async (sender: Sender, body: object = {}): Promise<number> =>
  (await sender.post('/api/v1/messages/send', { to: somebody(), text: 'Hello', ...body })).status;

describe('the wait of an agency for a worker', () => {
  it('refuses its sends, those of a person last', async () => {
    const sender = await anAgencyThatSent(...times(3, { minutes: 8 }));
    await eventually(async () => (await answered(sender)) === 503, { what: 'the door to close' });
    expect(await answered(sender, { priority: 'bulk' })).toBe(503);
    const path = `/api/v1/inbox/conversations/${sender.conversationId}/messages`;
    expect((await sender.post(path, { content: 'Yes' })).status).toBe(202);
  });

  it.each([
    [{ origin: 'person' }, PRIORITY.reply],
    [{ origin: 'api' }, PRIORITY.api],
    [{ origin: 'ai' }, PRIORITY.ai],
    [{ bulk: true }, PRIORITY.automation],
  ])('is the shortest of its last sends of a class, whatever the others waited: %j', async (changes, priority) => {
    const other = { origin: priority === PRIORITY.ai ? 'api' : 'ai' };
    const sender = await anAgencyThatSent(
      { minutes: 8, changes },
      { minutes: 11, changes },
      { minutes: 30, changes },
      ...times(3, { minutes: 0, changes: other }),
    );
    expect(new Map(await waitsOf(sender)).get(priority)).toBe(8);
  });

  it('ends when a worker takes the send, however long its account and the backend take', async () => {
    const changes = { takenAt: ago({ seconds: 50 }), claimedAt: ago({ seconds: 20 }) };
    const sender = await anAgencyThatSent(...times(3, { minutes: 3, changes }));
    expect(await waitsOf(sender)).toEqual([[PRIORITY.api, 2]]);
  });

  it('begins when the work of the agency goes again after a break', async () => {
    const sender = await anAgencyThatSent(...times(3, { minutes: 8 }));
    const { agencyId } = sender;
    await addRow(api.database, 'agencyAtWork', { agencyId, at: ago({ seconds: 1 }), since: ago({ minutes: 2 }) });
    // The promises of these sends wait, too, since a moment.
    expect(await waitsOf(sender)).toEqual([
      [PRIORITY.api, 0],
      [PRIORITY.api, 2],
    ]);
  });

  it('begins when the session works again', async () => {
    const sender = await anAgencyThatSent(...times(3, { minutes: 8 }));
    await changeRows(api.database, 'session', { statusChangedAt: ago({ minutes: 2 }) }, { id: sender.session.id });
    expect(await waitsOf(sender)).toEqual([[PRIORITY.api, 2]]);
  });

  it('is not shortened by a send that a worker took before its release', async () => {
    const sender = await anAgencyThatSent(...times(3, { minutes: 8 }), {
      minutes: 30,
      changes: { releasedAt: ago({ seconds: 2 }) },
    });
    expect(await waitsOf(sender)).toEqual([[PRIORITY.api, 8]]);
  });

  it('is unknown while all sends were taken before the session worked', async () => {
    const sender = await anAgencyThatSent(...times(3, { minutes: 8 }));
    await changeRows(api.database, 'session', { statusChangedAt: ago({ seconds: 2 }) }, { id: sender.session.id });
    expect(await waitsOf(sender)).toEqual([]);
  });

  it.each<[string, Wait[]]>([
    ['sends that a worker took long ago', times(3, { minutes: 12, changes: { takenAt: ago({ minutes: 10 }) } })],
    ['two sends', times(2, { minutes: 10 })],
    ['sends that went before', times(3, { minutes: 10, sentAgo: { seconds: 120 } })],
    ['sends that a worker of the former release made', times(3, { minutes: 10, changes: { takenAt: null } })],
    ['messages from the phone', times(3, { minutes: 10, changes: { releasedAt: null } })],
    ['sends that were tried again', times(3, { minutes: 10, changes: { attempts: 2 } })],
    ['sends that have not gone', times(3, { minutes: 10, changes: { sentAt: null, status: 'queued', attempts: 0 } })],
  ])('is not known by %s', async (_what, waits) => {
    expect(await waitsOf(await anAgencyThatSent(...waits))).toEqual([]);
  });
});
