import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { withHolds } from '../../../activities/media/held.ts';
import { createErasureActivities } from '../../../activities/personal-data/erase.ts';
import { createExportActivities } from '../../../activities/personal-data/export.ts';
import { importChat, importMessages } from '../../../db/network/history.ts';
import { resealPeppers } from '../../../db/personal-data/erased-pepper.ts';
import { beginErasure } from '../../../db/personal-data/erasure.ts';
import { beginExport, findExport } from '../../../db/personal-data/export/export.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { activateAgency, suspendAgency } from '../../../db/tenants/suspension.ts';
import { aWorkingSession, SCOPE } from '../../db/a-database.ts';
import { databasesUnder } from '../../db/databases-under.ts';
import { howMany } from '../../support/depth.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, countRows, databaseNow, deleteRows, findRows, like, rowsOf } from '../../support/rows.ts';
import { takeServers } from '../../support/servers.ts';
import { inActivity } from '../in-activity.ts';
import { sessionsUnheard } from '../sessions/a-session-unheard.ts';
import { atEachStep, Steps } from './between-steps.ts';

const HOUR_MS = 3_600_000;
const { databaseUrl } = await takeServers();
const directory = await mkdtemp(join(tmpdir(), 'bad-input-'));

const open = databasesUnder(databaseUrl, 'bad-input');

let key = ENCRYPTION_KEY;
/** The database as the processes of the engine use it now. */
let engine = await open(key);
const store = withHolds(engine, createDirectoryStore(directory));
const sessionId = await aWorkingSession(engine);
let replaced = 0;
let people = 0;

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** The engine with a step before each transaction. */
const stepped = (steps: Steps) => ({
  read: <T>(...[work]: Parameters<typeof engine.read<T>>): Promise<T> => engine.read(work),
  statement: <T>(...[work]: Parameters<typeof engine.statement<T>>): Promise<T> => engine.statement(work),
  transaction: async <T>(...[work]: Parameters<typeof engine.transaction<T>>): Promise<T> => {
    await steps.next();
    return engine.transaction(work);
  },
});
const stopping = new AbortController().signal;

/** Reads what a contact wrote an hour ago from the account's history; answers how many of the messages are there. */
async function reads(chatId: string, words: string): Promise<number> {
  const session = await engine.read((queries) => findSessionById(queries, sessionId));
  if (!session) throw new Error('The session is not there.');
  const timestamp = Math.floor(Date.now() / 1_000) - 3_600;
  const said = Array.from({ length: 3 }, (_, n) =>
    aNetworkMessage({ networkId: `${words}${n}`, chatId, timestamp: timestamp - n, body: `${words} ${n}` }),
  );
  const [lastMessage = null] = said;
  const chat = { chatId, name: null, pictureUrl: null, unreadCount: 0, lastMessage, lastAt: timestamp };
  await engine.transaction(async (tx) => {
    const there = await importChat(tx, session, chat);
    if (there !== null) await importMessages(tx, session, there, { messages: said });
  });
  return countRows(engine, 'message', { body: like(`${words} %`) });
}

async function aPerson(): Promise<{ chatId: string; words: string; contactId: string }> {
  people += 1;
  const chatId = `1555${7_300_000 + people}@c.us`;
  const words = `words of ${people}`;
  expect(await reads(chatId, words)).toBe(3);
  const [contact] = await findRows(engine, 'contactAlias', { chatId }, { id: 'contactId' });
  return { chatId, words, contactId: contact?.id ?? '' };
}

/** Erases a person to the end, with a step before each transaction. */
async function erases(contactId: string, steps: Steps): Promise<void> {
  const begun = await engine.transaction((tx) => beginErasure(tx, SCOPE.agencyId, { contactId, keyId: 'key' }));
  const erasureId = begun?.erasure.id ?? '';
  const { eraseOn } = createErasureActivities({ database: stepped(steps), media: { store }, stopping });
  for (;;) {
    const round = await inActivity(eraseOn, { erasureId });
    if (round.step === 'done') return;
    engine.clock.advance(3_000);
  }
}

async function replaceKey(): Promise<void> {
  const next = `encryption-key-${(replaced += 1)}-0123456789-0123456789-0123`;
  const both = await open(next, key);
  await both.transaction((tx) => resealPeppers(tx, null, 100));
  key = next;
  engine = await open(next);
}

describe('an encryption key that is replaced in the middle of an erasure', () => {
  it('brings nothing of the person back, between any two steps', async () => {
    await atEachStep(howMany({ few: 4, all: 1_000 }), async (at) => {
      const { chatId, words, contactId } = await aPerson();
      const steps = new Steps(at, replaceKey);
      await erases(contactId, steps);
      expect([at, await reads(chatId, words)]).toEqual([at, 0]);
      return steps;
    });
  });
});

/** Exports the tenant to the end; answers the export as its row says it is. */
async function exports(steps: Steps) {
  const begun = await engine.transaction((tx) => beginExport(tx, SCOPE, 'key'));
  const exportId = begun?.found.id ?? '';
  const { exportOn } = createExportActivities({ database: stepped(steps), media: { store }, stopping });
  await inActivity(exportOn, { exportId });
  const found = await engine.read((queries) => findExport(queries, exportId));
  if (found === null) throw new Error('The export is not there.');
  return found;
}

describe('an export of a tenant whose agency is suspended', () => {
  it('ends as done, with all of its messages, when that happens between any two steps', async () => {
    await aPerson();
    const messages = await countRows(engine, 'message');
    await atEachStep(howMany({ few: 4, all: 1_000 }), async (at) => {
      const by = { keyId: 'key', requestId: null };
      const steps = new Steps(at, () => engine.transaction((tx) => suspendAgency(tx, SCOPE.agencyId, by)));
      const { endedAt, goneReason, counts, place } = await exports(steps);
      expect([at, { endedAt, goneReason, place, messages: counts['message'] }]).toEqual([
        at,
        { endedAt: expect.any(Date), goneReason: null, place: null, messages },
      ]);
      await engine.transaction((tx) => activateAgency(tx, SCOPE.agencyId, by));
      return steps;
    });
  });
});

describe('an erasure during an export', () => {
  /** The files of the store that hold these words, unless the clean-up deletes them once their hold is over. */
  async function keptWith(words: string): Promise<string[]> {
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    const found: string[] = [];
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      if ((await readFile(path, 'utf8')).includes(words)) found.push(`${SCOPE.agencyId}/${file.name}`);
    }
    const unused = await rowsOf<{ key: string }>(
      engine,
      sql`select key from media_key where key = any(${found}::text[]) and not is_file_named(key)
        and held_until < now() + interval '25 hours'`,
    );
    return found.filter((each) => !unused.some((one) => one.key === each));
  }

  it('is done, and the export is gone with what it has written, between any two steps', async () => {
    await atEachStep(howMany({ few: 3, all: 1_000 }), async (at) => {
      const { words, contactId } = await aPerson();
      const steps = new Steps(at, () =>
        erases(contactId, new Steps(Number.POSITIVE_INFINITY, () => Promise.resolve())),
      );
      const { endedAt, goneReason } = await exports(steps);
      const isErased = steps.hasHappened;
      expect([at, { endedAt, goneReason }]).toEqual([
        at,
        { endedAt: expect.any(Date), goneReason: isErased ? 'erased' : null },
      ]);
      expect([at, await countRows(engine, 'message', { body: like(`${words} %`) })]).toEqual([at, isErased ? 0 : 3]);
      if (isErased) expect([at, await keptWith(words)]).toEqual([at, []]);
      return steps;
    });
  });
});

describe('a retention that is shorter than the audit of gaps looks back', () => {
  afterEach(async () => {
    await engine.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: null }));
    await deleteRows(engine, 'deletionMark');
  });

  it('leaves each audit with nothing recovered and nothing unknown, day after day', async () => {
    const session = await sessionsUnheard(engine)();
    const since = new Date(engine.clock.now().getTime() - 6 * 24 * HOUR_MS);
    await changeRows(engine, 'session', { statusChangedAt: since, comparedAt: null }, { id: session.id });
    for (const hours of [100, 60, 40, 5]) {
      await session.tells(session.shows('15557390001@c.us', `${hours} hours ago`, hours * HOUR_MS));
    }
    await engine.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays: 1 }));
    const left = () => findRows(engine, 'message', { sessionId: session.id }, ['body'], 'body');
    for (const _day of [1, 2, 3]) {
      await changeRows(engine, 'retentionSweep', { endedAt: null, afterId: '' });
      while ((await engine.transaction((tx) => sweepRetention(tx, 100))) === 100);
      await changeRows(engine, 'session', { comparedAt: databaseNow, auditedAt: null }, { id: session.id });
      await session.look();
      await session.carryOut();
      expect(await left()).toEqual([{ body: '5 hours ago' }]);
    }
    // An audit that has found nothing leaves no gap.
    expect(await countRows(engine, 'gap', { sessionId: session.id })).toBe(0);
    expect(session.chatsRead).toHaveLength(3);
    expect((await session.events()).filter(({ type }) => type === 'message')).toHaveLength(4);
  });
});
