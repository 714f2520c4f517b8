import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { changeRows, countRows, databaseNow, findRows, json } from '../../support/rows.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const SEND = '/api/v1/messages/send';
const FILE = 'https://files.example/a.pdf';

const api = await apiOfThisFile('sending-api');
const sender = await aSender(api, 'sender');
const other = await aSender(api, 'other');

const tenants = new Map<string, Sender>();
/** A tenant that has set the country. */
async function countryOf(country: string, agencyId = `in-${country.toLowerCase()}`): Promise<Sender> {
  const known = tenants.get(agencyId);
  if (known) return known;
  const tenant = await aSender(api, agencyId);
  await changeRows(api.database, 'tenant', { settings: json({ country }) }, { agencyId });
  tenants.set(agencyId, tenant);
  return tenant;
}

describe('whom it is for', () => {
  it.each([
    ['+55 (11) 91234-5678', '5511912345678@c.us'],
    ['005511912345679', '5511912345679@c.us'],
    ['5511912345670', '5511912345670@c.us'],
    ['15552009100', '15552009100@c.us'],
    ['+1 555 200 9101', '15552009101@c.us'],
    ['15552009102@s.whatsapp.net', '15552009102@c.us'],
    ['120363@g.us', '120363@g.us'],
  ])('"%s" is the chat %s', async (to, chatId) => {
    const { conversationId } = await sender.send({ to, text: 'hi' });
    const [chat] = await findRows(api.database, 'conversation', { id: conversationId }, ['chatId']);
    expect(chat?.chatId).toBe(chatId);
  });

  it.each([
    ['5215512345678', ['+5215512345678', '+52 1 55 1234 5678', '+52 55 1234-5678', '525512345678', '5215512345678']],
    ['525587654321', ['+5215587654321', '+52 55 8765 4321', '525587654321', '5215587654321']],
    [
      '5491112345678',
      ['+54 11 1234-5678', '+54 9 11 1234-5678', '541112345678', '+54 11 15-1234-5678', '0054 11 1234 5678'],
    ],
    ['5493511234567', ['+54 351 123-4567', '+54 351 15-123-4567', '5493511234567']],
    ['5511912345601', ['+55 11 91234-5601', '0055 11 91234-5601', '5511912345601']],
    ['551187654302', ['+55 11 98765-4302', '5511987654302', '551187654302', '+55 (11) 8765-4302']],
  ])('a contact who has written as %s is that person in every spelling', async (known, spellings) => {
    const forms = await aSender(api, `forms-${known}`);
    const { conversationId } = await forms.send({ chatId: `${known}@c.us`, text: 'first' });
    await changeRows(api.database, 'conversation', { lastInboundAt: databaseNow }, { id: conversationId });
    for (const to of spellings) {
      expect({ to, ...(await forms.send({ to, text: 'hi' })) }).toMatchObject({ to, conversationId });
    }
    expect(await countRows(api.database, 'contact', { agencyId: `forms-${known}` })).toBe(1);
  });

  it('a person who has written counts before a number that was only tried', async () => {
    const tried = await aSender(api, 'tried');
    const first = await tried.send({ to: '+54 11 2222-3333', text: 'hi' });
    await changeRows(api.database, 'contact', { onNetwork: false, checkedAt: databaseNow }, { agencyId: 'tried' });
    const theirs = await tried.send({ chatId: '5491122223333@c.us', text: 'hi' });
    expect(theirs.conversationId).not.toBe(first.conversationId);
    await changeRows(api.database, 'conversation', { lastInboundAt: databaseNow }, { id: theirs.conversationId });
    for (const to of ['+54 11 2222-3333', '541122223333', '5491122223333', '+54 9 11 2222 3333']) {
      expect(await tried.send({ to, text: 'hi' })).toMatchObject({ conversationId: theirs.conversationId });
    }
    // Another tenant's contact says nothing here, and neighbours are other people.
    const stranger = await aSender(api, 'stranger');
    expect((await stranger.send({ to: '+54 11 2222-3333', text: 'hi' })).conversationId).not.toBe(
      theirs.conversationId,
    );
    const neighbour = await tried.send({ to: '+54 11 2222-3334', text: 'hi' });
    expect(neighbour.conversationId).not.toBe(theirs.conversationId);
  });

  it('a number without a country code is read in the country that the tenant has set', async () => {
    const national = { to: '(31) 98765-4321', text: 'hi' };
    const local = { to: '031 98765-4321', text: 'hi' };
    const brazilian = await aSender(api, 'brazilian');
    expect((await brazilian.post(SEND, local)).body).toMatchObject({
      code: 'invalid_recipient',
      errors: [{ pointer: '/to', message: 'is not a phone number in use' }],
    });
    await changeRows(api.database, 'tenant', { settings: json({ country: 'BR' }) }, { agencyId: 'brazilian' });
    const sent = [
      await brazilian.send(national),
      await brazilian.send(local),
      await brazilian.send({ ...national, to: '+5531987654321' }),
    ];
    expect(new Set(sent.map(({ conversationId }) => conversationId)).size).toBe(1);
    // Without it nobody knows where that is.
    expect((await sender.post(SEND, national)).body).toMatchObject({ code: 'invalid_recipient' });
  });

  it.each([
    ['DE', '4915112345678', '4915112345678'],
    ['DE', '015112345678', '4915112345678'],
    ['BR', '12025550123', '12025550123'],
    ['BR', '5511912345678', '5511912345678'],
    ['BR', '11 91234-5678', '5511912345678'],
    ['BR', '551191234567', '551191234567'],
    ['BR', '55999123456', '5555999123456'],
    ['MX', '5215512345678', '525512345678'],
    ['MX', '+52 1 55 1234 5678', '525512345678'],
    ['US', '(202) 555-0123', '12025550123'],
    ['US', '2025550123', '12025550123'],
    ['IN', '15552001000', '15552001000'],
  ])('in %s "%s" is %s', async (country, to, digits) => {
    const tenant = await countryOf(country);
    const { conversationId } = await tenant.send({ to, text: 'hi' });
    expect(await countRows(api.database, 'conversation', { id: conversationId, chatId: `${digits}@c.us` })).toBe(1);
  });

  it('digits of somebody who is known are that person, whatever the country makes of them', async () => {
    const known = ['4915112345678', '12025550123', '5215512345678', '13123456789', '31987654321', '99912345'];
    for (const country of ['DE', 'BR', 'MX', 'US', 'CN', 'NL', 'IN']) {
      const tenant = await countryOf(country);
      for (const digits of known) {
        const first = await tenant.send({ chatId: `${digits}@c.us`, text: 'hi' });
        expect((await tenant.send({ to: digits, text: 'again' })).conversationId).toBe(first.conversationId);
      }
    }
  });

  it('digits that are in use in two countries are refused until they say which', async () => {
    const tenant = await countryOf('CN', 'two-ways');
    expect((await tenant.post(SEND, { to: '13123456789', text: 'x' })).body).toMatchObject({
      code: 'invalid_recipient',
      detail: expect.stringMatching(/with \+/),
      errors: [{ pointer: '/to', message: 'can be read as two phone numbers' }],
    });
    for (const to of ['+86 131 2345 6789', '+13123456789', '8613123456789']) await tenant.send({ to, text: 'x' });
  });

  it.each([
    ['a number that is too short for its country', '+15552001'],
    ['a country code that nobody has', '+999123456789'],
    ['a national number of an unknown country', '0170 1234567'],
    ['a national number in brackets', '(11) 91234-5678'],
    ['a national number with spaces', '11 91234-5678'],
    ['a national number in digits', '11912345678'],
    ['a word', 'bob'],
  ])('%s is refused with a hint', async (_what, to) => {
    const { status, body } = await sender.post(SEND, { to, text: 'hi' });
    expect([status, body['code']]).toEqual([422, 'invalid_recipient']);
    expect(body['detail']).toMatch(/country code/);
  });

  it('contact, chat and conversation name the same person on every sending route', async () => {
    const to = somebody();
    const first = await sender.send({ to, text: 'hi' });
    const forms = [
      { to: first.contactId },
      { contactId: first.contactId },
      { chatId: `${to.slice(1)}@c.us` },
      { conversationId: first.conversationId },
    ];
    const routes: [string, object][] = [
      [SEND, { text: 'hi' }],
      ['/api/v1/sendButtons', { body: 'hi', buttons: [{ type: 'reply', text: 'Yes' }] }],
      [
        '/api/v1/sendList',
        { message: { title: 'T', button: 'B', sections: [{ title: '', rows: [{ title: 'r', rowId: '1' }] }] } },
      ],
      ['/api/v1/media/send', { url: FILE, kind: 'image' }],
    ];
    for (const [path, body] of routes) {
      for (const form of forms) {
        expect((await sender.send({ ...form, ...body }, path)).conversationId).toBe(first.conversationId);
      }
      expect((await sender.post(path, body)).body).toMatchObject({ code: 'recipient_required', status: 422 });
    }
  });

  it("another tenant's contact, conversation and session are 404, as if they were not there", async () => {
    const foreign = await other.send({ to: somebody(), text: 'theirs' });
    const bodies = [
      { to: foreign.contactId },
      { contactId: foreign.contactId },
      { conversationId: foreign.conversationId },
      { to: somebody(), session: other.session.id },
    ];
    const pointers = ['/to', '/contactId', '/conversationId', '/session'];
    for (const [index, body] of bodies.entries()) {
      expect((await sender.post(SEND, { ...body, text: 'x' })).body).toMatchObject({
        status: 404,
        errors: [{ pointer: pointers[index] }],
      });
    }
    const media = { id: other.session.id, to: somebody(), url: FILE, kind: 'image' };
    expect((await sender.post('/api/v1/media/send', media)).body).toMatchObject({ errors: [{ pointer: '/id' }] });
    const path = `/api/v1/inbox/conversations/${foreign.conversationId}/messages`;
    expect((await sender.post(path, { content: 'x' })).body).toMatchObject({
      status: 404,
      errors: [{ pointer: 'path/conversationId' }],
    });
    const dashboard = {
      key: sender.dashboardKey,
      body: { tenantId: 't1', to: somebody(), text: 'x', session: other.session.name },
    };
    expect((await call(api, 'POST', SEND, dashboard)).status).toBe(404);
  });
});

describe('a request that names nobody', () => {
  const button = { type: 'reply', text: 'Yes', id: 'yes' };
  const sections = [{ title: '', rows: [{ title: 'r', rowId: '1' }] }];
  /** As the specification shows them. */
  const EXAMPLES: [string, object][] = [
    ['messages/send', { text: 'Hello' }],
    ['messages/send', { text: 'See', attachments: [{ url: FILE, kind: 'document', fileName: 'a.pdf' }] }],
    ['sendButtons', { header: 'Visit', body: 'Will you come?', buttons: [button] }],
    ['sendList', { message: { title: 'T', description: 'd', button: 'B', sections } }],
    ['media/send', { url: FILE, kind: 'image', caption: 'Look' }],
  ];
  const settings = (of: Sender, body: object) =>
    call(api, 'PUT', '/api/v1/tenants/t1/settings', { key: of.dashboardKey, body });
  const makeKey = (of: Sender, body: object) =>
    call(api, 'POST', '/api/v1/api-keys', { key: of.dashboardKey, body: { tenantId: 't1', name: 'bot', ...body } });
  const chatOf = async ({ conversationId }: { conversationId: unknown }) =>
    (await findRows(api.database, 'conversation', { id: String(conversationId) }, ['chatId']))[0]?.chatId;

  it('is refused, and told how to set whom it goes to', async () => {
    const tenant = await aSender(api, 'no-default');
    for (const [route, body] of EXAMPLES) {
      expect((await tenant.post(`/api/v1/${route}`, body)).body).toMatchObject({
        status: 422,
        code: 'recipient_required',
        detail: expect.stringMatching(/defaultRecipient.*settings.*api-keys/),
        errors: [{ pointer: '/to' }],
      });
    }
  });

  it("goes to the conversation of what it quotes, or else to the only conversation of a session's key", async () => {
    const tenant = await aSender(api, 'one-meaning');
    const [, ...others] = EXAMPLES;
    const first = await tenant.send({ to: '15552009210', text: 'first' });
    for (const [route, body] of EXAMPLES) {
      expect(await chatOf(await tenant.send(body, `/api/v1/${route}`))).toBe('15552009210@c.us');
    }
    // A dashboard's key acts for several sessions, so the only conversation of one says nothing.
    const byDashboard = await tenant.post(SEND, { text: 'x' }, tenant.dashboardKey);
    expect(byDashboard.body).toMatchObject({ code: 'recipient_required' });
    const second = await tenant.send({ to: '15552009211', text: 'second' });
    for (const [route, body] of others) {
      expect((await tenant.post(`/api/v1/${route}`, body)).body).toMatchObject({
        code: 'recipient_required',
        detail: expect.stringMatching(/defaultRecipient.*replyTo.*only conversation/),
      });
    }
    await changeRows(
      api.database,
      'message',
      { networkId: 'true_15552009211@c.us_A', status: 'sent' },
      { id: second.messageId },
    );
    const reply = await tenant.send({ text: 'quoting', replyTo: second.messageId });
    expect(reply.conversationId).toBe(second.conversationId);
    await settings(tenant, { defaultRecipient: '15552009210' });
    expect((await tenant.send({ text: 'by default' })).conversationId).toBe(first.conversationId);
    expect((await tenant.send({ text: 'q', replyTo: second.messageId })).conversationId).toBe(second.conversationId);
    const missing = { text: 'q', replyTo: 'msg_00000000-0000-7000-8000-000000000000' };
    expect((await tenant.post(SEND, missing)).status).toBe(404);
  });

  it("goes to the tenant's default recipient, whichever route it takes", async () => {
    const tenant = await aSender(api, 'with-default');
    const set = await settings(tenant, { defaultRecipient: '120363000000000001@g.us' });
    expect(set.body).toMatchObject({ defaultRecipient: '120363000000000001@g.us' });
    for (const [route, body] of EXAMPLES) {
      expect(await chatOf(await tenant.send(body, `/api/v1/${route}`))).toBe('120363000000000001@g.us');
    }
    // The named recipient gets it all the same.
    expect(await chatOf(await tenant.send({ to: '15552009200', text: 'hi' }))).toBe('15552009200@c.us');
    await settings(tenant, { defaultRecipient: null });
    expect((await tenant.post(SEND, { text: 'x' })).body).toMatchObject({ code: 'recipient_required' });
  });

  it("goes to the key's own default recipient first, also when the key was replaced", async () => {
    const tenant = await aSender(api, 'key-default');
    await settings(tenant, { defaultRecipient: '120363000000000001@g.us' });
    const made = await makeKey(tenant, { defaultRecipient: '+1 555 200 9300' });
    expect(made).toMatchObject({ status: 201, body: { defaultRecipient: '15552009300@c.us' } });
    const rotated = await call(api, 'POST', `/api/v1/api-keys/${String(made.body['id'])}/rotate`, {
      key: tenant.dashboardKey,
      body: {},
    });
    for (const { body } of [made, rotated]) {
      const sent = await tenant.post(SEND, { text: 'hi' }, String(body['apiKey']));
      expect(await chatOf({ conversationId: sent.body['conversationId'] })).toBe('15552009300@c.us');
    }
    expect(await chatOf(await tenant.send({ text: 'hi' }))).toBe('120363000000000001@g.us');
  });

  it('keeps a national number as the country that is set with it reads it, whatever is set later', async () => {
    const tenant = await aSender(api, 'default-country');
    const set = await settings(tenant, { country: 'BR', defaultRecipient: '(11) 91234-5678' });
    expect(set.body).toMatchObject({ defaultRecipient: '5511912345678@c.us' });
    await settings(tenant, { country: 'DE' });
    expect(await chatOf(await tenant.send({ text: 'hi' }))).toBe('5511912345678@c.us');
  });

  it('goes to a contact of the tenant by its id; of others and of nobody it is 404 alike', async () => {
    const tenant = await aSender(api, 'default-contact');
    const { contactId, conversationId } = await tenant.send({ to: somebody(), text: 'hi' });
    await settings(tenant, { defaultRecipient: contactId });
    expect((await tenant.send({ text: 'again' })).conversationId).toBe(conversationId);
    const foreign = await other.send({ to: somebody(), text: 'theirs' });
    for (const defaultRecipient of [foreign.contactId, 'con_00000000-0000-7000-8000-000000000000']) {
      for (const refused of [
        await settings(tenant, { defaultRecipient }),
        await makeKey(tenant, { defaultRecipient }),
      ]) {
        expect(refused.body).toMatchObject({ status: 404, errors: [{ pointer: '/defaultRecipient' }] });
      }
    }
    expect((await settings(tenant, { defaultRecipient: 'bob' })).body).toMatchObject({
      code: 'invalid_recipient',
      errors: [{ pointer: '/defaultRecipient' }],
    });
  });
});
