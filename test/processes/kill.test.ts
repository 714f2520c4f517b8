import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EngineProcess, removeMachine } from '../../tools/demo/engine-process.ts';
import type { Machine } from '../../tools/demo/engine-process.ts';
import { aMachine, shown } from '../support/engine-process.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { connect, control, reachedNetwork, target } from './one-session.ts';

/** Every second one is a message of a broadcast. */
const SENDS = 80;
/** The past that is read, and what is lost in a gap. */
const CHATS = 4;
const SAID = 500;
const PAGE = 100;
const LOST = 24;

/** One machine for all: each test takes the engine as the former one left it, and starts it again after it has killed it. */
describe('an engine that is killed', () => {
  let machine: Machine;
  let engine: EngineProcess;
  let key: string;
  let dashboardKey: string;
  beforeAll(async () => {
    machine = await aMachine();
    engine = await EngineProcess.start(machine);
    key = shown(engine, 'Master key');
    dashboardKey = await connect(machine, engine, key);
  });
  afterAll(async () => {
    await engine.signal('SIGKILL');
    await removeMachine(machine);
  });

  const ask = async (path: string, more = ''): Promise<Record<string, unknown>> =>
    (await call(machine, 'GET', `/api/v1${path}?${new URLSearchParams(target).toString()}${more}`, { key })).body;

  it('in the middle of 80 sends, some of a broadcast, the backend has each exactly once after they are repeated at the next start', async () => {
    const answered: string[] = [];
    const killed = Promise.withResolvers<void>();
    const sends = Array.from({ length: SENDS }, async (_, index) => {
      answered.push(await send(machine, key, index));
      // In the middle: some are sent, some on their way, some only accepted, some committed and not answered, some unread.
      if (answered.length === SENDS / 2) killed.resolve(engine.signal('SIGKILL').then(() => undefined));
    });
    await Promise.allSettled(sends);
    await killed.promise;

    engine = await EngineProcess.start(machine);
    const ids = await Promise.all(Array.from({ length: SENDS }, (_, index) => send(machine, key, index)));
    expect(ids).toEqual(expect.arrayContaining(answered));
    await untilSent(machine, key, ids);
    const bodies = await reachedNetwork(machine);
    expect(bodies.toSorted()).toEqual(Array.from({ length: SENDS }, (_, index) => text(index)).toSorted());
  });

  it('in the middle of reading a past, of repairing a gap and of erasing a person, it ends each, and doubles nothing', async () => {
    const { id, name } = Named.parse(await ask('/sessions/status'));
    const sync = async () => Sync.parse(await ask(`/sessions/${id}/sync`));
    await eventually(async () => (await sync()).state === 'done', {
      withinMs: 90_000,
      what: 'the first reading to end',
    });
    const before = (await sync()).importedInAll;
    await control(machine, `/sessions/${name}/past`, { chats: CHATS, messages: SAID });
    await call(machine, 'POST', `/api/v1/sessions/${id}/sync`, { key, body: target });
    await eventually(async () => (await sync()).importedInAll >= before + PAGE, {
      withinMs: 90_000,
      what: 'a part of the past',
    });
    await engine.signal('SIGKILL');

    engine = await EngineProcess.start(machine);
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
    await engine.signal('SIGKILL');

    engine = await EngineProcess.start(machine);
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
      const page = await ask(`/inbox/conversations/${conversationId}/messages`, '&limit=1000');
      const said = Found.parse(page).messages.map(({ body }) => body);
      expect(new Set(said).size).toBe(SAID);
      expect(said).toHaveLength(SAID);
    }
  });

  it("finds everything again when Temporal's store was deleted while it was stopped", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => SENDS + index);
    const ids = await Promise.all(numbers.map((number) => send(machine, key, number)));
    const code = await engine.signal('SIGTERM');
    expect({ code, output: engine.output.slice(-1_000) }).toMatchObject({ code: 0 });
    const stores = (await readdir(machine.dataDir)).filter(
      (file) => file.startsWith('temporal-') && file.includes('.db'),
    );
    expect(stores).not.toEqual([]);
    for (const file of stores) await rm(join(machine.dataDir, file));

    engine = await EngineProcess.start(machine);
    await untilSent(machine, key, ids);
    const bodies = (await reachedNetwork(machine)).filter((body) => numbers.some((number) => body === text(number)));
    expect(bodies.toSorted()).toEqual(numbers.map(text).toSorted());
    expect(await engine.signal('SIGINT')).toBe(0);
  });
});

function text(index: number): string {
  return `message number ${index}`;
}

async function send(machine: Machine, key: string, index: number): Promise<string> {
  // Clear of the sandbox's magic numbers.
  const to = `+1555${String(2_001_000 + index)}`;
  const answer = await call(machine, 'POST', '/api/v1/messages/send', {
    key,
    body: { ...target, to, text: text(index), ...(index % 2 === 0 ? { priority: 'bulk' } : {}) },
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
