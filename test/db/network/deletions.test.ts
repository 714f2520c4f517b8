import { afterEach, describe, expect, it } from '@jest/globals';
import { createErasureActivities } from '../../../activities/personal-data/erase.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { releaseOverdue } from '../../../db/media/news.ts';
import { notePassthroughSend, recordPassthroughSend } from '../../../db/network/passthrough-send.ts';
import { beginErasure } from '../../../db/personal-data/erasure.ts';
import { readExportPage } from '../../../db/personal-data/export/read-page.ts';
import { ROWS_OF } from '../../../db/personal-data/export/walk.ts';
import { writeRows } from '../../../db/personal-data/import/write-rows.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { recordDeleted } from '../../../db/sessions/delete.ts';
import { openGaps } from '../../../db/sessions/gaps.ts';
import { listOverdueHolds } from '../../../db/webhooks/events/held-events.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import type { NetworkEvent, NetworkMessage } from '../../../domain/network/network-event.ts';
import { followUpSilentLead } from '../../../workflows/automations/index.ts';
import { inActivity } from '../../activities/in-activity.ts';
import { sessionsUnheard } from '../../activities/sessions/a-session-unheard.ts';
import { ago, changeRows, countRows, databaseNow, deleteRows, findRows, toldPayloads } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { restoreElsewhere } from '../restore-elsewhere.ts';

const HOUR_MS = 3_600_000;
const { database, session: ofFile } = await databaseOfThisFile();
const aSession = sessionsUnheard(database);
const { eraseOn } = createErasureActivities({
  database,
  media: { store: { delete: async () => undefined } },
  stopping: new AbortController().signal,
});
type Session = Awaited<ReturnType<typeof aSession>>;

let people = 0;

/** A session that works for six days, with what a contact said 40 hours ago, and what we said to them. */
async function aScene() {
  people += 1;
  const chatId = `1555${4_200_000 + people}@c.us`;
  const session = await aSession();
  const since = new Date(database.clock.now().getTime() - 6 * 24 * HOUR_MS);
  await changeRows(database, 'session', { statusChangedAt: since, comparedAt: null }, { id: session.id });
  const said = session.shows(chatId, 'what the contact said', 40 * HOUR_MS);
  const ours = session.shows(chatId, 'what we said', 39 * HOUR_MS, { fromMe: true });
  const call: NetworkEvent = {
    kind: 'call',
    key: `call-${people}`,
    callId: `C${people}`,
    chatId,
    participant: null,
    status: 'rejected',
    at: database.clock.now().getTime() - 38 * HOUR_MS,
    isVideo: false,
    isGroup: false,
  };
  await session.tells(said);
  await tellsOf(session, { kind: 'message', key: `own-${people}`, message: ours }, call);
  return { session, chatId, said, ours, call };
}
type Scene = Awaited<ReturnType<typeof aScene>>;

/** The backend tells of something; own messages are adopted at once. */
async function tellsOf(session: Session, ...events: NetworkEvent[]): Promise<void> {
  const row = await session.row();
  await database.transaction((tx) =>
    applyNetworkEvents(
      tx,
      events.map((event) => ({ session: row, event, receivedAt: null })),
    ),
  );
  await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ minutes: 1 }) });
  await adoptOwnMessages(database, async () => null);
}

/** Returns the messages of a session, without those that were reported after a deletion. */
async function stateOf({ session }: Scene) {
  return {
    messages: (
      await findRows(
        database,
        'message',
        { sessionId: session.id },
        ['networkId', 'origin', 'body', 'revokedAt'],
        'networkId',
      )
    ).map(({ revokedAt, body, ...row }) => ({ ...row, body: revokedAt === null ? body : null })),
    told: await countRows(database, 'event', { sessionId: session.id, type: ['message', 'call.updated'] }),
    runs: await countRows(database, 'automationExecution', { sessionId: session.id }),
    unread: (await findRows(database, 'conversation', { sessionId: session.id }, ['unreadCount'])).reduce(
      (sum, { unreadCount }) => sum + unreadCount,
      0,
    ),
  };
}

const keep = (messageRetentionDays: number | null) =>
  database.transaction((tx) => updateSettings(tx, SCOPE, { messageRetentionDays }));

async function sweep(): Promise<void> {
  await changeRows(database, 'retentionSweep', { endedAt: null, afterId: '' });
  while ((await database.transaction((tx) => sweepRetention(tx, 100))) === 100);
}

const DELETIONS: Record<string, { by: (scene: Scene) => Promise<void>; keeps: boolean }> = {
  'an erasure': {
    by: async ({ chatId }) => {
      const [contact] = await findRows(database, 'contactAlias', { chatId }, { id: 'contactId' });
      const begun = await database.transaction((tx) =>
        beginErasure(tx, SCOPE.agencyId, { contactId: contact?.id ?? '', keyId: 'key' }),
      );
      const erasureId = begun?.erasure.id ?? '';
      while ((await inActivity(eraseOn, { erasureId })).step !== 'done');
    },
    keeps: false,
  },
  'the retention': {
    by: async () => {
      await keep(1);
      await sweep();
    },
    keeps: false,
  },
  'a retention that was longer again': {
    by: async () => {
      await keep(1);
      await sweep();
      await keep(30);
    },
    keeps: false,
  },
  'a revocation': {
    by: async ({ session, said, ours }) => {
      const revoke = ({ networkId, chatId, fromMe, timestamp }: NetworkMessage): NetworkEvent => ({
        kind: 'revoked',
        key: `revoke-${networkId}`,
        networkId,
        by: { fromMe, chatId, participant: null, aliases: [] },
        at: timestamp * 1_000,
        toldAt: timestamp * 1_000,
      });
      await tellsOf(session, revoke(said), revoke(ours));
    },
    keeps: true,
  },
  'the end of its session': {
    by: ({ session }) => database.transaction((tx) => recordDeleted(tx, session.id)),
    keeps: true,
  },
};

const ANY_TIME: Record<string, (scene: Scene) => Promise<void>> = {
  'an event': ({ session, said }) => session.tells(said),
  'an event of our own message': ({ session, ours }) =>
    tellsOf(session, { kind: 'message', key: 'own-again', message: ours }),
  'an event of a call': ({ session, call }) => tellsOf(session, call),
  'a read of the history': ({ session, chatId }) => session.scrolls(chatId),
  'a gap': async ({ session }) => {
    const [from, to] = [44, 0.5].map((hours) => new Date(database.clock.now().getTime() - hours * HOUR_MS));
    if (from && to) await database.transaction((tx) => openGaps(tx, [session.id], { cause: 'engine_down', from, to }));
    await session.carryOut();
  },
  'an audit': async ({ session }) => {
    await changeRows(database, 'session', { comparedAt: databaseNow }, { id: session.id });
    await session.look();
    await session.carryOut();
  },
  'the look at a silent session': async ({ session }) => {
    await changeRows(database, 'session', { suspect: 'nothing_heard', compareAt: databaseNow }, { id: session.id });
    await session.look();
    await session.carryOut();
  },
};

/** Paths by which something comes that began before the deletion: what they do then, and what comes after it. */
const BEGUN: Record<string, (scene: Scene) => Promise<() => Promise<void>>> = {
  'an answer and the echo of a send by a route of the backend': async ({ session, chatId }) => {
    const scope = { ...SCOPE, sessionId: session.id };
    const send = { chatId, kind: 'text', body: 'passed on', origin: 'api', keyId: 'key' } as const;
    const id = await database.transaction((tx) => notePassthroughSend(tx, scope, send));
    const echo = session.shows(chatId, 'passed on', 40 * HOUR_MS, { fromMe: true, source: 'api' });
    const answered = () =>
      database.transaction((tx) => recordPassthroughSend(tx, id, { networkId: echo.networkId, chatId }));
    await answered();
    const at = new Date(echo.timestamp * 1_000);
    await changeRows(database, 'message', { occurredAt: at, sentAt: at }, { id });
    return async () => {
      await answered();
      await tellsOf(session, { kind: 'message', key: `echo-${id}`, message: echo });
    };
  },
  'an import of what was exported before': async ({ session }) => {
    const message = ROWS_OF.get('message');
    if (message === undefined) throw new Error('Nothing exports messages.');
    const scope = { ...SCOPE, createdAt: new Date(database.clock.now().getTime() + HOUR_MS) };
    const begin = { what: 'message', parent: null, after: null };
    const { parts } = await database.transaction((tx) => readExportPage(tx, scope, begin));
    const lines = parts.flatMap((part) => (part.what === 'message' ? part.lines : []));
    const own = lines.filter((line) => line.includes(session.id));
    return () =>
      database.transaction((tx) => writeRows(tx, SCOPE, { step: message, lines: own })).then(() => undefined);
  },
};

/** The dump of a deletion knows it, so what the others bring on the server on which it is restored stays away, too. */
const RESTORED: typeof ANY_TIME = {
  'a restore on another server, behind which it comes by each of these': async (scene) => {
    await restoreElsewhere(database);
    for (const comes of Object.values(ANY_TIME)) await comes(scene);
  },
};

const PATHS: typeof BEGUN = {
  ...Object.fromEntries(
    Object.entries({ ...ANY_TIME, ...RESTORED }).map(([path, comes]) => [
      path,
      (scene: Scene) => Promise.resolve(() => comes(scene)),
    ]),
  ),
  ...BEGUN,
};

afterEach(async () => {
  await keep(null);
  await deleteRows(database, 'deletionMark');
});

describe('a message that was deleted', () => {
  for (const [deletion, { by, keeps }] of Object.entries(DELETIONS))
    for (const [path, begins] of Object.entries(PATHS))
      it(`by ${deletion} is neither written nor told again by ${path}`, async () => {
        const scene = await aScene();
        const configured = followUpSilentLead.configure({});
        if ('wrong' in configured) throw new Error('The automation cannot be switched on.');
        await database.transaction((tx) =>
          setAutomation(tx, ofFile, { definition: 'follow-up-silent-lead', enabled: true, keyId: 'k', ...configured }),
        );
        const comes = await begins(scene);
        const { messages } = await stateOf(scene);
        expect(messages.length).toBeGreaterThan(2);
        await by(scene);
        const deleted = await stateOf(scene);
        expect(deleted.messages).toHaveLength(keeps ? messages.length : 0);
        await comes();
        expect(await stateOf(scene)).toEqual(deleted);
      });
});

describe('a message that was not deleted', () => {
  for (const [path, begins] of Object.entries(PATHS))
    it(`comes by ${path}, once`, async () => {
      const scene = await aScene();
      const comes = await begins(scene);
      await deleteRows(database, 'message', { sessionId: scene.session.id });
      await comes();
      const { messages } = await stateOf(scene);
      expect(messages).not.toEqual([]);
      await comes();
      expect((await stateOf(scene)).messages).toEqual(messages);
    });
});

/** Its event waits for its file when the message is deleted. */
describe('the held event of a message', () => {
  const told: Record<string, string[]> = {
    'an erasure': [],
    'the retention': [],
    'a retention that was longer again': [],
    'a revocation': ['', ''],
    'the end of its session': ['look', 'and behind it'],
  };

  for (const [deletion, { by }] of Object.entries(DELETIONS))
    it(`says nothing of what ${deletion} has deleted`, async () => {
      const scene = await aScene();
      const { session, chatId } = scene;
      const file = { url: 'http://backend.test/f', mimeType: 'image/jpeg', fileName: null, error: null };
      const photo = { kind: 'image', hasMedia: true, media: file } as const;
      const held = session.shows(chatId, 'look', 40 * HOUR_MS, photo);
      const behind = session.shows(chatId, 'and behind it', 39 * HOUR_MS);
      for (const message of [held, behind])
        await tellsOf(session, { kind: 'message', key: message.networkId, message });
      expect(await countRows(database, 'heldEvent', { sessionId: session.id })).toBe(2);
      await by({ ...scene, said: held, ours: behind });
      await changeRows(database, 'heldEvent', { waitsUntil: ago({ seconds: 1 }) });
      for (const id of await database.read((queries) => listOverdueHolds(queries, 100)))
        await database.transaction((tx) => releaseOverdue(tx, id));
      const bodies = (await toldPayloads(database, { sessionId: session.id, type: 'message' })).map(({ body }) => body);
      expect(bodies.filter((body) => body !== 'what the contact said')).toEqual(told[deletion]);
      expect(await countRows(database, 'heldEvent', { sessionId: session.id })).toBe(0);
    });
});
