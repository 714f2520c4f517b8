import { describe, expect, it } from '@jest/globals';
import { readAgencyBacklog } from '../../../db/operations/agency-backlog.ts';
import { PRIORITY } from '../../../domain/names.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { ago, changeRows, deleteRows } from '../../support/rows.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const api = await apiOfThisFile('shedding-in-temporal');
let agencies = 0;

/** A session that works, and sent what it got `released` ago a moment since. */
async function aWorkingSender(released: { minutes: number }, sent = { seconds: 5 }) {
  const sender = await aSender(api, `begun-${(agencies += 1)}`);
  const { messageId, conversationId } = await sender.send({ to: somebody(), text: 'First' });
  await changeRows(api.database, 'session', { status: 'WORKING' }, { id: sender.session.id });
  const networkId = `first-${agencies}`;
  const went = { status: 'sent', networkId, sentAt: ago(sent), releasedAt: ago(released), attempts: 1 };
  await changeRows(api.database, 'message', went, { id: messageId });
  return { ...sender, conversationId };
}
/** A send that Temporal has got `released` ago, and that no worker has tried. */
async function begin(
  sender: Sender,
  released: { minutes: number } | { seconds: number },
  changes: object = {},
): Promise<void> {
  const { messageId } = await sender.send({ to: somebody(), text: 'Hello' });
  const at = ago(released);
  await changeRows(api.database, 'message', { releasedAt: at, promisedAt: at, ...changes }, { id: messageId });
  // A dispatcher has handed its promise to Temporal.
  await deleteRows(api.database, 'dispatch', { agencyId: sender.agencyId });
}
const answered = async (sender: Sender, body: object = {}): Promise<number> =>
  (await sender.post('/api/v1/messages/send', { to: somebody(), text: 'Hello', ...body })).status;

describe('sends of an agency whose earlier sends wait for a worker', () => {
  it('are refused, those of a person last', async () => {
    const sender = await aWorkingSender({ minutes: 30 });
    await begin(sender, { minutes: 8 });
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
  ])('count by their class: %j', async (changes, priority) => {
    const sender = await aWorkingSender({ minutes: 30 });
    await begin(sender, { minutes: 8 }, changes);
    await begin(sender, { minutes: 4 }, changes);
    const backlog = await api.database.read((queries) => readAgencyBacklog(queries, sender.agencyId));
    expect(backlog.map(({ priority: found, seconds }) => [found, Math.round(seconds / 60)])).toEqual([[priority, 8]]);
  });

  it.each<[string, () => Promise<Sender>]>([
    [
      'that was released before the last that went',
      async () => {
        const sender = await aWorkingSender({ minutes: 5 });
        await begin(sender, { minutes: 10 });
        return sender;
      },
    ],
    [
      'while nothing of the agency goes, because no worker runs',
      async () => {
        const sender = await aWorkingSender({ minutes: 30 }, { seconds: 120 });
        await begin(sender, { minutes: 10 });
        return sender;
      },
    ],
    [
      'of a session that is not connected',
      async () => {
        const sender = await aWorkingSender({ minutes: 30 });
        await begin(sender, { minutes: 10 });
        await changeRows(api.database, 'session', { status: 'STOPPED' }, { id: sender.session.id });
        return sender;
      },
    ],
    [
      'that a worker has tried',
      async () => {
        const sender = await aWorkingSender({ minutes: 30 });
        await begin(sender, { minutes: 10 }, { attempts: 1 });
        return sender;
      },
    ],
    [
      'that is young',
      async () => {
        const sender = await aWorkingSender({ minutes: 30 });
        await begin(sender, { seconds: 10 });
        return sender;
      },
    ],
  ])('do not count beside a send %s', async (_what, arrange) => {
    const { agencyId } = await arrange();
    // The door itself remembers for a second.
    expect(await api.database.read((queries) => readAgencyBacklog(queries, agencyId))).toEqual([]);
  });
});
