import { readdir, rm } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EngineProcess, removeMachine } from '../../demo/engine-process.ts';
import type { Machine } from '../../demo/engine-process.ts';
import { aMachine, shown } from '../support/engine-process.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

const SENDS = 80;
/** The past that is read, and what is lost in a gap. */
const CHATS = 4;
const SAID = 1_200;
const LOST = 24;
const target = { agencyId: 'demo', tenantId: 'shop' };

describe('an engine that is killed', () => {
  const machines: Machine[] = [];
  afterAll(async () => {
    for (const machine of machines) await removeMachine(machine);
  });

  it.each([
    ['sends', {}],
    ['messages of a broadcast', { priority: 'bulk' }],
  ])(
    'in the middle of 80 %s, the backend has each exactly once after they are repeated at the next start',
    async (_what, more) => {
      const machine = await aMachine();
      machines.push(machine);
      const first = await EngineProcess.start(machine);
      const key = shown(first, 'Master key');
      await connect(machine, first, key);
      const answered: string[] = [];
      const killed = Promise.withResolvers<void>();
      const sends = Array.from({ length: SENDS }, async (_, index) => {
        answered.push(await send(machine, key, index, more));
        // In the middle: some are sent, some on their way, some only accepted, some committed and not answered, some unread.
        if (answered.length === SENDS / 2) killed.resolve(first.signal('SIGKILL').then(() => undefined));
      });
      await Promise.allSettled(sends);
      await killed.promise;

      const second = await EngineProcess.start(machine);
      const ids = await Promise.all(Array.from({ length: SENDS }, (_, index) => send(machine, key, index, more)));
      expect(ids).toEqual(expect.arrayContaining(answered));
      await untilSent(machine, key, ids);
      const bodies = await reachedNetwork(machine);
      expect(bodies.toSorted()).toEqual(Array.from({ length: SENDS }, (_, index) => text(index)).toSorted());
      expect(await second.signal('SIGTERM')).toBe(0);
    },
    120_000,
  );

  it('in the middle of reading a past, of repairing a gap and of erasing a person, it ends each, and doubles nothing', async () => {
    const machine = await aMachine();
    machines.push(machine);
    const first = await EngineProcess.start(machine);
    const key = shown(first, 'Master key');
    const dashboardKey = await connect(machine, first, key);
    const ask = async (path: string, more = ''): Promise<Record<string, unknown>> =>
      (await call(machine, 'GET', `/api/v1${path}?${new URLSearchParams(target).toString()}${more}`, { key })).body;
    const { id, name } = Named.parse(await ask('/sessions/status'));
    const sync = async () => Sync.parse(await ask(`/sessions/${id}/sync`));
    await eventually(async () => (await sync()).state === 'done', { what: 'the first reading to end' });
    const before = (await sync()).importedInAll;
    await control(machine, `/sessions/${name}/past`, { chats: CHATS, messages: SAID });
    await call(machine, 'POST', `/api/v1/sessions/${id}/sync`, { key, body: target });
    await eventually(async () => (await sync()).importedInAll >= before + SAID, { what: 'a part of the past' });
    await first.signal('SIGKILL');

    const second = await EngineProcess.start(machine);
    const isRead = async () => (await sync()).state === 'done';
    await eventually(isRead, { withinMs: 90_000, what: 'the past to be read' });
    expect((await sync()).importedInAll - before).toBeLessThanOrEqual(CHATS * SAID);
    const { chats } = Chats.parse(await ask('/inbox/chats', `&limit=100&search=Past`));
    expect(chats).toHaveLength(CHATS);
    const [person] = chats;
    if (!person) throw new Error('There is no chat.');
    // The backend shows these and tells of none.
    await control(machine, '/faults', { webhook: 'lose', events: ['message', 'message.any'] });
    for (let n = 0; n < LOST; n += 1) {
      await control(machine, `/sessions/${name}/inbound`, { from: `1555300${1_000 + n}`, text: `lostword ${n}` });
    }
    // A session that was down is compared once it works, as far back as some minutes before.
    await call(machine, 'POST', '/api/v1/sessions/restart', { key, body: target });
    const gaps = async () => Gaps.parse(await ask(`/sessions/${id}/gaps`)).gaps;
    const recovered = async () => (await gaps()).reduce((sum, gap) => sum + gap.recovered.messages, 0);
    await eventually(async () => (await recovered()) > 0, { withinMs: 90_000, what: 'the gap to be compared' });
    const erasing = await call(machine, 'POST', `/api/v1/contacts/${person.contactId}/erase`, {
      key: dashboardKey,
      body: { actor: 'Sam' },
    });
    expect(erasing.status).toBe(202);
    await second.signal('SIGKILL');

    const third = await EngineProcess.start(machine);
    const erasure = String(erasing.headers.get('location'));
    await eventually(
      async () => (await call(machine, 'GET', erasure, { key: dashboardKey })).body['status'] === 'done',
      { withinMs: 90_000, what: 'the erasure to end' },
    );
    expect(
      await ask('/messages/search', `&q=${encodeURIComponent(`"in chat ${person.name.slice(5)}"`)}`),
    ).toMatchObject({
      messages: [],
    });
    const search = async () => Found.parse(await ask('/messages/search', '&q=lostword&limit=100')).messages;
    await eventually(async () => (await search()).length >= LOST, { withinMs: 90_000, what: 'all to be recovered' });
    expect((await search()).map(({ body }) => body).toSorted()).toEqual(
      Array.from({ length: LOST }, (_, n) => `lostword ${n}`).toSorted(),
    );
    for (const { conversationId } of chats.slice(1)) {
      const page = async (offset: number) =>
        Found.parse(await ask(`/inbox/conversations/${conversationId}/messages`, `&limit=1000&offset=${offset}`));
      const said = [...(await page(0)).messages, ...(await page(1_000)).messages];
      expect(new Set(said.map(({ body }) => body)).size).toBe(SAID);
      expect(said).toHaveLength(SAID);
    }
    expect(await third.signal('SIGTERM')).toBe(0);
  }, 420_000);

  it("finds everything again when Temporal's store was deleted while it was stopped", async () => {
    const machine = await aMachine();
    machines.push(machine);
    const first = await EngineProcess.start(machine);
    const key = shown(first, 'Master key');
    await connect(machine, first, key);
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => send(machine, key, index)));
    expect(await first.signal('SIGTERM')).toBe(0);
    const stores = (await readdir(machine.dataDir)).filter(
      (name) => name.startsWith('temporal-') && name.includes('.db'),
    );
    expect(stores).not.toEqual([]);
    for (const name of stores) await rm(join(machine.dataDir, name));

    const second = await EngineProcess.start(machine);
    await untilSent(machine, key, ids);
    expect((await reachedNetwork(machine)).toSorted()).toEqual(ids.map((_, index) => text(index)).toSorted());
    expect(await second.signal('SIGINT')).toBe(0);
  }, 120_000);
});

/** Connects a session, and returns the dashboard's key. */
async function connect(machine: Machine, engine: EngineProcess, key: string): Promise<string> {
  const registered = await call(machine, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${shown(engine, 'PSK')}` },
    body: {
      agencyId: 'demo',
      dashboardName: 'Demo',
      dashboardUrl: 'http://127.0.0.1:9/events',
      webhookSecret: 'a-secret-of-at-least-32-characters',
    },
  });
  await call(machine, 'POST', '/api/v1/sessions', { key, body: target });
  const query = new URLSearchParams(target).toString();
  await eventually(
    async () => {
      const { body } = await call(machine, 'GET', `/api/v1/sessions/status?${query}`, { key });
      return body['status'] === 'WORKING';
    },
    { what: 'the session to be WORKING' },
  );
  return String(registered.body['apiKey']);
}

function text(index: number): string {
  return `message number ${index}`;
}

async function send(machine: Machine, key: string, index: number, more: object = {}): Promise<string> {
  // Clear of the sandbox's magic numbers.
  const to = `+1555${String(2_001_000 + index)}`;
  const answer = await call(machine, 'POST', '/api/v1/messages/send', {
    key,
    body: { ...target, to, text: text(index), ...more },
    headers: { 'idempotency-key': `send-${index}` },
  });
  expect(answer.status).toBe(202);
  return String(answer.body['messageId']);
}

/** One by one: who looks at all of them over and over keeps the engine from its work. */
async function untilSent(machine: Machine, key: string, ids: string[]): Promise<void> {
  const query = new URLSearchParams(target).toString();
  for (const id of ids) {
    await eventually(
      async () => {
        const { body } = await call(machine, 'GET', `/api/v1/inbox/messages/${id}/status?${query}`, { key });
        return ['sent', 'delivered', 'read'].includes(String(body['status']));
      },
      { withinMs: 60_000, what: 'every accepted send to be sent' },
    );
  }
}

const Named = z.object({ id: z.string(), name: z.string() });
const Sync = z.object({ state: z.string(), importedInAll: z.int() });
const Chats = z.object({
  chats: z.array(z.object({ name: z.string(), contactId: z.string(), conversationId: z.string() })),
});
const Gaps = z.object({ gaps: z.array(z.object({ recovered: z.object({ messages: z.int() }) })) });
const Found = z.object({ messages: z.array(z.object({ body: z.string() })) });

/** Asks the sandbox to do something. */
async function control(machine: Machine, path: string, body: object): Promise<void> {
  const apiKey = await readFile(join(machine.dataDir, 'sandbox-api-key'), 'utf8');
  const response = await fetch(`${machine.sandboxUrl}/sandbox${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey.trim(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const Record = z.object({ sends: z.array(z.object({ body: z.string(), reachedNetwork: z.boolean() })) });

/** The texts that the sandbox's network has taken, once per time. */
async function reachedNetwork(machine: Machine): Promise<string[]> {
  const apiKey = await readFile(join(machine.dataDir, 'sandbox-api-key'), 'utf8');
  const response = await fetch(`${machine.sandboxUrl}/sandbox/record`, { headers: { 'x-api-key': apiKey.trim() } });
  const record = Record.parse(await response.json());
  return record.sends.filter((sent) => sent.reachedNetwork).map((sent) => sent.body);
}
