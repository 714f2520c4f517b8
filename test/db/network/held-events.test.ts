import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { endFetch, endOverdueFetches, releaseOverdue } from '../../../db/media/news.ts';
import { applyNetworkEvents } from '../../../db/network/ingest.ts';
import { findOverlooked } from '../../../db/operations/overlooked.ts';
import { promiseAgain } from '../../../db/promise-again.ts';
import { listOverdueHolds } from '../../../db/webhooks/events/held-events.ts';
import type { FetchEnd } from '../../../db/media/fetch.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import { listSequenceFaults } from '../../activities/webhooks/delivery-truth.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  ago,
  changeRows,
  countRows,
  deleteRows,
  earlier,
  findRows,
  like,
  toldEvents,
  toldPayloads,
} from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { inEveryOrder } from '../interleave.ts';
import { withBoundaries } from '../sending/boundaries.ts';
import { stepped } from '../sending/stepped.ts';
import { adoptIn } from './adopt.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();
const Media = z.object({ url: z.string().nullable(), error: z.string().nullish() }).nullish();
await withBoundaries(database);

const STORED: FetchEnd = {
  stored: { key: `a1/${'0'.repeat(64)}`, sizeBytes: 3, sha256: '0'.repeat(64) },
  mimeType: 'image/jpeg',
  fileName: 'cat.jpg',
};
const FILE = { url: 'http://backend.test/api/files/a/b.jpg', mimeType: 'image/jpeg', fileName: null, error: null };

let people = 0;

/** Somebody who writes to the session, with what dashboards are told of them. */
function somebody() {
  people += 1;
  const chatId = `1555${5_000_000 + people}@c.us`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  const said = (body: string, more: object = {}): NetworkEvent => ({
    kind: 'message',
    key: `${chatId}${body}`,
    message: aNetworkMessage({ networkId: `${chatId}${body}`, chatId, timestamp, body, ...more }),
  });
  const withFile = (body: string, more: object = {}) =>
    said(body, { kind: 'image', hasMedia: true, media: FILE, ...more });
  return {
    chatId,
    said,
    withFile,
    write: (...events: NetworkEvent[]) =>
      database.transaction((tx) =>
        applyNetworkEvents(
          tx,
          events.map((event) => ({ session, event, receivedAt: null })),
        ),
      ),
    async idOf(body: string): Promise<string> {
      const [found] = await findRows(database, 'message', { networkId: `${chatId}${body}` }, ['id']);
      return found?.id ?? '';
    },
    async conversation(): Promise<string> {
      const [found] = await findRows(database, 'conversation', { chatId }, ['id']);
      return found?.id ?? '';
    },
    /** In the order in which dashboards are told: what was said, and of a file what its event says. */
    async told(): Promise<string[]> {
      const said = await findRows(database, 'message', { networkId: like(`${chatId}%`) }, ['id', 'body']);
      const bodies = new Map<unknown, string>(said.map(({ id, body }) => [id, body]));
      const events = (await toldEvents(database, {})).filter(({ payload }) => bodies.has(payload['messageId']));
      return events.map(({ type, payload }) => {
        const body = bodies.get(payload['messageId']);
        const file = Media.parse(payload['media']);
        const state = !file ? '' : ` ${file.url === null ? (file.error ?? 'nothing') : 'file'}`;
        return `${type === 'message' ? '' : `${type} `}${body}${state}`;
      });
    },
  };
}

const end = (messageId: string, how: FetchEnd = STORED) => database.transaction((tx) => endFetch(tx, messageId, how));
const timePasses = () => changeRows(database, 'heldEvent', { waitsUntil: ago({ seconds: 1 }) });

async function releaseAll(): Promise<void> {
  await timePasses();
  for (const id of await database.read((queries) => listOverdueHolds(queries, 100))) {
    await database.transaction((tx) => releaseOverdue(tx, id));
  }
}

describe('the event of a message with a file', () => {
  afterAll(async () => {
    expect(await countRows(database, 'heldEvent')).toBe(0);
    expect(await countRows(database, 'sessionSequence', { holdsEvents: true })).toBe(0);
    expect(await listSequenceFaults(database)).toEqual([]);
  });

  it('waits for the file, and what is said after it waits behind it, while others do not wait', async () => {
    const [one, other] = [somebody(), somebody()];
    await one.write(one.said('before'), one.withFile('photo'), one.said('after'));
    await one.write(one.said('later'));
    await other.write(other.said('hello'));
    expect(await one.told()).toEqual(['before']);
    expect(await other.told()).toEqual(['hello']);
    await end(await one.idOf('photo'));
    expect(await one.told()).toEqual(['before', 'photo file', 'after', 'later']);
    await one.write(one.said('at last'));
    expect(await one.told()).toHaveLength(5);
  });

  it('shows the file by an address of ours, with its type, size and digest', async () => {
    const one = somebody();
    await one.write(one.withFile('photo'));
    const id = await one.idOf('photo');
    await end(id);
    const [payload] = await toldPayloads(database, {}, { messageId: id });
    const url = expect.stringContaining(`http://engine.test/media/${id}/`);
    expect(payload).toMatchObject({
      hasMedia: true,
      mediaUrl: url,
      media: { url, mimeType: 'image/jpeg', fileName: 'cat.jpg', sizeBytes: 3, sha256: '0'.repeat(64) },
    });
  });

  it('waits behind an earlier file that has not come yet', async () => {
    const one = somebody();
    await one.write(one.withFile('first'), one.said('between'), one.withFile('second'), one.said('after'));
    await end(await one.idOf('second'));
    expect(await one.told()).toEqual([]);
    await end(await one.idOf('first'));
    expect(await one.told()).toEqual(['first file', 'between', 'second file', 'after']);
  });

  it('goes without the file after a while, and the file is told when it comes', async () => {
    const one = somebody();
    await one.write(one.withFile('slow'), one.said('after'));
    expect(await database.read(findOverlooked)).toMatchObject({ holds: false });
    await timePasses();
    expect(await database.read(findOverlooked)).toMatchObject({ holds: true });
    await releaseAll();
    expect(await one.told()).toEqual(['slow media_pending', 'after']);
    await end(await one.idOf('slow'));
    await end(await one.idOf('slow'));
    expect(await one.told()).toEqual(['slow media_pending', 'after', 'message.media slow file']);
  });

  it('says why when the file will not come', async () => {
    const one = somebody();
    await one.write(one.withFile('huge'));
    await end(await one.idOf('huge'), { error: 'media_too_large' });
    await one.write(one.withFile('lost'));
    await releaseAll();
    await end(await one.idOf('lost'), { error: 'media_unavailable' });
    expect(await one.told()).toEqual([
      'huge media_too_large',
      'lost media_pending',
      'message.media lost media_unavailable',
    ]);
  });

  it('is one, and its file is fetched once, when the backend tells it twice', async () => {
    const one = somebody();
    await one.write(one.withFile('photo'));
    await one.write(one.withFile('photo'), one.withFile('photo'));
    const id = await one.idOf('photo');
    expect(await countRows(database, 'heldEvent', { waitsFor: id })).toBe(1);
    expect(await countRows(database, 'dispatch', { workflowId: `media/${id}` })).toBe(1);
    await end(id);
    await one.write(one.withFile('photo'));
    expect(await one.told()).toEqual(['photo file']);
  });

  it('keeps its place when the conversation turns out to be one with another', async () => {
    const one = somebody();
    await one.write(one.said('by phone'));
    people += 1;
    const lid = `${9_000_000 + people}@lid`;
    await one.write(one.withFile('hidden photo', { chatId: lid }));
    await one.write(one.said('it is me', { chatId: lid, aliases: [one.chatId] }));
    await one.write(one.said('by phone again'));
    expect(await one.told()).toEqual(['by phone']);
    await end(await one.idOf('hidden photo'));
    expect(await one.told()).toEqual(['by phone', 'hidden photo file', 'it is me', 'by phone again']);
  });

  it('keeps its place when both conversations that turn out to be one wait for a file', async () => {
    const one = somebody();
    await one.write(one.withFile('photo by phone'));
    people += 1;
    const lid = `${9_000_000 + people}@lid`;
    await one.write(one.withFile('hidden photo', { chatId: lid }));
    await one.write(one.said('it is me', { chatId: lid, aliases: [one.chatId] }));
    await end(await one.idOf('hidden photo'));
    await one.write(one.said('by phone again'));
    await end(await one.idOf('photo by phone'));
    expect(await one.told()).toEqual(['photo by phone file', 'hidden photo file', 'it is me', 'by phone again']);
  });

  it('is none for a file that the owner sends from the phone, which is fetched all the same', async () => {
    const one = somebody();
    await one.write(one.said('hello'));
    await one.write(one.withFile('from the phone', { fromMe: true, source: 'app' }));
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ minutes: 1 }) });
    await database.transaction(adoptIn);
    const id = await one.idOf('from the phone');
    expect(await countRows(database, 'dispatch', { workflowId: `media/${id}` })).toBe(1);
    expect(await end(id)).toBe(true);
    expect(await one.told()).toEqual(['hello']);
  });

  it('has its fetch promised again when nothing runs it, and ended when nothing has ended it for days', async () => {
    const one = somebody();
    await one.write(one.withFile('forgotten'));
    const id = await one.idOf('forgotten');
    await deleteRows(database, 'dispatch', { workflowId: `media/${id}` });
    await promiseAgain(database, 'fetchMedia', { all: false });
    expect(await countRows(database, 'dispatch', { workflowId: `media/${id}` })).toBe(0);
    await changeRows(database, 'mediaFetch', { promisedAt: ago({ hours: 1 }) }, { messageId: id });
    await promiseAgain(database, 'fetchMedia', { all: false });
    await promiseAgain(database, 'fetchMedia', { all: false });
    expect(await countRows(database, 'dispatch', { workflowId: `media/${id}` })).toBe(1);
    expect(await database.transaction((tx) => endOverdueFetches(tx, 10))).toBe(0);
    await changeRows(database, 'mediaFetch', { createdAt: ago({ days: 3 }) }, { messageId: id });
    expect(await database.transaction((tx) => endOverdueFetches(tx, 10))).toBe(1);
    expect(await one.told()).toEqual(['forgotten media_unavailable']);
  });

  it('is told once and in its place, however its file, its time and later messages meet', async () => {
    const orders = await inEveryOrder(1, async () => {
      const one = somebody();
      await one.write(one.withFile('photo'));
      await timePasses();
      const id = await one.idOf('photo');
      const conversation = await one.conversation();
      return {
        transactions: [
          stepped<unknown>(database, (tx) => applyNetworkEvent(tx, session, one.said('after'))),
          stepped<unknown>(database, (tx) => endFetch(tx, id, STORED)),
          stepped<unknown>(database, (tx) => releaseOverdue(tx, conversation)),
        ],
        check: async (order) => {
          await releaseAll();
          const told = await one.told();
          const late = told.filter((each) => each.startsWith('message.media'));
          const others = told.filter((each) => !each.startsWith('message.media'));
          const first = late.length === 0 ? 'photo file' : 'photo media_pending';
          expect([order, others]).toEqual([order, [first, 'after']]);
          expect([order, late.length < 2]).toEqual([order, true]);
        },
      };
    });
    expect(orders).toBeGreaterThan(5);
  });

  it('holds what comes at the same time or lets it go before, and loses none of it', async () => {
    await inEveryOrder(1, async () => {
      const one = somebody();
      const other = somebody();
      await one.write(one.said('first'));
      return {
        transactions: [
          stepped<unknown>(database, (tx) => applyNetworkEvent(tx, session, one.withFile('photo'))),
          stepped<unknown>(database, (tx) => applyNetworkEvent(tx, session, one.said('text'))),
          stepped<unknown>(database, (tx) => applyNetworkEvent(tx, session, other.said('hello'))),
        ],
        check: async (order) => {
          expect([order, await other.told()]).toEqual([order, ['hello']]);
          await end(await one.idOf('photo'));
          expect([order, (await one.told()).toSorted()]).toEqual([order, ['first', 'photo file', 'text']]);
        },
      };
    });
  });
});
