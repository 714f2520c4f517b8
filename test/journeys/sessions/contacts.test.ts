import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findKnownContact } from '../../../db/conversations/known-contact.ts';
import { Contact } from '../../../domain/contact.ts';
import { roundTripsOf } from '../../db/round-trips.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { runOn } from '../../support/platform.ts';
import { changeRows, not, untilCount } from '../../support/rows.ts';
import { aWebhookReceiver } from '../../support/webhook-receiver.ts';

const SECRET = 'contacts-0123456789-0123456789-0123456789';
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)]);
const LID = '555000555000555@lid';
const PHONE = '15552003001';

describe('syncContacts: the contacts of a session', () => {
  let engine: TestEngine;
  let agency: Agency;
  let receiver: Awaited<ReturnType<typeof aWebhookReceiver>>;

  beforeAll(async () => {
    engine = await startEngine();
    receiver = await aWebhookReceiver(SECRET);
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'people', webhookSecret: SECRET });
    // The list is read when the session connects, without anybody's asking.
    await untilCount(engine.database, 'session', { contactsSyncedAt: not(null) });
    // The people of its past are contacts, too, so the list stands still from then on.
    await untilCount(engine.database, 'historySync', { finishedAt: not(null) });
    await save({ id: PHONE, name: 'Anna Meyer', pushname: 'Anna', lid: LID });
    await changeRows(engine.database, 'session', { contactsSyncedAt: null });
  });
  afterAll(async () => {
    receiver.close();
    await engine.close();
  });

  const asKey = (method: string, path: string, body?: object): Promise<Answer> =>
    call(engine, method, `/api/v1${path}`, { key: agency.scopedKey, ...(body && { body }) });
  const asDashboard = (path: string): Promise<Answer> =>
    call(engine, 'GET', `/api/v1${path}`, { key: agency.dashboardKey });
  const save = (contact: object) => engine.control('POST', `/sessions/${agency.session.name}/contact`, contact);
  const contactsIn = ({ body }: Answer): Contact[] => z.array(Contact).parse(body['items']);
  const read = async (ref: string): Promise<Contact> =>
    Contact.parse((await asKey('GET', `/contacts/${encodeURIComponent(ref)}`)).body);

  it('a dashboard that lists them for the first time gets them as an array, whole and without groups', async () => {
    // A reader waits for the first reading, but not for ever.
    const listed = await eventually(async () => {
      const answer = await asKey('GET', '/sessions/contacts');
      expect(answer.status).toBe(200);
      return answer.headers.get('x-syncing') === null && answer;
    });
    const contacts = contactsIn(listed);
    expect(contacts.find(({ phone }) => phone === PHONE)).toEqual({
      contactId: expect.stringMatching(/^con_/),
      chatId: `${PHONE}@c.us`,
      phone: PHONE,
      lid: LID,
      name: 'Anna Meyer',
      pushName: 'Anna',
      isBlocked: false,
      isOptedOut: false,
      isMyContact: true,
      aliases: [`${PHONE}@c.us`, LID],
      picture: null,
    });
    expect(contacts.filter(({ chatId }) => chatId.endsWith('@g.us'))).toEqual([]);
    // Both forms of key and both paths show the same.
    const { agencyId, tenantId, session } = agency;
    for (const path of [
      `/sessions/${session.id}/contacts?agencyId=${agencyId}&tenantId=${tenantId}`,
      `/sessions/${session.name}/contacts`,
      `/sessions/contacts?tenantId=${tenantId}`,
    ]) {
      expect(contactsIn(await asDashboard(path))).toEqual(contacts);
    }
  });

  it('a client reads them page by page, by cursor or by offset, to the end', async () => {
    const all = contactsIn(await asKey('GET', '/sessions/contacts'));
    expect(all.length).toBeGreaterThan(4);
    const paged: Contact[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Answer = await asKey('GET', `/sessions/contacts?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...contactsIn(page));
      cursor = page.headers.get('x-next-cursor');
      const link = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? null;
      expect(link === null).toBe(cursor === null);
      if (link !== null) expect(link).toContain(`cursor=${cursor}`);
    }
    expect(paged).toEqual(all);
    expect(contactsIn(await asKey('GET', '/sessions/contacts?limit=2&offset=3'))).toEqual(all.slice(3, 5));
    expect((await asKey('GET', '/sessions/contacts?limit=1001')).body).toMatchObject({ code: 'invalid_request' });
    expect((await asKey('GET', '/sessions/contacts?cursor=nonsense')).body).toMatchObject({ code: 'invalid_request' });
  });

  it('one is found by each reference that people have, in at most two statements', async () => {
    const anna = await read(PHONE);
    const refs = ['+1 555 200 3001', '+1 (555) 200-3001', '0015552003001', `${PHONE}@c.us`, LID, anna.contactId];
    for (const ref of [...refs, `${PHONE}@s.whatsapp.net`]) expect(await read(ref)).toEqual(anna);
    const scope = { agencyId: agency.agencyId, tenantId: agency.tenantId, sessionId: null };
    for (const named of [{ contactId: anna.contactId }, { chatId: LID }]) {
      const find = roundTripsOf(engine.database, (tx) => findKnownContact(tx, scope, { named, session: undefined }));
      // A number that does not name its country costs one more, for the country of the tenant.
      expect(await find).toBe(1);
    }
  });

  it('one that cannot be found says why, and what to write instead', async () => {
    const unknown = await asKey('GET', '/contacts/con_0');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await asKey('GET', '/contacts/%2B15552009999')).body).toEqual({
      ...unknown.body,
      requestId: expect.any(String),
    });
    const group = await asKey('GET', '/contacts/120363000000000000@g.us');
    expect(group).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    expect(group.body['detail']).toMatch(/^Name one person: /);
    for (const ref of ['nobody', '12', 'cnv_1']) {
      expect(await asKey('GET', `/contacts/${ref}`)).toMatchObject({
        status: 422,
        body: { code: 'invalid_recipient' },
      });
    }
    // The backend's own routes keep their paths.
    expect((await asKey('GET', '/contacts/all?limit=1')).body['items']).toHaveLength(1);
  });

  it('a picture is fetched when it is asked for, and is then read without a key', async () => {
    await save({ id: PHONE, picture: PNG.toString('base64') });
    expect((await read(PHONE)).picture).toBeNull();
    const asked = await asKey('GET', `/contacts/${PHONE}?fetchPicture=true`);
    const { picture } = Contact.parse(asked.body);
    const served = `${engine.url}${new URL(picture ?? '').pathname}`;
    const file = await fetch(served);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(file.headers.get('cache-control')).toBe('private, max-age=300');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
    expect((await read(PHONE)).picture).toBe(picture);
    expect((await fetch(`${served.slice(0, -3)}abc`)).status).toBe(404);
  });

  it('a picture is fetched for a chat that began live, for who reads the list again', async () => {
    const person = '15552003009';
    await save({ id: person, picture: PNG.toString('base64') });
    await engine.control('POST', `/sessions/${agency.session.name}/inbound`, { from: person, text: 'Is it open?' });
    const picture = await eventually(
      async () => {
        const { body } = await asKey('GET', '/inbox/chats');
        const chats = z.array(z.object({ chatId: z.string(), picture: z.string().nullable() })).parse(body['chats']);
        return chats.find(({ chatId }) => chatId === `${person}@c.us`)?.picture ?? undefined;
      },
      { what: 'the picture of the new chat' },
    );
    expect((await fetch(`${engine.url}${new URL(picture).pathname}`)).status).toBe(200);
  });

  it('an endpoint that asks for it is told what a later reading finds', async () => {
    const endpoint = { url: receiver.url, events: ['contact.updated'], secret: SECRET };
    const made = await call(engine, 'POST', '/api/v1/webhooks/endpoints', { key: agency.dashboardKey, body: endpoint });
    expect(made.status).toBe(201);
    await save({ id: PHONE, name: 'Anna Schulz' });
    await save({ id: '15552003002', pushname: 'Newman' });
    const path = `/${agency.session.name}/syncContacts`;
    const promised = await asKey('POST', path);
    expect(promised).toMatchObject({
      status: 202,
      body: { success: true, sessionId: agency.session.id, workflowId: `contacts/${agency.session.id}` },
    });
    expect(promised.body['lastSyncedAt']).not.toBeNull();
    await engine.temporal.workflow.getHandle(`contacts/${agency.session.id}`).result();
    const tells = (name: string | null, changed: string): boolean =>
      receiver.received.some(({ envelope: { payload } }) => {
        const fields = z.array(z.string()).parse(payload['changed']);
        return payload['name'] === name && fields.length === 1 && fields.includes(changed);
      });
    await eventually(() => tells('Anna Schulz', 'name') && tells(null, 'added'), { what: 'both events' });
    expect(receiver.refused).toEqual([]);
  });

  it('nobody is blocked where the engine of the session cannot, and the answer says what to do', async () => {
    for (const act of ['block', 'unblock']) {
      const refused = await asKey('POST', `/${agency.session.name}/${act}`, { chatId: `${PHONE}@c.us` });
      expect(refused).toMatchObject({ status: 501, body: { code: 'not_supported_by_engine' } });
      expect(refused.body['detail']).toMatch(/^NOWEB cannot block contacts\. Block the contact on the phone/);
    }
    expect((await read(PHONE)).isBlocked).toBe(false);
  });

  it('a person is blocked and let write again by any reference, and the backend has it so', async () => {
    await runOn(engine, agency.session, 'WEBJS');
    const { contactId } = await read(PHONE);
    const act = (name: string, chatId: string) => asKey('POST', `/${agency.session.id}/${name}`, { chatId });
    for (const ref of [`${PHONE}@c.us`, contactId]) {
      const blocked = await act('block', ref);
      expect(blocked).toMatchObject({ status: 200, body: { success: true, contact: { contactId, isBlocked: true } } });
    }
    const atBackend = () => asKey('GET', `/contacts?contactId=${PHONE}%40c.us`);
    expect((await atBackend()).body).toMatchObject({ isBlocked: true });
    expect((await read(PHONE)).isBlocked).toBe(true);
    expect(await act('unblock', '+1 555 200 3001')).toMatchObject({ body: { contact: { isBlocked: false } } });
    expect((await atBackend()).body).toMatchObject({ isBlocked: false });
    // A stranger may be blocked, too, and is a contact from then on.
    expect((await act('block', '15552003009')).body).toMatchObject({
      contact: { phone: '15552003009', isBlocked: true },
    });
    expect((await act('block', 'con_0')).body).toMatchObject({ status: 404, code: 'not_found' });
    expect((await act('block', '120363000000000000@g.us')).body).toMatchObject({
      status: 422,
      code: 'invalid_request',
    });
    await runOn(engine, agency.session, 'NOWEB');
  });

  it('a person is blocked on NOWEB as soon as the backend is a version that can, and no longer after it went back', async () => {
    const { contactId } = await read(PHONE);
    const act = (name: string) => asKey('POST', `/${agency.session.id}/${name}`, { chatId: contactId });
    const can = async () => (await asKey('GET', `/sessions/${agency.session.id}/capabilities`)).body;
    expect(await act('block')).toMatchObject({ status: 501, body: { code: 'not_supported_by_engine' } });
    await engine.control('POST', '/version', { version: '2026.8.1' });
    expect(await act('block')).toMatchObject({ status: 200, body: { contact: { contactId, isBlocked: true } } });
    expect(await can()).toMatchObject({
      version: '2026.8.1',
      capabilities: { block: { supported: true, instead: null }, readAbout: { supported: true } },
    });
    expect(await act('unblock')).toMatchObject({ status: 200, body: { contact: { isBlocked: false } } });
    await asKey('POST', `/${agency.session.name}/profile/about`, { about: 'Open till nine' });
    const about = async () => (await asKey('GET', `/sessions/${agency.session.id}/profile`)).body['about'];
    expect(await about()).toBe('Open till nine');
    // The engine may still take it for the newer version, and then the backend says so.
    await engine.control('POST', '/version', { version: '2026.7.1' });
    expect(await act('block')).toMatchObject({ status: 501, body: { code: 'not_supported_by_engine' } });
    expect((await read(PHONE)).isBlocked).toBe(false);
    expect(await about()).toBeNull();
  });

  it('a session that is not connected answers 409, and still lists what it knows', async () => {
    const known = contactsIn(await asKey('GET', '/sessions/contacts'));
    await engine.control('POST', `/sessions/${agency.session.name}/status`, { status: 'FAILED' });
    await eventually(async () => (await asKey('GET', '/sessions/status')).body['status'] === 'FAILED');
    expect(await asKey('POST', `/${agency.session.name}/syncContacts`)).toMatchObject({
      status: 409,
      body: { code: 'session_not_ready' },
    });
    expect(contactsIn(await asKey('GET', '/sessions/contacts'))).toEqual(known);
  });
});
