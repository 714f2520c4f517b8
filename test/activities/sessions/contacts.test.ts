import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { createContactActivities } from '../../../activities/sessions/contacts.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { findKnownContact, listKnownContacts, readKnownContacts } from '../../../db/conversations/known-contact.ts';
import { recordBlocked, syncContactPage } from '../../../db/network/sync-contacts.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import type { NetworkContact } from '../../../domain/network/network-event.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { watched } from '../../db/round-trips.ts';
import { changeRows, countRows, deleteRows, findRows, pagesRead, rowsOf, toldPayloads } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const PAGE = 500;
const { database, sessionId } = await databaseOfThisFile();
const account = { ...SCOPE, sessionId };

let people = 0;
/** Somebody whom no test has met before. */
function somebody(more: Partial<NetworkContact> = {}): NetworkContact {
  people += 1;
  const chatId = `1555${String(2_000_000 + people)}@c.us`;
  return { chatId, lid: null, name: null, pushName: null, isMyContact: false, isBlocked: null, ...more };
}

/** Reads the whole list as the workflow does; `asked` is where each page began. */
async function sync(list: (NetworkContact | null)[], info: { heartbeatDetails?: unknown } = {}) {
  const asked: number[] = [];
  const writes: string[] = [];
  const activities = createContactActivities({
    database: watched(database, (way) => void writes.push(way)),
    backends: everywhere<Pick<SessionCalls, 'listContacts'>>({
      listContacts: async ({ limit, offset }) => {
        asked.push(offset);
        return list.slice(offset, offset + limit);
      },
    }),
  });
  let [contacts, changed] = [0, 0];
  for (let from: number | null = 0; from !== null;) {
    const read: { contacts: number; changed: number; next: number | null } = await inActivity(
      activities.syncContactPages,
      { sessionId, from },
      info,
    );
    contacts += read.contacts;
    changed += read.changed;
    from = read.next;
  }
  return { contacts, changed, asked, transactions: writes.filter((way) => way === 'transaction').length, activities };
}

const finish = async (): Promise<void> => {
  await (await sync([])).activities.finishContactSync({ sessionId });
};

async function known({ chatId }: Pick<NetworkContact, 'chatId'>) {
  const asked = { named: { chatId }, session: sessionId };
  const { contact } = await database.read((queries) => findKnownContact(queries, { ...SCOPE, sessionId: null }, asked));
  return contact;
}

async function toldOf(contactId: string | undefined): Promise<unknown[]> {
  return (await toldPayloads(database, { type: 'contact.updated' }, { contactId })).map(({ changed }) => changed);
}

describe('syncContactPages, finishContactSync: the contacts of an account', () => {
  beforeEach(async () => {
    await changeRows(database, 'session', { contactsSyncedAt: null });
  });

  it('are written page by page, and only what differs is written the next time', async () => {
    const list = Array.from({ length: PAGE + 3 }, (_, n) => somebody({ name: `Person ${n}`, isMyContact: true }));
    const first = await sync([...list, null]);
    expect(first).toMatchObject({ contacts: PAGE + 3, changed: PAGE + 3, asked: [0, PAGE], transactions: 2 });
    const written = async () =>
      rowsOf(
        database,
        sql<object>`select xmin::text, ctid::text from session_contact union all
        select xmin::text, ctid::text from contact union all select xmin::text, ctid::text from contact_alias`,
      );
    const before = await written();
    expect(await sync(list)).toMatchObject({ contacts: PAGE + 3, changed: 0 });
    expect(await written()).toEqual(before);
    const [one] = list;
    expect(await sync([{ ...somebody(), ...one, name: 'Anna', pushName: 'A' }])).toMatchObject({ changed: 1 });
    expect(await known(list[0] ?? somebody())).toMatchObject({ name: 'Anna', pushName: 'A', isMyContact: true });
  });

  it('go on after the last page that an attempt which was lost has written', async () => {
    const list = Array.from({ length: 2 * PAGE + 1 }, () => somebody());
    const lost = { heartbeatDetails: { from: PAGE, contacts: PAGE, changed: 7 } };
    expect(await sync(list, lost)).toMatchObject({ asked: [PAGE, 2 * PAGE], contacts: list.length });
    expect(await known(list[0] ?? somebody())).toBeNull();
  });

  it('are as before for who is no longer told by name, and leave the address book where the network says so', async () => {
    const person = somebody({ name: 'Ben', pushName: 'B', isMyContact: true });
    await sync([person]);
    await sync([{ ...person, name: null, pushName: null, isMyContact: false }]);
    expect(await known(person)).toMatchObject({ name: 'Ben', pushName: 'B', isMyContact: false });
  });

  it('bring phone and hidden id of a person together, also of one who wrote under the hidden id before', async () => {
    const lid = '777000777000777@lid';
    const talked = await database.transaction((tx) => ensureConversation(tx, account, { chatId: lid }));
    const person = somebody({ lid, name: 'Old Carol' });
    // The backend may list such a person twice.
    expect(await sync([{ ...person, lid: null, chatId: lid }, person, person])).toMatchObject({ contacts: 3 });
    const contact = await known(person);
    expect(contact).toMatchObject({ contactId: talked.contactId, name: 'Old Carol', chatId: person.chatId, lid });
    expect(contact?.aliases).toEqual([person.chatId, lid].toSorted());
    expect(await known({ chatId: lid })).toEqual(contact);
  });

  it('make contacts one whom the list shows to be one person, and list that person once', async () => {
    const lid = '888000888000888@lid';
    const person = somebody({ name: 'Dora' });
    await sync([{ ...somebody(), chatId: lid }, person]);
    const former = await known({ chatId: lid });
    await sync([{ ...person, lid }]);
    const kept = await known(person);
    expect(kept?.lid).toBe(lid);
    expect(former?.contactId).not.toBe(kept?.contactId);
    const listed = await database.read((queries) =>
      listKnownContacts(queries, sessionId, { after: null, limit: 10_000, offset: 0 }),
    );
    const ids = listed.map(({ contactId }) => contactId);
    expect(ids).toContain(kept?.contactId);
    expect(ids).not.toContain(former?.contactId);
    // The id of the one that went leads to the one that stayed.
    const asked = { named: { contactId: former?.contactId ?? '' }, session: undefined };
    const found = await database.read((queries) => findKnownContact(queries, { ...SCOPE, sessionId: null }, asked));
    expect(found.contact?.contactId).toBe(kept?.contactId);
  });

  it('are not the account itself', async () => {
    const own = somebody();
    await changeRows(database, 'session', { chatId: own.chatId });
    expect(await sync([own])).toMatchObject({ contacts: 0, changed: 0 });
    await changeRows(database, 'session', { chatId: null });
    expect(await known(own)).toBeNull();
  });

  it('include at the end those with whom the account has talked', async () => {
    const { chatId } = somebody();
    const { contactId } = await database.transaction((tx) => ensureConversation(tx, account, { chatId }));
    const listed = () => countRows(database, 'sessionContact', { contactId });
    await sync([]);
    expect(await listed()).toBe(0);
    await finish();
    await finish();
    expect(await listed()).toBe(1);
  });

  it('have the name that their own account gives them, which two accounts do not change in turns', async () => {
    const person = somebody({ name: 'Ann' });
    await sync([person]);
    const other = await database.transaction((tx) => insertSession(tx, SCOPE, { name: 'another-phone' }));
    const there = { ...SCOPE, sessionId: other ?? '' };
    const readThere = (name: string) =>
      database.transaction((tx) =>
        syncContactPage(tx, there, { contacts: [{ ...person, name }], readAt: database.clock.now(), tells: false }),
      );
    expect(await readThere('Ann of the bakery')).toMatchObject({ changed: 1 });
    expect(await sync([person])).toMatchObject({ changed: 0 });
    expect(await readThere('Ann of the bakery')).toMatchObject({ changed: 0 });
    const contactId = (await known(person))?.contactId ?? '';
    const namesAt = async (id: string) =>
      (await database.read((queries) => readKnownContacts(queries, id, [contactId]))).map(({ name }) => name);
    expect([await namesAt(sessionId), await namesAt(there.sessionId)]).toEqual([['Ann'], ['Ann of the bakery']]);
    await sync([{ ...person, name: 'Anna' }]);
    expect(await findRows(database, 'contact', { id: contactId }, ['name'])).toEqual([{ name: 'Anna' }]);
    await deleteRows(database, 'sessionSequence', { sessionId: there.sessionId });
    await deleteRows(database, 'session', { id: there.sessionId });
  });

  it('keep who was blocked here after the list was read, and take what the next list says', async () => {
    const person = somebody({ isBlocked: false });
    await sync([person]);
    const contactId = (await known(person))?.contactId ?? '';
    const activities = createContactActivities({
      database,
      backends: everywhere<Pick<SessionCalls, 'listContacts'>>({
        listContacts: async () => {
          // Somebody blocks the person while the backend answers.
          await database.transaction((tx) => recordBlocked(tx, account, { contactId, isBlocked: true }));
          return [person];
        },
      }),
    });
    await inActivity(activities.syncContactPages, { sessionId, from: 0 });
    expect(await known(person)).toMatchObject({ isBlocked: true });
    await sync([{ ...person, isBlocked: null }]);
    expect(await known(person)).toMatchObject({ isBlocked: true });
    await sync([person]);
    expect(await known(person)).toMatchObject({ isBlocked: false });
  });

  it('are told to dashboards where they are other than before, but not by the first reading', async () => {
    const person = somebody({ name: 'Eve' });
    await sync([person]);
    const contactId = (await known(person))?.contactId;
    expect(await toldOf(contactId)).toEqual([]);
    await finish();
    await sync([{ ...person, name: 'Eva', isMyContact: true }]);
    await sync([{ ...person, name: 'Eva', isMyContact: true }]);
    const other = somebody({ pushName: 'Finn' });
    await sync([other]);
    expect(await toldOf(contactId)).toEqual([['name', 'isMyContact']]);
    expect(await toldOf((await known(other))?.contactId)).toEqual([['added']]);
    // They are no part of a session's sequence, which every endpoint expects to be whole.
    const counted = await findRows(database, 'sessionSequence', {}, ['last']);
    expect(counted).toEqual([{ last: '0' }]);
  });

  it('are not told one by one where many come at once, as from a phone that hands its list over late', async () => {
    await finish();
    const list = Array.from({ length: 60 }, () => somebody());
    const changed = somebody({ name: 'Gil' });
    await sync([changed]);
    await sync([...list, { ...changed, name: 'Gila' }]);
    expect(await toldOf((await known(list[7] ?? changed))?.contactId)).toEqual([]);
    expect(await toldOf((await known(changed))?.contactId)).toEqual([['added'], ['name']]);
  });

  it('are none for a session that is gone', async () => {
    const { activities } = await sync([]);
    const gone = { sessionId: 'ses_gone', from: 0 };
    expect(await inActivity(activities.syncContactPages, gone)).toEqual({ contacts: 0, changed: 0, next: null });
    await activities.finishContactSync({ sessionId: 'ses_gone' });
    await changeRows(database, 'session', { wish: 'deleted' }, { id: sessionId });
    const deleted = await sync([somebody()]);
    await changeRows(database, 'session', { wish: 'running' }, { id: sessionId });
    expect(deleted).toMatchObject({ contacts: 0, asked: [] });
  });
});

describe('the list of contacts', () => {
  const MANY = 20_000;

  it('costs the same for a page of twenty thousand as of a few, and of the last as of the first', async () => {
    await database.read(({ sql: pool, now, secrets, webhooks, em }) =>
      // The books are those of one connection, which tells what it has read when it is asked to.
      pool.connection().execute(async (connection) => {
        const queries = { sql: connection, now, secrets, webhooks, em };
        const buffers = (after: string | null): Promise<number> =>
          buffersOf(connection, () => listKnownContacts(queries, sessionId, { after, limit: 500, offset: 0 }));
        const few = await buffers(null);
        await sql`
          with c as (
            insert into contact (id, agency_id, tenant_id, chat_id)
            select 'con_many' || lpad(n::text, 6, '0'), ${SCOPE.agencyId}, ${SCOPE.tenantId}, '1999' || n || '@c.us'
            from generate_series(1, ${MANY}::int) n returning id, chat_id
          ), a as (
            insert into contact_alias (agency_id, tenant_id, chat_id, contact_id)
            select ${SCOPE.agencyId}, ${SCOPE.tenantId}, chat_id, id from c
          )
          insert into session_contact (session_id, contact_id) select ${sessionId}, id from c`.execute(connection);
        await sql`analyze contact, contact_alias, session_contact`.execute(connection);
        const [first, last] = [await buffers(null), await buffers(`con_many0${MANY - 600}`)];
        expect(few).toBeGreaterThan(500);
        expect(Math.max(first, last)).toBeLessThanOrEqual(1.5 * few);
      }),
    );
  });

  /** Counts the pages of these tables and of their indexes that it reads. */
  async function buffersOf(connection: Kysely<unknown>, work: () => Promise<unknown>): Promise<number> {
    const total = () => pagesRead({ sql: connection }, 'contact', 'contact_alias', 'session_contact');
    const before = await total();
    await work();
    return (await total()) - before;
  }
});
