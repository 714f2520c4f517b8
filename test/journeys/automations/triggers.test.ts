import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { beginDueExecutions } from '../../../db/automations/due.ts';
import { run } from '../../../db/engine/rows.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import { atLeast, countRows } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';

const Executions = z.object({
  executions: z.array(
    z.object({
      id: z.string(),
      conversationId: z.string().nullable(),
      begun: z.object({ event: z.string(), messageId: z.string().optional() }),
    }),
  ),
});

describe('an automation whose trigger is', () => {
  let engine: TestEngine;
  let agency: Agency;
  let conversationId: string;
  const from = '15550100760';

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'triggers' });
    await personWrites(engine, agency.session.name, { from, text: 'Good morning', pushName: 'Ada' });
    const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string(), chatId: z.string() })) });
    conversationId = await eventually(async () => {
      const { chats } = Chats.parse((await ask('GET', '/api/v1/inbox/chats')).body);
      return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
    });
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body: object = {}): Promise<Answer> => {
    const { tenantId, dashboardKey: key } = agency;
    return method === 'GET'
      ? call(engine, method, `${path}?tenantId=${tenantId}`, { key })
      : call(engine, method, path, { key, body: { tenantId, ...body } });
  };
  /** Switches one on that begins with this, as if its author had written so. */
  async function beginWith(trigger: object): Promise<void> {
    await ask('PUT', '/api/v1/automations/welcome-contact', { enabled: false });
    await ask('PUT', '/api/v1/automations/welcome-contact', { enabled: true });
    await engine.database.transaction(async (tx) => {
      await run(tx)`update automation set trigger = ${JSON.stringify(trigger)}::jsonb,
        updated_at = updated_at - interval '1 day' where agency_id = ${agency.agencyId}`;
      tx.wake('automation', agency.agencyId);
    });
  }
  const begunBy = async (event: string) => {
    const { body } = await ask('GET', '/api/v1/automation-executions');
    return Executions.parse(body).executions.filter(({ begun }) => begun.event === event);
  };
  const oneBegunBy = (event: string) =>
    eventually(async () => (await begunBy(event))[0], { what: `a run by ${event}` });

  it('a message that is no reply does not begin with the reply for which a run of it waits', async () => {
    const path = '/api/v1/automations/follow-up-silent-lead';
    await ask('PUT', path, { enabled: true });
    await engine.database.transaction(async (tx) => {
      await run(tx)`update automation set trigger = '{"event":"message","isReply":false}'
        where agency_id = ${agency.agencyId}`;
      tx.wake('automation', agency.agencyId);
    });
    const writes = (text: string) => personWrites(engine, agency.session.name, { from, text });
    await writes('How much is it?');
    await eventually(
      async () =>
        (await countRows(engine.database, 'automationExecution', { status: 'running', waitsFor: 'reply' })) === 1,
      { what: 'a run that waits' },
    );
    await writes('I mean the boat.');
    await eventually(
      async () =>
        (await countRows(engine.database, 'automationExecution', {
          definition: 'follow-up-silent-lead',
          status: 'completed',
        })) === 1,
      { what: 'the run to have its reply' },
    );
    expect(await begunBy('message')).toHaveLength(1);
    await writes('And the oars?');
    await eventually(async () => (await begunBy('message')).length === 2, { what: 'a run by the next message' });
    await ask('PUT', path, { enabled: false });
  });

  it('a label begins when the label is put on a chat, and not with another', async () => {
    const response = await fetch(`${engine.sandbox.url}/api/${agency.session.name}/labels`, {
      headers: { 'x-api-key': BACKEND_KEY },
    });
    const labels = z.array(z.object({ id: z.string(), name: z.string() })).parse(await response.json());
    const [first, second] = labels;
    await beginWith({ event: 'conversation.labelled', label: first?.name.toUpperCase() });
    const path = `/api/v1/sessions/${agency.session.id}/labels/set`;
    await ask('POST', path, { conversationId, labelIds: [second?.id] });
    await ask('POST', path, { conversationId, labelIds: [first?.id, second?.id] });
    await oneBegunBy('conversation.labelled');
    expect(await begunBy('conversation.labelled')).toMatchObject([{ conversationId }]);
  });

  it('an ack begins when a message of ours has come so far, and not with its own messages', async () => {
    await beginWith({ event: 'message.ack', status: 'delivered' });
    const sent = await ask('POST', '/api/v1/messages/send', { to: from, text: 'Hello' });
    const { begun } = await oneBegunBy('message.ack');
    expect(begun.messageId).toBe(sent.body['messageId']);
    await eventually(
      async () => (await countRows(engine.database, 'message', { via: 'automation', ack: atLeast(2) })) > 0,
      { what: 'the ack of its own message' },
    );
    expect(await begunBy('message.ack')).toHaveLength(1);
  });

  it('the state of a session begins when the account comes into it, without a conversation', async () => {
    await beginWith({ event: 'session.status', statuses: ['STOPPED'] });
    await ask('POST', `/api/v1/sessions/${agency.session.id}/stop`);
    expect(await oneBegunBy('session.status')).toMatchObject({ conversationId: null });
  });

  it('a time of the day begins once on that day, late in the evening, too', async () => {
    const now = engine.database.clock.now();
    // The time in a zone after ten in the evening: work that is due for two hours stays due until the next day.
    const ahead = (22 - now.getUTCHours() + 24) % 24;
    const timeZone = `Etc/GMT${ahead <= 14 ? `-${ahead}` : `+${24 - ahead}`}`;
    await ask('PUT', `/api/v1/tenants/${agency.tenantId}/settings`, { timeZone });
    await beginWith({ event: 'schedule', at: '22:00' });
    const due = () => engine.database.transaction((tx) => beginDueExecutions(tx, 10));
    await due();
    await due();
    expect(await begunBy('schedule')).toMatchObject([{ conversationId: null }]);
  });
});
