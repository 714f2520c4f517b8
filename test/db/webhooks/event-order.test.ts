import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../db/engine/database.ts';
import { insertEvents } from '../../../db/webhooks/event.ts';
import { pullEvents } from '../../../db/webhooks/events/event-list.ts';
import type { EventPlace, EventRecord, PullFilter } from '../../../db/webhooks/events/event-list.ts';
import { placeOfNow, readNews } from '../../../db/webhooks/events/news.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { aMessageEvent } from '../../api/webhooks/a-webhook-scene.ts';
import { eventually } from '../../support/eventually.ts';
import { countRows, rowsOf, takeTransactionId } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { seeded } from '../seeded.ts';
import { howMany } from '../../support/depth.ts';

const SEEDS = Array.from({ length: howMany({ few: 3, all: 20 }) }, (_, index) => index + 1);
const STEPS = 80;
const MAX_OPEN = 5;
const SESSIONS = 2;
const CONVERSATIONS = 2;

class RolledBack extends Error {}

/** A transaction that has its number from the beginning, and is taken from step to step. */
interface OpenTransaction {
  /** The session whose sequence it holds. */
  session: string | null;
  tell(session: string, conversations: string[]): Promise<void>;
  end(how: 'commit' | 'rollback'): Promise<void>;
}

async function begin(database: Database): Promise<OpenTransaction> {
  const begun = Promise.withResolvers<void>();
  const tells = Promise.withResolvers<Parameters<typeof insertEvents>[1]>();
  const told = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<'commit' | 'rollback'>();
  const done = database
    .transaction(async (tx) => {
      await takeTransactionId(tx);
      begun.resolve();
      await insertEvents(tx, await tells.promise);
      told.resolve();
      if ((await ends.promise) === 'rollback') throw new RolledBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  await begun.promise;
  const transaction: OpenTransaction = {
    session: null,
    async tell(session, conversations) {
      transaction.session = session;
      tells.resolve(conversations.map((id) => aMessageEvent({ ...SCOPE, sessionId: session }, id)));
      await Promise.race([told.promise, done]);
    },
    async end(how) {
      ends.resolve(how);
      tells.resolve([]);
      await done;
    },
  };
  return transaction;
}

/** A reader that follows all pages, of everything or of one conversation. */
class Reader {
  readonly #database: Database;
  readonly #filter: PullFilter;
  #after: EventPlace | null = null;
  readonly seen: EventRecord[] = [];

  constructor(database: Database, wanted: { conversationId: string | null; since: Date }) {
    this.#database = database;
    this.#filter = { type: null, sessionId: null, until: null, tests: false, ...wanted };
  }

  async pull(limit: number): Promise<void> {
    const reach = { ...SCOPE, sessionId: null };
    const pulled = await this.#database.read((queries) =>
      pullEvents(queries, reach, this.#filter, { after: this.#after, limit }),
    );
    if (typeof pulled === 'string') throw new Error(`The reader lost its cursor: ${pulled}.`);
    this.seen.push(...pulled.events);
    this.#after = pulled.next;
  }
}

/** A follower of all new events of the agency, like the streams of a process. */
class Follower {
  readonly #database: Database;
  #after: EventPlace;
  readonly seen: EventRecord[] = [];

  constructor(database: Database, after: EventPlace) {
    this.#database = database;
    this.#after = after;
  }

  async read(limit: number): Promise<void> {
    const asked = [{ agencyId: SCOPE.agencyId, after: this.#after }];
    const news = await this.#database.read((queries) => readNews(queries, asked, limit));
    const { events = [], next = this.#after, isKnown } = news.get(SCOPE.agencyId) ?? {};
    if (!isKnown) throw new Error('The follower lost its place.');
    this.seen.push(...events);
    this.#after = next;
  }
}

const { database, sessionId } = await databaseOfThisFile();

describe('events that are pulled while transactions are open', () => {
  it.each(SEEDS)('come once and in the order of their session, however they interleave (%i)', async (seed) => {
    const since = database.clock.now();
    const random = seeded(seed);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(choices: readonly T[]): T | undefined => choices[below(choices.length)];
    const made = Array.from({ length: SESSIONS }, () => database.transaction((tx) => insertSession(tx, SCOPE, {})));
    const sessions = (await Promise.all(made)).filter((id) => id !== null);
    const conversationsOf = (session: string) =>
      Array.from({ length: CONVERSATIONS }, (_, index) => `cnv_${session}_${index}`);
    const conversations = sessions.flatMap(conversationsOf);
    const readers = [null, ...conversations].map((conversationId) => ({
      conversationId,
      reader: new Reader(database, { conversationId, since }),
    }));
    const follower = new Follower(database, await database.read(placeOfNow));
    const open: OpenTransaction[] = [];

    const end = async (transaction: OpenTransaction) => {
      open.splice(open.indexOf(transaction), 1);
      await transaction.end(random() < 0.25 ? 'rollback' : 'commit');
    };
    const steps = [
      async () => {
        if (open.length < MAX_OPEN) open.push(await begin(database));
      },
      async () => {
        const silent = pick(open.filter(({ session }) => session === null));
        // A writer that would wait for another's commit writes later.
        const free = pick(sessions.filter((id) => !open.some(({ session }) => session === id)));
        if (!silent || free === undefined) return;
        const told = Array.from({ length: 1 + below(3) }, () => pick(conversationsOf(free)) ?? '');
        await silent.tell(free, told);
      },
      async () => {
        const transaction = pick(open);
        if (transaction) await end(transaction);
      },
      async () => pick(readers)?.reader.pull(1 + below(4)),
      async () => follower.read(1 + below(4)),
    ];
    for (let step = 0; step < STEPS; step += 1) await pick(steps)?.();
    for (let [last] = open; last; [last] = open) await end(last);

    for (const { conversationId, reader } of readers) {
      const of = conversationId === null ? conversations : [conversationId];
      const wanted = await countRows(database, 'event', { conversationId: of });
      await eventually(async () => {
        await reader.pull(1 + below(4));
        return reader.seen.length >= wanted;
      });
      await reader.pull(100);
      expect(new Set(reader.seen.map(({ id }) => id)).size).toBe(reader.seen.length);
      expect(reader.seen).toHaveLength(wanted);
      for (const session of sessions) {
        const sequences = reader.seen.filter(({ sessionId }) => sessionId === session).map(({ sequence }) => sequence);
        expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
      }
    }
    const all = readers[0]?.reader.seen.map(({ id }) => id) ?? [];
    await eventually(async () => {
      await follower.read(1 + below(4));
      return follower.seen.length >= all.length;
    });
    expect(follower.seen.map(({ id }) => id)).toEqual(all);
  });
});

describe('what is new of agencies', () => {
  const Plan = z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() });
  const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan })) })).length(1);
  /** Counts the pages that the read of one agency touches. */
  const buffersOf = async (after: EventPlace): Promise<number> => {
    const rows = await rowsOf(
      database,
      sql`explain (analyze, buffers, format json) select * from read_news(array[${SCOPE.agencyId}],
        array[${after.txid}], array[${after.place}::bigint], now() - interval '2 days', 200)`,
    );
    const plan = Explained.parse(rows)[0]?.['QUERY PLAN'][0]?.Plan;
    return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  };

  it('is read for as few pages whatever was told before', async () => {
    const tell = () => database.transaction(async (tx) => tx.emit(aMessageEvent({ ...SCOPE, sessionId }, 'cnv_pages')));
    const costOfOne = async (): Promise<number> => {
      const after = await database.read(placeOfNow);
      await tell();
      // The first times, plans are made.
      const costs = [await buffersOf(after), await buffersOf(after), await buffersOf(after)];
      return Math.min(...costs);
    };
    const few = await costOfOne();
    await rowsOf(
      database,
      sql`insert into event (id, agency_id, tenant_id, session_id, conversation_id, sequence, type, body, created_at, txid)
        select 'evt_past_' || n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, 'cnv_past', n, 'message', '{}', now(),
          '3'::xid8 from generate_series(1, 20000) n`,
    );
    await rowsOf(database, sql`analyze event`);
    const many = await costOfOne();
    expect(many).toBeLessThanOrEqual(few + 10);
    expect(many).toBeLessThanOrEqual(120);
  });

  it('is not read from a place that a restored database does not know', async () => {
    const after = { txid: '9000000000000000000', place: '0' };
    const news = await database.read((queries) => readNews(queries, [{ agencyId: SCOPE.agencyId, after }], 10));
    expect(news.get(SCOPE.agencyId)).toMatchObject({ isKnown: false, events: [] });
  });

  it('is answered for each agency that is asked for', async () => {
    const after = await database.read(placeOfNow);
    await database.transaction(async (tx) => tx.emit(aMessageEvent({ ...SCOPE, sessionId }, 'cnv_each')));
    const asked = [SCOPE.agencyId, 'nobody'].map((agencyId) => ({ agencyId, after }));
    const news = await eventually(async () => {
      const read = await database.read((queries) => readNews(queries, asked, 10));
      return read.get(SCOPE.agencyId)?.events.some(({ conversationId }) => conversationId === 'cnv_each') && read;
    });
    expect(news.get('nobody')).toMatchObject({ events: [], hasMore: false, isKnown: true });
  });
});
