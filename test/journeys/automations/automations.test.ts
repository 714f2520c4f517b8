import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { withVersions } from '../../replay/former-code.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { workflowBundle } from '../../support/servers.ts';
import { personWrites, textsSeenBy } from '../../support/sandbox-record.ts';

const Execution = z.object({
  id: z.string(),
  automation: z.string(),
  version: z.int().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
  waitsFor: z.string().nullable(),
  conversationId: z.string(),
});
type Execution = z.infer<typeof Execution>;
const Executions = z.object({ executions: z.array(Execution) });
const Story = Execution.extend({
  steps: z.array(z.object({ name: z.string(), detail: z.record(z.string(), z.unknown()) })),
});

const Sent = z.object({ messages: z.array(z.object({ error: z.object({ code: z.string() }).optional() })) });

describe('automations', () => {
  let engine: TestEngine;
  /** The code of the workflows, which a test replaces as a deploy does. */
  let code: string;
  let agency: Agency;
  // Numbers with low endings have a meaning to the sandbox.
  let person = 100;

  beforeAll(async () => {
    code = await readFile(workflowBundle().codePath, 'utf8');
    engine = await startEngine({ workflowBundle: () => ({ code }) });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'automations' });
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body?: object): Promise<Answer> => {
    const { agencyId, tenantId, dashboardKey: key } = agency;
    if (method === 'GET') return call(engine, method, `${path}?agencyId=${agencyId}&tenantId=${tenantId}`, { key });
    return call(engine, method, path, { key, body: { agencyId, tenantId, ...body } });
  };
  const set = (automation: string, body: object): Promise<Answer> =>
    ask('PUT', `/api/v1/automations/${automation}`, body);
  const someone = (): string => `1555010${String((person += 1)).padStart(4, '0')}`;
  const says = (from: string, text: string, pushName = 'Ada'): Promise<string> =>
    personWrites(engine, agency.session.name, { from, text, pushName });
  const heard = (from: string): Promise<string[]> => textsSeenBy(engine, agency.session.name, `${from}@c.us`);

  async function executionsOf(automation: string): Promise<Execution[]> {
    const { body } = await ask('GET', '/api/v1/automation-executions');
    return Executions.parse(body).executions.filter((each) => each.automation === automation);
  }
  async function storyOf(id: string) {
    return Story.parse((await ask('GET', `/api/v1/automation-executions/${id}`)).body);
  }
  /** Lets a contact write, and answers the conversation. */
  async function conversationWith(from: string): Promise<string> {
    await says(from, 'Good morning');
    const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string(), chatId: z.string() })) });
    return eventually(async () => {
      const { chats } = Chats.parse((await ask('GET', '/api/v1/inbox/chats')).body);
      return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
    });
  }
  const run = async (automation: string, conversationId: string): Promise<Execution> =>
    Execution.parse((await ask('POST', '/api/v1/automation-executions', { automation, conversationId })).body);
  async function until(id: string, status: string): Promise<z.infer<typeof Story>> {
    return eventually(async () => {
      const story = await storyOf(id);
      return story.status === status && story;
    });
  }

  it('a tenant sees what can be switched on, with the schema of its parameters', async () => {
    const { body } = await ask('GET', '/api/v1/automation-definitions');
    expect(body).toMatchObject({
      definitions: expect.arrayContaining([
        expect.objectContaining({
          name: 'ask-satisfaction',
          params: expect.objectContaining({
            properties: expect.objectContaining({ badUpTo: expect.objectContaining({ maximum: 4 }) }),
          }),
        }),
      ]),
    });
  });

  it.each([
    ['an unknown parameter', { params: { colour: 'red' } }, '/params/colour'],
    ['a parameter out of its bounds', { params: { badUpTo: 9 } }, '/params/badUpTo'],
    ['a text with an unknown placeholder', { params: { texts: { thanks: 'Hi {age}' } } }, '/params/texts/thanks'],
  ])('a tenant is told of %s, by its pointer', async (_what, body, pointer) => {
    const { status, body: problem } = await set('ask-satisfaction', { enabled: true, ...body });
    expect(status).toBe(422);
    expect(problem).toMatchObject({ errors: [{ pointer }] });
  });

  it('a tenant is told of an endpoint that is none of its own, by its pointer', async () => {
    const { status, body } = await set('sort-enquiry', { enabled: true, params: { endpoint: 'whe_unknown' } });
    expect([status, body['errors']]).toMatchObject([422, [{ pointer: '/params/endpoint' }]]);
  });

  it('an automation that is off is run by nothing, and one that does not exist is named by its pointer', async () => {
    await set('welcome-contact', { enabled: true });
    await set('welcome-contact', { enabled: false });
    const conversationId = await conversationWith(someone());
    expect(await executionsOf('welcome-contact')).toEqual([]);
    const off = await ask('POST', '/api/v1/automation-executions', { automation: 'welcome-contact', conversationId });
    expect([off.status, off.body['code']]).toEqual([409, 'automation_off']);
    const unknown = [
      await set('make-coffee', { enabled: true }),
      await ask('POST', '/api/v1/automation-executions', { automation: 'make-coffee', conversationId }),
    ];
    expect(unknown.map(({ status }) => status)).toEqual([422, 422]);
    expect(unknown.map(({ body }) => body['errors'])).toMatchObject([
      [{ pointer: 'path/automation' }],
      [{ pointer: '/automation' }],
    ]);
  });

  it('a tenant without a session cannot switch one on, but off', async () => {
    const { dashboardKey: key } = agency;
    await call(engine, 'PUT', '/api/v1/tenants/empty/settings', { key, body: { timeZone: 'Europe/Berlin' } });
    const answers = [true, false].map((enabled) =>
      call(engine, 'PUT', '/api/v1/automations/welcome-contact', { key, body: { tenantId: 'empty', enabled } }),
    );
    const [on, off] = await Promise.all(answers);
    expect([on?.status, on?.body['code'], off?.status]).toEqual([409, 'no_session', 200]);
  });

  it('a contact who gives a bad score gets a person', async () => {
    await set('ask-satisfaction', { enabled: true, params: { assignee: 'anna' } });
    const from = someone();
    const conversationId = await conversationWith(from);
    const { id } = await run('ask-satisfaction', conversationId);
    await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
    await says(from, ' 1. ');
    const story = await until(id, 'completed');
    expect(story.steps.map(({ name }) => name)).toEqual(['send', 'waitForReply', 'send', 'assignHuman']);
    expect(story.steps[1]?.detail).toMatchObject({ choice: '1' });
    await eventually(async () => (await heard(from)).length === 2);
    const { body } = await ask('GET', `/api/v1/inbox/conversations/${conversationId}/messages`);
    expect(JSON.stringify(body).match(/"origin":"automation"/g)).toHaveLength(2);
  });

  it('a contact who has opted out by a word gets only what is transactional, from whomever it comes', async () => {
    await set('opt-out', { enabled: true, params: { texts: { goodbye: 'Bye.', welcomeBack: 'Hello again.' } } });
    const from = someone();
    const conversationId = await conversationWith(from);
    const send = async (text: string, more: object = {}) => {
      const { status, body } = await ask('POST', '/api/v1/messages/send', { to: from, text, ...more });
      return [status, body['status'], Sent.parse(body).messages[0]?.error?.code];
    };
    const bulk = { priority: 'bulk', sendAt: new Date(Date.now() + 3_600_000).toISOString() };
    await says(from, 'STOP');
    await eventually(async () => (await heard(from)).includes('Bye.'));
    expect(await send('Buy this')).toEqual([202, 'failed', 'opted_out']);
    expect(await send('And this, too', bulk)).toEqual([202, 'failed', 'opted_out']);
    expect(await send('Your parcel comes', { transactional: true })).toEqual([202, 'queued', undefined]);
    // A person's reply would go before what waits.
    await eventually(async () => (await heard(from)).includes('Your parcel comes'));
    const { id } = await run('ask-satisfaction', conversationId);
    expect((await until(id, 'cancelled')).reason).toBe('opted_out');
    const path = `/api/v1/inbox/conversations/${conversationId}/messages`;
    expect((await ask('POST', path, { text: 'As you wish' })).body['status']).toBe('queued');
    await eventually(async () => (await heard(from)).includes('As you wish'));
    const { body } = await ask('GET', '/api/v1/opt-outs');
    expect(body).toMatchObject({ optOuts: [{ phone: from, by: 'word' }] });
    await says(from, 'start');
    await eventually(async () => (await heard(from)).includes('Hello again.'));
    expect(await heard(from)).toEqual(['Bye.', 'Your parcel comes', 'As you wish', 'Hello again.']);
    expect(await send('Buy this now')).toEqual([202, 'queued', undefined]);
  });

  it('a request opts somebody out who is not known yet, and in again', async () => {
    const to = someone();
    const optOut = await ask('PUT', `/api/v1/opt-outs/${to}`);
    expect([optOut.status, optOut.body['by'], optOut.body['phone']]).toEqual([200, 'request', to]);
    const send = async () => (await ask('POST', '/api/v1/messages/send', { to, text: 'Hello' })).body['status'];
    expect(await send()).toBe('failed');
    expect((await ask('GET', `/api/v1/contacts/${to}`)).body['isOptedOut']).toBe(true);
    const { agencyId, tenantId, dashboardKey: key } = agency;
    const path = `/api/v1/opt-outs/${to}?agencyId=${agencyId}&tenantId=${tenantId}`;
    expect((await call(engine, 'DELETE', path, { key })).body['isOptedOut']).toBe(false);
    expect(await send()).toBe('queued');
  });

  it('a run that is cancelled takes no further step, and its workflow ends', async () => {
    const from = someone();
    const { id } = await run('ask-satisfaction', await conversationWith(from));
    await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
    const cancelled = await ask('POST', `/api/v1/automation-executions/${id}/cancel`);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', reason: 'requested' });
    await engine.temporal.workflow.getHandle(`automation/${id}`).result();
    await says(from, '5');
    expect((await storyOf(id)).steps.map(({ name }) => name)).toEqual(['send', 'waitForReply']);
  });

  it('a run that has ended is repeated once, however often that is asked for', async () => {
    await set('ask-satisfaction', { enabled: true });
    const from = someone();
    const { id } = await run('ask-satisfaction', await conversationWith(from));
    const retry = () => ask('POST', `/api/v1/automation-executions/${id}/retry`);
    expect((await retry()).body).toMatchObject({ code: 'execution_running' });
    await ask('POST', `/api/v1/automation-executions/${id}/cancel`);
    const [first, again] = [Execution.parse((await retry()).body), Execution.parse((await retry()).body)];
    expect([first.id === id, again.id]).toEqual([false, first.id]);
    expect((await ask('GET', `/api/v1/automation-executions/${id}`)).body).toMatchObject({ retriedBy: first.id });
    await eventually(async () => (await storyOf(first.id)).waitsFor === 'reply');
    const { body } = await ask('GET', `/api/v1/automation-executions/${first.id}`);
    expect(body).toMatchObject({ retryOf: id, temporalUrl: null });
    await eventually(async () => (await heard(from)).length > 0);
    await ask('POST', `/api/v1/automation-executions/${first.id}/cancel`);
  });

  it('an operator stops all automations, and lets them go on', async () => {
    const conversationId = await conversationWith(someone());
    const { id } = await run('ask-satisfaction', conversationId);
    await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
    const admin = (what: string) =>
      call(engine, 'POST', `/api/v1/admin/automations/${what}`, { key: MASTER_KEY, body: { reason: 'a wrong text' } });
    expect((await admin('stop')).body).toMatchObject({ hasChanged: true, stops: [{ agencyId: null, actor: null }] });
    const refused = await ask('POST', '/api/v1/automation-executions', {
      automation: 'ask-satisfaction',
      conversationId,
    });
    expect([refused.status, refused.body['code']]).toEqual([409, 'automations_stopped']);
    expect((await admin('resume')).body).toMatchObject({ hasChanged: true, stops: [] });
    expect((await storyOf(id)).status).toBe('running');
    await ask('POST', `/api/v1/automation-executions/${id}/cancel`);
  });

  it('an automation that is switched off ends its runs before their next step', async () => {
    const from = someone();
    const { id } = await run('ask-satisfaction', await conversationWith(from));
    await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
    await set('ask-satisfaction', { enabled: false });
    expect((await until(id, 'cancelled')).reason).toBe('switched_off');
  });

  it('a wait is ended by a request, and another gives the conversation to a person; the audit names who', async () => {
    await set('ask-satisfaction', { enabled: true });
    const who = { actor: 'ann', reason: 'He called.' };
    const decide = async (what: string, body: object) => {
      const { id } = await run('ask-satisfaction', await conversationWith(someone()));
      await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
      const path = `/api/v1/automation-executions/${id}/${what}`;
      expect((await ask('POST', path, body)).status).toBe(200);
      const story = await eventually(async () => (await storyOf(id)).status !== 'running' && storyOf(id));
      expect(await ask('POST', path, body)).toMatchObject({ status: 409, body: { code: 'execution_ended' } });
      return story;
    };
    const skipped = await decide('skip-wait', who);
    expect([skipped.status, skipped.steps.at(-1)?.detail]).toEqual([
      'completed',
      expect.objectContaining({ skipped: true }),
    ]);
    const handed = await decide('hand-over', { ...who, assignee: 'bob' });
    expect([handed.status, handed.reason]).toEqual(['cancelled', 'taken_over']);
    const { body: chat } = await ask('GET', `/api/v1/conversations/${handed.conversationId}`);
    expect(chat).toMatchObject({ mode: 'human_takeover', assignedTo: 'bob' });
    const { body: audit } = await ask('GET', '/api/v1/audit');
    const actions = [
      expect.objectContaining({ action: 'wait_skipped', ...who }),
      expect.objectContaining({ action: 'handed_over', ...who }),
    ];
    expect(audit).toMatchObject({ entries: expect.arrayContaining(actions) });
  });

  it('a run that began with version 1 goes on as it began when version 2 is deployed, and the next run is new', async () => {
    const deploy = async (next: string): Promise<void> => {
      await engine.stopWorker();
      code = next;
      await engine.startWorker();
    };
    const now = code;
    await set('ask-satisfaction', { enabled: true });
    await deploy(withVersions(code, { isForAll: false }));
    const from = someone();
    const conversationId = await conversationWith(from);
    const { id } = await run('ask-satisfaction', conversationId);
    await eventually(async () => (await storyOf(id)).waitsFor === 'reply');
    await deploy(now);
    await says(from, 'Fine, I think');
    const story = await until(id, 'completed');
    expect([story.version, story.steps.length]).toEqual([1, 2]);
    const next = await run('ask-satisfaction', conversationId);
    await eventually(async () => (await storyOf(next.id)).waitsFor === 'reply');
    await says(from, 'Fine, I think');
    await eventually(async () => (await storyOf(next.id)).steps.length === 4);
    const { version, steps } = await storyOf(next.id);
    expect([version, steps.map(({ name }) => name)]).toEqual([2, ['send', 'waitForReply', 'send', 'waitForReply']]);
  });
});
