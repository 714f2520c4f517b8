import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PRIORITY } from '../../../domain/names.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { addRow, ago, countRows, databaseNow, deleteRows } from '../../support/rows.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const api = await apiOfThisFile('shedding');
let agencies = 0;
/** Nobody works off the promise to watch over its session, which would be its oldest work. */
async function anotherSender(): Promise<Sender> {
  const sender = await aSender(api, `shed-${(agencies += 1)}`);
  await deleteRows(api.database, 'dispatch');
  return sender;
}

/** Work of the agency that nobody has started for `seconds`, while other work of it goes. */
async function backlog({ agencyId }: Sender, priority: number, seconds: number): Promise<void> {
  await addRow(api.database, 'dispatch', {
    workflowType: 'deliverMessage',
    workflowId: `message/${randomUUID()}`,
    action: 'start',
    priority,
    agencyId,
    notBefore: ago({ seconds }),
  });
}
async function work({ agencyId }: Sender): Promise<void> {
  await addRow(api.database, 'agencyAtWork', { agencyId, at: databaseNow });
}

const send = (sender: Sender, body: object = {}) =>
  sender.post('/api/v1/messages/send', { to: somebody(), text: 'Hello', ...body });
const messagesOf = ({ session }: Sender) => countRows(api.database, 'message', { sessionId: session.id });
const refused = { status: 503, body: { code: 'overloaded', status: 503 } };

describe('sends of an agency whose earlier work waits too long', () => {
  afterEach(async () => {
    await deleteRows(api.database, 'dispatch');
  });

  it('are refused with Retry-After, and nothing of them is stored', async () => {
    const sender = await anotherSender();
    await work(sender);
    await backlog(sender, PRIORITY.api, 3_600);
    const answer = await send(sender);
    expect(answer).toMatchObject(refused);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await messagesOf(sender)).toBe(0);
    expect(await countRows(api.database, 'contact', { agencyId: sender.agencyId })).toBe(0);
  });

  it('are refused with a key, too, and accepted with the same key when the work is done', async () => {
    const sender = await anotherSender();
    await work(sender);
    await backlog(sender, PRIORITY.api, 3_600);
    const key = randomUUID();
    const body = { to: somebody(), text: 'Once' };
    const ask = () =>
      call(api, 'POST', '/api/v1/messages/send', {
        key: sender.scopedKey,
        body,
        headers: { 'idempotency-key': key },
      });
    expect(await ask()).toMatchObject(refused);
    await deleteRows(api.database, 'dispatch');
    const accepted = await eventually(async () => {
      const answer = await ask();
      return answer.status === 202 && answer;
    });
    await backlog(sender, PRIORITY.api, 3_600);
    expect((await ask()).body).toEqual(accepted.body);
    expect(await messagesOf(sender)).toBe(1);
  });

  it.each([
    ['bulk', PRIORITY.automation, { bulk: 503, api: 202, person: 202 }],
    ["the agent's answers", PRIORITY.ai, { bulk: 503, api: 202, person: 202 }],
    ['sends of the API', PRIORITY.api, { bulk: 503, api: 503, person: 202 }],
    ["people's replies", PRIORITY.reply, { bulk: 503, api: 503, person: 503 }],
  ])('while %s wait, the less urgent are refused first', async (_what, priority, expected) => {
    const sender = await anotherSender();
    const { conversationId } = await sender.send({ to: somebody(), text: 'before' });
    await deleteRows(api.database, 'dispatch');
    await work(sender);
    await backlog(sender, priority, 3_600);
    const found = await eventually(async () => {
      const bulk = await send(sender, { priority: 'bulk' });
      if (bulk.status !== 503) return undefined;
      const person = await sender.post(`/api/v1/inbox/conversations/${conversationId}/messages`, { text: 'Yes' });
      return { bulk: bulk.status, api: (await send(sender)).status, person: person.status };
    });
    expect(found).toEqual(expected);
  });

  it.each<[string, (sender: Sender) => Promise<unknown>, object]>([
    ['whose work has waited a moment', (sender) => backlog(sender, PRIORITY.api, 5).then(() => work(sender)), {}],
    ['none of whose work goes, as in an outage of Temporal', (sender) => backlog(sender, PRIORITY.api, 3_600), {}],
    [
      'that schedules the message for later',
      (sender) => backlog(sender, PRIORITY.api, 3_600).then(() => work(sender)),
      { sendAt: new Date(Date.now() + 3_600_000).toISOString() },
    ],
  ])('are accepted of an agency %s', async (_what, arrange, body) => {
    const sender = await anotherSender();
    await arrange(sender);
    expect(await send(sender, body)).toMatchObject({ status: 202 });
  });

  it('are accepted of another agency', async () => {
    const [behind, other] = [await anotherSender(), await anotherSender()];
    await work(behind);
    await backlog(behind, PRIORITY.reply, 3_600);
    expect(await send(other)).toMatchObject({ status: 202 });
    expect(await send(behind)).toMatchObject(refused);
  });
});
