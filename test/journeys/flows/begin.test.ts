import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { run } from '../../../db/engine/rows.ts';
import { beginDueExecutions } from '../../../db/automations/due.ts';
import { updateLimits } from '../../../db/tenants/limits.ts';
import { call } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { findRows } from '../../support/rows.ts';
import { aFlowScene, definitionOf } from './scene.ts';
import type { FlowScene } from './scene.ts';

const Hook = z.object({ url: z.string(), secret: z.string() });
const Started = z.object({ executionId: z.string(), isNew: z.boolean() });
const CART = [{ tell: { call: 'send', with: { text: 'You left ${ input.boat } in your cart.' } } }];

describe('a stored workflow that begins by', () => {
  let engine: TestEngine;
  let scene: FlowScene;
  beforeAll(async () => {
    engine = await startEngine();
    scene = await aFlowScene(engine, 'flow-begin');
  });
  afterAll(() => engine.close());

  async function aHook(): Promise<{ id: string; automation: string; hook: z.infer<typeof Hook> }> {
    const { id, automation } = await scene.create(
      definitionOf(CART, { schedule: { on: { one: { with: { type: 'webhook' } } } } }),
    );
    await scene.enable(automation);
    const made = await scene.ofTenant('POST', `/api/v1/automations/${automation}/hook`);
    return { id, automation, hook: Hook.parse(made.body) };
  }
  const post = async (url: string, secret: string, body: object): Promise<Response> =>
    fetch(`${engine.url}${new URL(url).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });

  it('a webhook: one run for a key, and nothing for a wrong secret', async () => {
    const { automation, hook } = await aHook();
    const to = scene.someone();
    const body = { to: `+${to}`, key: 'cart-1', data: { boat: 'a dinghy' } };
    expect((await post(hook.url, 'wrong', body)).status).toBe(401);
    // A name that no row can hold is refused, like such a text.
    const unstorable = { ...body, data: { 'bo\u0000at': 'a dinghy' } };
    expect((await post(hook.url, hook.secret, unstorable)).status).toBe(422);
    const first = await post(hook.url, hook.secret, body);
    expect(first.status).toBe(202);
    const { executionId, isNew } = Started.parse(await first.json());
    expect(isNew).toBe(true);
    const again = Started.parse(await (await post(hook.url, hook.secret, body)).json());
    expect(again).toEqual({ executionId, isNew: false });
    await scene.until(executionId, { status: 'completed' });
    await eventually(async () => (await scene.heard(to)).includes('You left a dinghy in your cart.'));
    expect(await scene.runsOf(automation)).toHaveLength(1);
    expect(await scene.historyOf(executionId)).not.toContain('dinghy');
    const unknown = await post(`${hook.url.slice(0, -4)}0000`, hook.secret, body);
    expect(unknown.status).toBe(401);
    await scene.ofTenant('PUT', `/api/v1/automations/${automation}`, { enabled: false });
    expect((await post(hook.url, hook.secret, { ...body, key: 'cart-2' })).status).toBe(409);
  });

  it('an event of one session alone: the messages of other sessions begin nothing', async () => {
    const of = async (session: string): Promise<string> => {
      const on = { one: { with: { type: 'message', session } } };
      const { automation } = await scene.create(
        definitionOf([{ tell: { call: 'remember', with: { text: 'Wrote', days: 1 } } }], { schedule: { on } }),
      );
      await scene.enable(automation);
      return automation;
    };
    const other = await of('another-shop');
    const byId = await of(scene.agency.session.id);
    const byName = await of(scene.agency.session.name);
    await scene.says(scene.someone(), 'Hello');
    for (const automation of [byId, byName])
      await eventually(async () => (await scene.runsOf(automation)).length === 1, { what: 'a run' });
    expect(await scene.runsOf(other)).toEqual([]);
    const ran = { events: [{ event: 'message', at: new Date().toISOString(), from: 'contact', text: 'Hello' }] };
    const dry = await scene.ofTenant('POST', `/api/v1/automations/${other}/dry-run`, ran);
    expect(dry.body).toMatchObject({ runs: [expect.anything()] });
    for (const [automation, runs] of [
      [byName, 1],
      [other, 0],
    ] as const) {
      const conversationId = (await scene.runsOf(byId))[0]?.conversationId;
      const past = await scene.ofTenant('POST', `/api/v1/automations/${automation}/dry-run`, { conversationId });
      expect(past.body).toMatchObject({ runs: Array.from({ length: runs }, () => expect.anything()) });
    }
  });

  it('a webhook that its agency has no room for: nothing is kept, and the same key begins a run later', async () => {
    const { automation, hook } = await aHook();
    const [to, key] = [scene.someone(), 'cart-full'];
    const body = { to: `+${to}`, key, data: { boat: 'a sloop' } };
    const { agencyId } = scene.agency;
    const limit = (automationsPerMinute: number | null) =>
      engine.database.transaction((tx) => updateLimits(tx, agencyId, { automationsPerMinute }));
    expect((await post(hook.url, hook.secret, { ...body, to: `+${scene.someone()}`, key: 'cart-first' })).status).toBe(
      202,
    );
    await limit(1);
    const refused = await post(hook.url, hook.secret, body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({ code: 'too_many_runs' });
    expect(await scene.runsOf(automation)).toHaveLength(1);
    expect(await findRows(engine.database, 'conversation', { agencyId, chatId: `${to}@c.us` }, ['id'])).toEqual([]);
    await limit(null);
    const begun = await post(hook.url, hook.secret, body);
    expect(begun.status).toBe(202);
    expect(Started.parse(await begun.json()).isNew).toBe(true);
  });

  it('a webhook with data that no run may have: refused, and not with a fault', async () => {
    const { hook } = await aHook();
    const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const answer = await fetch(`${engine.url}${new URL(hook.url).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${hook.secret}` },
      body: `{"to":"+15550200001","key":"deep","data":{"a":${nested}}}`,
    });
    expect(answer.status).toBe(422);
  });

  it('a webhook, whose secret a repeated request with the same key does not replace', async () => {
    const { automation } = await aHook();
    const path = `/api/v1/automations/${automation}/hook`;
    const { dashboardKey, tenantId } = scene.agency;
    const make = (key: string) =>
      call(engine, 'POST', path, {
        key: dashboardKey,
        body: { tenantId },
        headers: { 'idempotency-key': `hook-${automation}-${key}` },
      });
    const [first, again, other] = [await make('one'), await make('one'), await make('two')];
    expect(again.body).toEqual(first.body);
    expect(other.body['url']).toBe(first.body['url']);
    expect(other.body['secret']).not.toBe(first.body['secret']);
  });

  it('a webhook, until its workflow is deleted', async () => {
    const { id, automation, hook } = await aHook();
    expect((await scene.ask('DELETE', `/api/v1/workflows/${id}`)).status).toBe(204);
    expect((await post(hook.url, hook.secret, { to: `+${scene.someone()}`, key: 'late', data: {} })).status).toBe(401);
    expect(await findRows(engine.database, 'flowHook', { automation }, ['id'])).toEqual([]);
  });

  it('a schedule with an audience: one run for each contact', async () => {
    const people = [scene.someone(), scene.someone()];
    const conversations = new Set<string | null>();
    for (const from of people) conversations.add(await scene.conversationWith(from));
    // The account's history has silent chats, too, which are there sooner or later.
    const ofPeople = (runs: readonly { conversationId: string | null }[]) =>
      runs.filter(({ conversationId }) => conversations.has(conversationId));
    await engine.database.transaction(async (tx) => {
      await run(tx)`update conversation set last_message_at = last_message_at - interval '40 days'
        where agency_id = ${scene.agency.agencyId} and chat_id = any(${people.map((from) => `${from}@c.us`)}::text[])`;
    });
    const { automation } = await scene.create(
      definitionOf([{ back: { call: 'send', with: { text: 'We miss you' } } }], {
        document: {
          dsl: '1.0.0',
          namespace: 'shop',
          name: 'win-back',
          version: '1.0.0',
          metadata: { audience: { silentDays: 30 } },
        },
        schedule: { cron: '0 9 * * *' },
      }),
    );
    await scene.enable(automation);
    await engine.database.transaction(async (tx) => {
      const at = new Date(tx.now.getTime() - 60_000).toISOString().slice(11, 16);
      await run(tx)`update automation set updated_at = updated_at - interval '1 day',
        trigger = ${JSON.stringify({ event: 'schedule', at })}::jsonb
        where agency_id = ${scene.agency.agencyId} and definition = ${automation}`;
      await beginDueExecutions(tx, 100);
      tx.wake('dispatch');
    });
    for (const from of people) {
      await eventually(async () => (await scene.heard(from)).includes('We miss you'), { what: 'the message' });
    }
    const runs = await eventually(async () => {
      const found = await scene.runsOf(automation);
      return found.every(({ status }) => status === 'completed') && found;
    });
    expect(ofPeople(runs)).toHaveLength(2);
    const { id: whole } = runs.find(({ conversationId }) => conversationId === null) ?? { id: '' };
    const retried = await scene.ofTenant('POST', `/api/v1/automation-executions/${whole}/retry`);
    expect(retried.status).toBe(202);
    const repeated = await eventually(async () => {
      const found = await scene.runsOf(automation);
      return found.length > runs.length && found.every(({ status }) => status === 'completed') && found;
    });
    expect(ofPeople(repeated)).toHaveLength(2);
    for (const from of people)
      expect((await scene.heard(from)).filter((text) => text === 'We miss you')).toHaveLength(1);
  });

  it('a request of an agency that is suspended midway: the run ends in its named state', async () => {
    const other = await aFlowScene(engine, 'flow-suspended');
    const { automation } = await other.create(
      definitionOf([
        { first: { call: 'send', with: { text: 'One moment' } } },
        { pause: { wait: { seconds: 3 } } },
        { second: { call: 'send', with: { text: 'Too late' } } },
      ]),
    );
    await other.enable(automation);
    const from = other.someone();
    const id = await other.run(automation, await other.conversationWith(from));
    await other.until(id, { waitsFor: 'time' });
    await eventually(async () => (await other.heard(from)).length === 1, { what: 'the first message' });
    const { agencyId } = other.agency;
    const suspend = (to: string) =>
      call(engine, 'POST', `/api/v1/admin/dashboards/${agencyId}/${to}`, {
        key: MASTER_KEY,
        body: { actor: 'ann', reason: 'unpaid' },
      });
    expect((await suspend('suspend')).status).toBe(200);
    await eventually(async () => {
      const [row] = await findRows(engine.database, 'automationExecution', { id }, ['status', 'reason']);
      return row?.status === 'cancelled' && row.reason === 'suspended';
    });
    expect(await other.heard(from)).toEqual(['One moment']);
  });
});
