import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ShardOwner } from '../../../activities/webhooks/shards/owner.ts';
import { insertEvents } from '../../../db/webhooks/event.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { receivers } from '../../activities/webhooks/a-drained-endpoint.ts';
import { seeded } from '../../db/seeded.ts';
import { startApiOn } from '../../support/api.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows, takeTransactionId } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aMessageEvent, aScene } from './a-webhook-scene.ts';
import { someOf } from '../../support/depth.ts';

const SEEDS = someOf([1, 2, 3, 4, 5, 6, 7, 8], 2);
const WRITERS = 5;
const TRANSACTIONS = 12;
const CONVERSATIONS = 3;

const api = await startApiOn(await takeDatabase(), 'one-order');
const acme = await aScene(api, 'acme');
const Page = z.object({ events: z.array(z.object({ id: z.string() })), nextCursor: z.string() });

const world = receivers();
const owner = new ShardOwner(
  { database: api.database, egress: { post: world.post } },
  { warn: () => undefined },
).start();
afterAll(async () => {
  await owner.stop();
  await api.close();
});

interface Told {
  id: string;
  sessionId: string;
  conversationId: string;
  sequence: number;
}

/** A reader in one of the three ways, until it leaves. */
interface Reader {
  how: string;
  shows: (event: Told) => boolean;
  seen: string[];
  leave: () => Promise<void>;
}

/** Pulls page after page of any size, from now on. */
async function aPuller(of: { random: () => number; query: string; shows: Reader['shows'] }): Promise<Reader> {
  const seen: string[] = [];
  let isLeaving = false;
  const { nextCursor } = Page.parse((await acme.get(`/events?after=start&limit=1&since=${now()}${of.query}`)).body);
  const run = async (): Promise<void> => {
    let after = nextCursor;
    while (!isLeaving) {
      const limit = 1 + Math.floor(of.random() * 7);
      const page = Page.parse((await acme.get(`/events?after=${after}&limit=${limit}&wait=1${of.query}`)).body);
      seen.push(...page.events.map(({ id }) => id));
      after = page.nextCursor;
    }
  };
  const running = run();
  const leave = async (): Promise<void> => {
    isLeaving = true;
    await running;
  };
  return { how: `pull ${of.query}`, shows: of.shows, seen, leave };
}

const now = (): string => encodeURIComponent(api.database.clock.now().toISOString());

/** Streams from now on; it loses its connection now and then, and comes back with the last id it has had. */
async function aStreamer(of: { random: () => number; query: string; shows: Reader['shows'] }): Promise<Reader> {
  const seen: string[] = [];
  let isLeaving = false;
  const open = (lastEventId: string) =>
    StreamReader.open(`${api.url}/api/v1/events/stream?${of.query.slice(1)}`, {
      'x-api-key': acme.key,
      ...(lastEventId === '' ? {} : { 'last-event-id': lastEventId }),
    });
  let reader = await open('');
  await reader.untilReady();
  const run = async (): Promise<void> => {
    while (!isLeaving) {
      let left = 1 + Math.floor(of.random() * 25);
      while (left > 0 && !isLeaving) {
        const frame = await reader.next().catch(() => undefined);
        if (!frame) break;
        if (frame.event === 'ready') continue;
        seen.push(String(frame.data['id']));
        left -= 1;
      }
      reader.leave();
      if (!isLeaving) reader = await open(reader.lastEventId);
    }
  };
  const running = run();
  const leave = async (): Promise<void> => {
    isLeaving = true;
    reader.leave();
    await running;
    // It may just have come back.
    reader.leave();
  };
  return { how: `stream ${of.query}`, shows: of.shows, seen, leave };
}

describe('an event', () => {
  it.each(SEEDS)('comes once and in the same order by pull, push and stream (%i)', async (seed) => {
    const random = seeded(seed);
    const below = (count: number) => Math.floor(random() * count);
    const made = Array.from({ length: 3 }, () =>
      api.database.transaction((tx) => insertSession(tx, { agencyId: 'acme', tenantId: 't1' }, {})),
    );
    const sessions = (await Promise.all(made)).filter((id) => id !== null);
    const [session = ''] = sessions;
    const conversationsOf = (id: string) => Array.from({ length: CONVERSATIONS }, (_, index) => `cnv_${id}_${index}`);
    const wanted = conversationsOf(session)[0] ?? '';
    const filters: { query: string; shows: Reader['shows'] }[] = [
      { query: '', shows: () => true },
      { query: `&sessionId=${session}`, shows: ({ sessionId }) => sessionId === session },
      { query: `&conversationId=${wanted}`, shows: ({ conversationId }) => conversationId === wanted },
    ];
    const posted = world.taken.length;
    const readers = await Promise.all(
      filters.flatMap((filter) => [aPuller({ random, ...filter }), aStreamer({ random, ...filter })]),
    );

    const writers = Array.from({ length: WRITERS }, async () => {
      for (let count = 0; count < TRANSACTIONS; count += 1) {
        await api.database
          .transaction(async (tx) => {
            // It has its number before others that commit first.
            if (random() < 0.5) await takeTransactionId(tx);
            await pause(below(8));
            const sessionId = sessions[below(sessions.length)] ?? '';
            const told = Array.from({ length: 1 + below(3) }, () =>
              aMessageEvent(
                { agencyId: 'acme', tenantId: 't1', sessionId },
                conversationsOf(sessionId)[below(CONVERSATIONS)] ?? '',
              ),
            );
            await insertEvents(tx, told);
            if (random() < 0.2) throw new RolledBack();
          })
          .catch((error: unknown) => {
            if (!(error instanceof RolledBack)) throw error;
          });
      }
    });
    await Promise.all(writers);

    const columns = ['id', 'sessionId', 'conversationId', 'sequence'] as const;
    const inOrder = await findRows(api.database, 'event', { sessionId: sessions }, columns, ['txid', 'place']);
    const told = inOrder.map(({ id, sessionId, conversationId, sequence }) => ({
      id,
      sessionId: sessionId ?? '',
      conversationId: conversationId ?? '',
      sequence: Number(sequence),
    }));
    expect(told.length).toBeGreaterThan(0);
    const pushed = () => world.taken.slice(posted);
    const has = (count: number, shows: Reader['shows']) => count >= told.filter(shows).length;
    await eventually(
      () => readers.every(({ seen, shows }) => has(seen.length, shows)) && has(pushed().length, () => true),
      {
        what: 'every event to come in each way',
      },
    );
    await Promise.all(readers.map(({ leave }) => leave()));

    // All who are shown the same see the same, in the order of the places and so of each session's sequence.
    for (const { how, seen, shows } of readers) {
      const ids = told.filter(shows).map(({ id }) => id);
      expect({ how, seen }).toEqual({ how, seen: ids });
    }
    for (const id of sessions) {
      const sequences = told.filter(({ sessionId }) => sessionId === id).map(({ sequence }) => sequence);
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    }
    // Endpoints get the same events, each conversation's in that order.
    expect(
      pushed()
        .map(({ eventId }) => eventId)
        .toSorted(),
    ).toEqual(told.map(({ id }) => id).toSorted());
    for (const conversationId of new Set(told.map((event) => event.conversationId))) {
      const ofIt = told.filter((event) => event.conversationId === conversationId).map(({ id }) => id);
      expect(
        pushed()
          .filter(({ lane }) => lane === conversationId)
          .map(({ eventId }) => eventId),
      ).toEqual(ofIt);
    }
  });
});

class RolledBack extends Error {}
