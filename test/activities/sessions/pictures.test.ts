import { describe, expect, it } from '@jest/globals';
import { createPictureActivities } from '../../../activities/sessions/pictures.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { readAccountPicture } from '../../../db/conversations/picture.ts';
import { findKnownContact } from '../../../db/conversations/known-contact.ts';
import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import { EngineError } from '../../../domain/error.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, countRows, databaseNow, like } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { UNCLEANED } from '../../support/uncleaned.ts';

const { database, sessionId } = await databaseOfThisFile();
const account = { ...SCOPE, sessionId };
type PictureCalls = Pick<SessionCalls, 'findPicture' | 'getFile' | 'readProfile'>;

let people = 0;

async function pictureOf(chatId: string): Promise<string | null | undefined> {
  const asked = { named: { chatId }, session: sessionId };
  const found = await database.read((queries) => findKnownContact(queries, { ...SCOPE, sessionId: null }, asked));
  return found.contact?.picture;
}

describe('fetchPicture, fetchPictures: the pictures of contacts', () => {
  const URL_OF_NETWORK = 'https://pps.whatsapp.test/a.jpg';
  const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)]);

  /** The network shows this picture of everybody; `asked` are those it was asked for. */
  function pictures(bytes: Buffer | null, url: string | null = URL_OF_NETWORK) {
    const asked: string[] = [];
    const stored: string[] = [];
    const activities = createPictureActivities({
      database,
      backends: everywhere<PictureCalls>({
        findPicture: async ({ chatId }) => {
          asked.push(chatId);
          return url;
        },
        getFile: async () => null,
        readProfile: async () => ({ name: null, pictureUrl: url }),
      }),
      egress: {
        get: async () =>
          bytes === null
            ? { outcome: 'failed', failure: { code: 'timeout' } }
            : { outcome: 'done', file: { bytes, contentType: null, fileName: null } },
      },
      media: {
        maxBytes: 1_000,
        store: {
          ...UNCLEANED,
          put: async (key) => void stored.push(key),
          get: async () => null,
        },
      },
    });
    return { ...activities, asked, stored };
  }

  async function aContact(): Promise<{ contactId: string; chatId: string }> {
    people += 1;
    const chatId = `1555${String(2_000_000 + people)}@c.us`;
    const { contactId } = await database.transaction((tx) => ensureConversation(tx, account, { chatId }));
    return { contactId: contactId ?? '', chatId };
  }

  it('fetchPicture: is stored under its digest, and told only when it is another one', async () => {
    const { contactId, chatId } = await aContact();
    const { fetchPicture, stored } = pictures(PNG);
    expect(await fetchPicture({ sessionId, contactId })).toBe(1);
    expect(await fetchPicture({ sessionId, contactId })).toBe(1);
    expect(stored[0]).toMatch(/^a1\/[0-9a-f]{64}$/);
    expect(`a1/${String(await pictureOf(chatId))}`).toBe(stored[0]);
    expect(await countRows(database, 'event', { type: 'contact.updated', body: like(`%${contactId}%`) })).toBe(1);
  });

  it('fetchPicture: is gone when the person shows none any more, and stays when it cannot be fetched', async () => {
    const { contactId, chatId } = await aContact();
    await pictures(PNG).fetchPicture({ sessionId, contactId });
    expect(await pictures(null).fetchPicture({ sessionId, contactId })).toBe(0);
    expect(await pictures(Buffer.from('<html>')).fetchPicture({ sessionId, contactId })).toBe(0);
    expect(await pictureOf(chatId)).not.toBeNull();
    expect(await pictures(PNG, null).fetchPicture({ sessionId, contactId })).toBe(0);
    expect(await pictureOf(chatId)).toBeNull();
  });

  it("fetchOwnPicture: keeps the account's own, and what is kept stays when it cannot be fetched", async () => {
    const own = () => database.read((queries) => readAccountPicture(queries, sessionId));
    expect(await own()).toEqual({ picture: null, askedAt: null });
    const { fetchOwnPicture, stored } = pictures(PNG);
    expect(await fetchOwnPicture({ sessionId })).toBe(1);
    expect((await own())?.picture).toMatchObject({ key: stored[0], mimeType: 'image/png' });
    expect(await pictures(null).fetchOwnPicture({ sessionId })).toBe(0);
    expect((await own())?.picture).not.toBeNull();
    expect(await pictures(PNG, null).fetchOwnPicture({ sessionId })).toBe(0);
    expect((await own())?.picture).toBeNull();
    expect(await fetchOwnPicture({ sessionId: 'ses_gone' })).toBe(0);
  });

  it("fetchPicture: does nothing for what is gone, and for another tenant's contact", async () => {
    const { fetchPicture, asked } = pictures(PNG);
    expect(await fetchPicture({ sessionId, contactId: 'con_gone' })).toBe(0);
    expect(await fetchPicture({ sessionId: 'ses_gone', contactId: 'con_gone' })).toBe(0);
    expect(asked).toEqual([]);
  });

  it('fetchPictures: asks for twenty of those who wrote last, and for none of them again within a week', async () => {
    const talked = await Promise.all(Array.from({ length: 25 }, aContact));
    await changeRows(
      database,
      'conversation',
      { lastMessageAt: databaseNow },
      { contactId: talked.map(({ contactId }) => contactId) },
    );
    const first = pictures(PNG);
    expect(await inActivity(first.fetchPictures, { sessionId })).toBe(20);
    expect(new Set(first.asked).size).toBe(20);
    const second = pictures(PNG);
    expect(await inActivity(second.fetchPictures, { sessionId })).toBe(0);
    expect(second.asked).toEqual([]);
    expect(await inActivity(second.fetchPictures, { sessionId: 'ses_gone' })).toBe(0);
  });

  it('fetchPictures: leaves the rest to the next sync where the backend refuses', async () => {
    await changeRows(database, 'contact', { pictureAskedAt: null });
    let asked = 0;
    const { fetchPictures } = createPictureActivities({
      ...refusing,
      backends: everywhere<PictureCalls>({
        findPicture: async () => {
          asked += 1;
          throw new EngineError('session_not_ready', 'It is not connected.');
        },
        getFile: async () => null,
        readProfile: () => Promise.reject(new Error('The profile is not read.')),
      }),
    });
    expect(await inActivity(fetchPictures, { sessionId })).toBe(0);
    expect(asked).toBe(1);
  });

  const refusing = {
    database,
    egress: { get: () => Promise.reject(new Error('Nothing is fetched.')) },
    media: { maxBytes: 1_000, store: { ...UNCLEANED, put: async () => undefined, get: async () => null } },
  };
});
