import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Mirror } from '../../../docs/snippets/mirror.ts';
import { seeded } from '../../db/seeded.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { not, untilCount } from '../../support/rows.ts';
import { ownerWrites, personWrites } from '../../support/sandbox-record.ts';

const PEOPLE = Array.from({ length: 6 }, (_, index) => `1555010${2_000 + index}`);
const ACTS = 70;
/** The share of lost requests to the receiver, and of lost responses. */
const LOST = 0.1;

const Ids = z.object({ conversationId: z.string(), messageId: z.string() });
const Fresh = z.record(z.string(), z.unknown());
type Fresh = z.output<typeof Fresh>;
const Chats = z.object({ chats: z.array(Fresh.and(z.object({ conversationId: z.string() }))) });
const Messages = z.object({ messages: z.array(Fresh.and(z.object({ messageId: z.string() }))) });
const Events = z.object({ events: z.array(z.object({ body: z.string() })), nextCursor: z.string() });

describe('a dashboard that mirrors the inbox', () => {
  let engine: TestEngine;
  let agency: Agency;
  let directory: string;
  let unreliable: { url: string; close(): void };
  const random = seeded(7);
  const below = (count: number): number => Math.floor(random() * count);
  const oneOf = <T>(choices: readonly T[]): T => {
    const choice = choices[below(choices.length)];
    if (choice === undefined) throw new Error('There is nothing to choose from.');
    return choice;
  };

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'mirrored' });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
    directory = await mkdtemp(join(tmpdir(), 'mirror-'));
    unreliable = await startUnreliable(engine.url, random);
  });
  afterAll(async () => {
    unreliable.close();
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  const request = (method: string, path: string, body?: object, key = agency.scopedKey) =>
    call(engine, method, `/api/v1${path}`, { key, ...(body ? { body } : {}) });
  const chats = async () => Chats.parse((await request('GET', '/inbox/chats?limit=1000')).body).chats;
  const messagesOf = async (id: string) =>
    Messages.parse((await request('GET', `/inbox/conversations/${id}/messages?limit=1000`)).body).messages;
  const mirrorOn = (file: string, url: string): Mirror =>
    new Mirror({ url, key: agency.dashboardKey, tenantId: agency.tenantId, file: join(directory, file) });

  /** The events of an inbox. */
  const sent: z.output<typeof Ids>[] = [];
  const written: string[] = [];
  let number = 0;
  const { name } = { name: () => agency.session.name };
  const ACTIONS: Record<string, () => Promise<unknown>> = {
    async writes() {
      const pushName = random() < 0.3 ? { pushName: `Name ${below(9)}` } : {};
      written.push(
        await personWrites(engine, name(), { from: oneOf(PEOPLE), text: `in ${(number += 1)}`, ...pushName }),
      );
    },
    'sends a file': () =>
      personWrites(engine, name(), { from: oneOf(PEOPLE), text: 'a file', media: { mimetype: 'image/png' } }),
    async 'is sent to'() {
      const text = `out ${(number += 1)}`;
      sent.push(Ids.parse((await request('POST', '/messages/send', { to: oneOf(PEOPLE), text })).body));
    },
    async 'is answered by a person'() {
      const [chat] = await chats();
      if (chat) await request('POST', `/inbox/conversations/${chat.conversationId}/messages`, { content: 'At once' });
    },
    'is written to on the phone': () =>
      ownerWrites(engine, name(), { to: oneOf(PEOPLE), text: `from the phone ${(number += 1)}` }),
    async 'is sent to later'() {
      const sendAt = new Date(Date.now() + 500 + below(1_500)).toISOString();
      const body = { to: oneOf(PEOPLE), text: `later ${(number += 1)}`, sendAt };
      const { messageId } = Ids.parse((await request('POST', '/messages/send', body)).body);
      const choice = random();
      if (choice < 0.3) await request('POST', `/messages/${messageId}/cancel`, {});
      else if (choice < 0.6) await request('PATCH', `/messages/${messageId}`, { text: 'Other words' });
    },
    async 'is read'() {
      await request('POST', `/conversations/${oneOf(await chats()).conversationId}/read`, {});
    },
    async 'is taken over'() {
      await request('POST', `/conversations/${oneOf(await chats()).conversationId}/assign`, {
        assignee: `ann ${below(3)}`,
      });
    },
    async 'is given back'() {
      await request('POST', `/conversations/${oneOf(await chats()).conversationId}/release`, {});
    },
    async 'gets other labels'() {
      const { conversationId } = oneOf(await chats());
      const labelIds = ['1', '2', '3'].filter(() => random() < 0.5);
      await request('POST', `/sessions/${agency.session.id}/labels/set`, { conversationId, labelIds });
    },
    async 'takes words back'() {
      const id = written.pop();
      if (id !== undefined) await engine.control('POST', `/sessions/${name()}/revoke`, { id });
    },
    async 'changes words'() {
      const id = written.at(-1);
      if (id !== undefined) await engine.control('POST', `/sessions/${name()}/edit`, { id, text: 'Better words' });
    },
    async reacts() {
      const id = written.at(-1);
      if (id !== undefined)
        await engine.control('POST', `/sessions/${name()}/reaction`, { id, from: oneOf(PEOPLE), text: '👍' });
    },
    'turns out to have two addresses': async () => {
      const person = oneOf(PEOPLE);
      const lid = `9${person}@lid`;
      await personWrites(engine, name(), { from: lid, text: 'Who am I?' });
      await personWrites(engine, name(), { from: person, lid, text: 'It is me.' });
    },
  };

  /** Waits until nothing is on its way any more. */
  async function untilStill(): Promise<void> {
    const { database } = engine;
    for (let round = 0; round < 2; round += 1) {
      await untilCount(database, 'message', { status: ['scheduled', 'queued', 'sending'] }, 0);
      await untilCount(database, 'backendEvent', { appliedAt: null, parkedAt: null }, 0);
      for (const table of ['parkedOwnMessage', 'mediaFetch', 'heldEvent'] as const)
        await untilCount(database, table, {}, 0);
      await untilCount(database, 'conversation', { unfinishedMerge: not(null) }, 0);
      await untilCount(database, 'mirrorNote', {}, 0);
    }
  }

  /** All that a fresh read answers, by conversation and message. */
  async function freshRead(): Promise<{ chats: Map<string, Fresh>; messages: Map<string, Fresh> }> {
    const found = await chats();
    const messages = new Map<string, Fresh>();
    for (const { conversationId } of found) {
      for (const message of await messagesOf(conversationId)) {
        messages.set(message.messageId, { ...message, in: conversationId });
      }
    }
    // No event tells who waits or what went wrong: it follows from the messages and the turns.
    const derived = ['waitingSince', 'lastMessageStatus', 'agentSilence'];
    const told = found.map((chat): [string, Fresh] => {
      const fields = Object.entries(chat).filter(([field]) => !derived.includes(field));
      return [chat.conversationId, Object.fromEntries(fields)];
    });
    return { chats: new Map(told), messages };
  }

  /** Returns the mirror's copy, with the fields of the routes. */
  function copyOf(mirror: Mirror, like: Awaited<ReturnType<typeof freshRead>>): typeof like {
    const copied = mirror.chats();
    const messages = new Map<string, Fresh>();
    for (const { conversationId } of copied) {
      for (const message of mirror.messages(conversationId)) {
        messages.set(message.messageId ?? '', {
          ...pick(message, like.messages.get(message.messageId ?? '')),
          in: conversationId,
        });
      }
    }
    const chatsOf = copied.map(
      (chat) => [chat.conversationId, pick(chat, like.chats.get(chat.conversationId))] as const,
    );
    return { chats: new Map(chatsOf), messages };
  }

  it('has the same as a fresh read, whatever happens, however often it is killed, and in whatever order events come', async () => {
    let mirror = mirrorOn('pulled.db', unreliable.url);
    const pushed = mirrorOn('pushed.db', engine.url);
    for (let steps = 0; (await pushed.step(0)) !== 'nothing' && steps < 100; steps += 1);
    const { nextCursor } = Events.parse((await request('GET', '/webhooks/events?after=start&limit=1', undefined)).body);

    let isOver = false;
    let kills = 0;
    const running = (async () => {
      while (!isOver) {
        const step = mirror.step(1).catch(() => undefined);
        if (random() < 0.2) {
          kills += 1;
          await new Promise((resolve) => setTimeout(resolve, below(15)));
          mirror.close();
          await step;
          mirror = mirrorOn('pulled.db', unreliable.url);
        }
        await step;
      }
    })();
    const acts = Object.values(ACTIONS);
    // Each once, because chance alone may leave one out, and then as chance has it.
    for (let count = 0; count < ACTS; count += 1) {
      const act = acts[count] ?? oneOf(acts);
      await act();
    }
    await untilStill();
    isOver = true;
    await running;
    for (let quiet = 0; quiet < 2;) {
      quiet = (await mirror.step(0).catch(() => 'failed')) === 'nothing' ? quiet + 1 : 0;
    }
    const fresh = await freshRead();
    expect({ kills: kills > 0, ...copyOf(mirror, fresh) }).toEqual({ kills: true, ...fresh });
    const origins = new Set([...fresh.messages.values()].map(({ origin }) => origin));
    expect([...origins]).toEqual(expect.arrayContaining(['network', 'api', 'person', 'phone']));
    mirror.close();

    // The same events as a push may bring them: in any order, and each of them twice.
    const events: string[] = [];
    for (let after = nextCursor, more = true; more;) {
      const page = Events.parse((await request('GET', `/webhooks/events?after=${after}&limit=100`)).body);
      events.push(...page.events.map(({ body }) => body));
      more = page.events.length > 0;
      after = page.nextCursor;
    }
    for (const body of shuffled([...events, ...events], random)) pushed.apply(JSON.parse(body));
    for (let steps = 0; (await pushed.step(0)) !== 'nothing' && steps < 1_000; steps += 1);
    expect(copyOf(pushed, fresh)).toEqual(fresh);
    pushed.close();
  });
});

function pick(row: object, like: object | undefined): Fresh {
  return Object.fromEntries(Object.entries(row).filter(([field]) => like === undefined || field in like));
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((value) => ({ value, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/** Stands before the engine, and loses some requests before they arrive, and the answers of others. */
async function startUnreliable(url: string, random: () => number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const chance = random();
    if (chance < LOST) {
      response.destroy();
      return;
    }
    const pass = async (): Promise<void> => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const answer = await fetch(url + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: Object.fromEntries(Object.entries(headers).map(([field, value]) => [field, String(value)])),
        ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
      });
      const body = await answer.text();
      if (chance < 2 * LOST) response.destroy();
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
