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

async function connect(machine: Machine, engine: EngineProcess, key: string): Promise<void> {
  await call(machine, 'POST', '/v1/internal/dashboard/register', {
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

const Record = z.object({ sends: z.array(z.object({ body: z.string(), reachedNetwork: z.boolean() })) });

/** The texts that the sandbox's network has taken, once per time. */
async function reachedNetwork(machine: Machine): Promise<string[]> {
  const apiKey = await readFile(join(machine.dataDir, 'sandbox-api-key'), 'utf8');
  const response = await fetch(`${machine.sandboxUrl}/sandbox/record`, { headers: { 'x-api-key': apiKey.trim() } });
  const record = Record.parse(await response.json());
  return record.sends.filter((sent) => sent.reachedNetwork).map((sent) => sent.body);
}
