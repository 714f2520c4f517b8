import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBackendShare } from '../../../activities/sending/send-slots.ts';
import { createCalls } from '../../../activities/sending/calls.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { createSend } from '../../../activities/sending/send.ts';
import type { SendResult } from '../../../activities/sending/send-result.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import type { Database } from '../../../db/engine/database.ts';
import { writeSendLimits } from '../../../db/sending/in-flight/limits.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { everywhere, onlyBackend } from '../../adapters/backend/only-backend.ts';
import { startStub } from '../../adapters/backend/stub-backend.ts';
import { aWorkingSession, SCOPE } from '../../db/a-database.ts';
import { processesOn } from '../../loops/processes.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, findRow } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

const WORKERS = 4;
const SLOT_WAIT_MS = 500;
const msOf = (at: Date | string | null): number => new Date(at ?? Number.NaN).getTime();
const version = { json: { version: '2026.7.1', engine: 'GOWS' } };

describe('the workers of a backend that hangs', () => {
  let databases: Database[];
  let database: Database;
  let sessionId: string;

  beforeEach(async () => {
    const databaseUrl = await takeDatabase();
    databases = await processesOn(databaseUrl, WORKERS);
    [database] = databases as [Database];
    await Promise.all(databases.map(({ wakeups }) => wakeups.joinWorkers()));
    sessionId = await aWorkingSession(database);
  });
  afterEach(() => Promise.all(databases.map((each) => each.close())));

  async function messages(count: number, session = sessionId): Promise<string[]> {
    const accepted = [];
    for (let n = 0; n < count; n += 1) {
      const recipient = { chatId: `1555020${String(1_000 + n)}@c.us` };
      const parts = [{ kind: 'text' as const, body: 'hello' }];
      const send = { recipient, parts, origin: 'person' as const, expires: { afterMs: 60_000 } };
      accepted.push(await database.transaction((tx) => acceptSend(tx, { ...SCOPE, sessionId: session }, send)));
    }
    return accepted.map((send) => {
      if (send.outcome !== 'accepted') throw new Error('The message was not accepted.');
      return send.messageId;
    });
  }

  /** The backend holds back its answers to sends until it is let go, and notes how many it has at most. */
  async function aHangingBackend() {
    const held: (() => void)[] = [];
    let hangs = true;
    const stub = await startStub((request) => {
      if (request.path === '/api/server/version') return version;
      if (request.path.includes('check-exists')) return { json: { numberExists: true } };
      const key = { remoteJid: '1@s.whatsapp.net', fromMe: true, id: `3EB0${randomUUID()}` };
      if (!hangs) return { status: 201, json: { key } };
      return (response) => held.push(() => response.writeHead(201).end(JSON.stringify({ key })));
    });
    return {
      backend: stub.backend,
      count: () => held.length,
      letGo(): void {
        hangs = false;
        for (const answer of held) answer();
      },
      [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
    };
  }

  /** The attempts of the workers, who take turns by the message's place. */
  function senders(backend: Awaited<ReturnType<typeof aHangingBackend>>['backend']) {
    const workers = databases.map((each) => {
      const limits = createFairSlots({ perOwner: 100, inAll: createBackendShare(each) });
      const deps = { database: each, backends: onlyBackend(backend), limits: everywhere(limits) };
      const { send, look } = createSend(deps, createCalls(deps));
      return async (messageId: string): Promise<SendResult> => {
        const before = await look(messageId);
        if (!before) throw new Error('The message is not there.');
        return send(before, { takenAt: performance.now(), slotWaitMs: SLOT_WAIT_MS, callWaitMs: 60_000 });
      };
    });
    return (index: number) => {
      const worker = workers[index % workers.length];
      if (!worker) throw new Error('There is no worker.');
      return worker;
    };
  }

  it('give it four sends of a session and not four each, and send the rest when it answers', async () => {
    await using hanging = await aHangingBackend();
    const workerOf = senders(hanging.backend);
    const ids = await messages(16);
    const states = new Map<string, string>();
    const attempt = (id: string, index: number) => workerOf(index)(id).then(({ state }) => states.set(id, state));
    const first = ids.map(attempt);
    await eventually(() => states.size === 12);
    expect(hanging.count()).toBe(4);
    expect(new Set(states.values())).toEqual(new Set(['retry']));
    hanging.letGo();
    await Promise.all(first);
    for (const [index, id] of ids.entries()) {
      await eventually(async () => states.get(id) === 'sent' || (await attempt(id, index), false));
    }
  });

  it('note when they began a send, before it waited for the places of its account', async () => {
    await using hanging = await aHangingBackend();
    const workerOf = senders(hanging.backend);
    const ids = await messages(5);
    const first = ids.map((id, index) => workerOf(index)(id).then(({ state }) => ({ id, state })));
    const waited = await Promise.race(first);
    expect(waited.state).toBe('retry');
    const { takenAt } = await findRow(database, 'message', { id: waited.id });
    hanging.letGo();
    await Promise.all(first);
    await eventually(async () => (await workerOf(0)(waited.id)).state === 'sent');
    const row = await findRow(database, 'message', { id: waited.id });
    expect(row.takenAt).toEqual(takenAt);
    expect(msOf(row.claimedAt) - msOf(row.takenAt)).toBeGreaterThanOrEqual(SLOT_WAIT_MS);
    for (const id of ids) {
      const { releasedAt, takenAt: began, claimedAt } = await findRow(database, 'message', { id });
      const times = [releasedAt, began, claimedAt].map(msOf);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('give it as many sends of all sessions as one worker might, and not each as many', async () => {
    await database.statement((tx) => writeSendLimits(tx, { perSession: 100, perBackend: 8 }));
    await using hanging = await aHangingBackend();
    const other = await database.transaction((tx) => insertSession(tx, SCOPE, { name: 'other' }));
    await changeRows(database, 'session', { status: 'WORKING' });
    const ids = [...(await messages(12)), ...(await messages(12, other ?? ''))];
    const workerOf = senders(hanging.backend);
    let over = 0;
    const all = ids.map((id, index) => workerOf(index)(id).then(() => (over += 1)));
    await eventually(() => over === 16);
    expect(hanging.count()).toBe(8);
    hanging.letGo();
    await Promise.all(all);
  });

  it('do not wait for the sends of a worker that was killed', async () => {
    const ids = await messages(6);
    const [killed, ...others] = databases as [Database, ...Database[]];
    const claim = (by: Database, owner: string, id?: string) =>
      by.statement((tx) => claimAtOnce(tx, id ?? '', { token: randomUUID(), owner, chosenNetworkId: null }));
    const { owner } = killed.wakeups;
    for (const id of ids.slice(0, 4)) expect(await claim(killed, owner, id)).toMatchObject({ claim: 'claimed' });
    const [, worker] = databases as [Database, Database];
    expect(await claim(worker, worker.wakeups.owner, ids[4])).toEqual({ claim: 'crowded' });
    await killed.close();
    databases = others;
    // The server notices a moment later that the connection is gone.
    await eventually(async () => (await claim(worker, worker.wakeups.owner, ids[4])).claim === 'claimed');
  });
});
