import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { deedOf } from '../../../local/sandbox/page/person-actions.js';
import { PEOPLE } from '../../../local/sandbox/people.ts';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';

describe('what the sandbox says about itself', () => {
  let sandbox: ASandbox;

  beforeEach(async () => {
    sandbox = await aSandbox({ engine: 'GOWS' });
  });

  afterEach(() => sandbox.close());

  it('its page says without a key that it is a simulation and lists every magic number', async () => {
    const page = await fetch(sandbox.url);
    const text = await page.text();
    expect(page.headers.get('x-sandbox')).toBe('simulation');
    expect(text).toContain('This is a simulation');
    for (const digits of Object.keys(PEOPLE)) expect(text).toContain(`…${digits}`);
  });

  it('its version is the followed release, its tier is SANDBOX, and its environment shows the key', async () => {
    const version = await sandbox.get('/api/server/version');
    expect(version.json()).toMatchObject({ version: '2026.7.1', engine: 'GOWS', tier: 'SANDBOX' });
    expect((await sandbox.get('/api/server/environment')).text).toContain('key-of-the-test');
  });

  it('it lists its routes in the form of the OpenAPI document', async () => {
    const routes = await sandbox.get('/sandbox/routes');
    expect(routes.json()).toContainEqual({ method: 'PUT', path: '/api/{session}/labels/chats/{chatId}' });
  });
});

const Fault = z.object({ id: z.string(), fault: z.record(z.string(), z.unknown()), left: z.number().nullable() });
const View = z.object({
  scansByItself: z.boolean(),
  faults: z.array(Fault),
  sessions: z.array(z.looseObject({ name: z.string(), status: z.string(), phone: z.string().nullable() })),
  session: z.string().nullable(),
  messages: z.array(
    z.looseObject({ with: z.string(), by: z.string(), text: z.string(), level: z.string().nullable() }),
  ),
  sends: z.array(z.looseObject({ to: z.string().nullable(), text: z.string().nullable(), level: z.string() })),
});

const SCRIPTS = ['client.js', 'person-actions.js', 'dom.js'];
const DEEDS = ['picture', 'view-once', 'location', 'card', 'poll', 'vote', 'reaction', 'edit', 'revoke', 'call'];

describe('the page of the sandbox', () => {
  let sandbox: ASandbox;

  beforeEach(async () => {
    sandbox = await aSandbox();
  });

  afterEach(() => sandbox.close());

  const view = async (session = '') => View.parse((await sandbox.get(`/sandbox/view?session=${session}`)).json());

  it('runs no script but its own file, whatever somebody has written', async () => {
    const page = await fetch(sandbox.url);
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(html.match(/<script[^>]*>[^<]/g)).toBeNull();
    expect(html.match(/\s(on\w+|style)=/g)).toBeNull();
    for (const name of SCRIPTS) {
      const script = await fetch(`${sandbox.url}/page/${name}`);
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await script.text()).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/);
    }
  });

  it('tells nothing to a caller without the key', async () => {
    expect((await fetch(`${sandbox.url}/sandbox/view`)).status).toBe(401);
  });

  it('finds every element that its script names', () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../../local/sandbox/page/${name}`, import.meta.url), 'utf8');
    const named = [
      ...SCRIPTS.map(read)
        .join('\n')
        .matchAll(/\b(?:element|on|fill)\(\s*'([\w-]+)'/g),
    ].map(([, id]) => id);
    const html = read('page.html');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  });

  it('shows to whom the engine has sent what, how far each has come, and what was said in between', async () => {
    await sandbox.aWorkingSession('shop');
    await sandbox.sendText('shop', '15550100078@c.us', 'is read');
    await sandbox.sendText('shop', '15550100006@c.us', 'fails');
    await sandbox.post('/sandbox/sessions/shop/inbound', { from: '15550100078', text: '<b>bold</b>' });
    await eventually('it is read', async () => (await view()).sends.some(({ level }) => level === 'READ'));
    const { sends, messages, sessions } = await view('shop');
    expect(sends).toMatchObject([
      { to: '15550100006', text: 'fails', level: 'NOT SENT' },
      { to: '15550100078', text: 'is read', level: 'READ' },
    ]);
    expect(messages.slice(-2)).toMatchObject([
      { with: '15550100078', by: 'engine', text: 'is read', level: 'READ' },
      { with: '15550100078', by: 'person', text: '<b>bold</b>', level: null },
    ]);
    expect(sessions).toMatchObject([{ name: 'shop', status: 'WORKING' }]);
  });

  it('shows what was done to messages after they were sent', async () => {
    await sandbox.aWorkingSession('shop');
    const slip = await sandbox.post('/sandbox/sessions/shop/inbound', { from: '15550100078', text: 'A slip' });
    const liked = await sandbox.post('/sandbox/sessions/shop/inbound', { from: '15550100078', text: 'Thanks' });
    const { id } = z.object({ id: z.string() }).parse(slip.json());
    await sandbox.post('/sandbox/sessions/shop/revoke', { id });
    const likedId = z.object({ id: z.string() }).parse(liked.json()).id;
    await sandbox.post('/sandbox/sessions/shop/reaction', { from: '15550100078', id: likedId, text: '👍' });
    expect((await view('shop')).messages.slice(-2)).toMatchObject([
      { text: '', marks: ['deleted for everyone'], reactions: [] },
      { text: 'Thanks', marks: [], reactions: ['👍'] },
    ]);
  });

  it('has a person do all that people do besides writing words', async () => {
    await sandbox.aWorkingSession('shop');
    const html = readFileSync(new URL('../../../local/sandbox/page/page.html', import.meta.url), 'utf8');
    expect(
      [...html.matchAll(/<option value="([\w-]+)">(?!returns|drops|never|responds|event|all calls|refuses)/g)].map(
        ([, name]) => name,
      ),
    ).toEqual(DEEDS);
    const from = '15550100079';
    await sandbox.sendText('shop', `${from}@c.us`, 'Shall we meet?');
    const Said = z.array(
      z.object({
        id: z.string(),
        with: z.string(),
        by: z.enum(['engine', 'phone', 'person']),
        kind: z.string(),
        text: z.string(),
        marks: z.array(z.string()),
        reactions: z.array(z.string()),
        options: z.array(z.string()),
      }),
    );
    const said = async () => Said.parse((await view('shop')).messages).filter((message) => message.with === from);
    const does = async (name: string, text = '') => {
      const { act, body } = deedOf(name, { from, text, messages: await said() });
      const answer = await sandbox.post(`/sandbox/sessions/shop/${act}`, body);
      expect({ name, status: answer.status }).toEqual({ name, status: 201 });
    };
    await does('reaction');
    for (const name of ['picture', 'view-once', 'location', 'card', 'poll', 'vote', 'call']) await does(name);
    await sandbox.post('/sandbox/sessions/shop/inbound', { from, text: 'At five' });
    await does('edit', 'At six');
    expect(await said()).toMatchObject([
      { text: 'Shall we meet?', reactions: ['👍'] },
      { kind: 'image', marks: [] },
      { kind: 'image', marks: ['view once'] },
      { kind: 'location', text: 'Our meeting point' },
      { kind: 'contact', text: 'Ada Example' },
      { kind: 'poll', options: ['At nine', 'At ten'] },
      { text: 'At six', marks: ['edited'] },
    ]);
    await does('revoke');
    expect((await said()).at(-1)).toMatchObject({ marks: expect.arrayContaining(['deleted for everyone']) });
    expect(() => deedOf('edit', { from, text: '', messages: [] })).toThrow('no message of this person');
  });

  it('lists the faults that strike still, and ends one or all of them', async () => {
    await sandbox.aWorkingSession('shop');
    await sandbox.post('/sandbox/faults', { route: 'sendText', kind: 'status500', count: 2 });
    await sandbox.post('/sandbox/faults', { webhook: 'lose' });
    await sandbox.post('/sandbox/faults', { refuse: true });
    await sandbox.post('/sandbox/faults', { clockAheadMs: 1_000 });
    const armed = (await view()).faults;
    expect(armed.map(({ left }) => left)).toEqual([2, null, null, null]);
    for (const { id } of armed.slice(1))
      expect((await sandbox.call('DELETE', `/sandbox/faults/${id}`)).status).toBe(204);
    expect((await sandbox.call('DELETE', '/sandbox/faults/refuse')).status).toBe(404);
    expect((await sandbox.sendText('shop', '15550100078@c.us', 'struck')).status).toBe(500);
    expect((await view()).faults).toMatchObject([{ fault: { route: 'sendText', kind: 'status500' }, left: 1 }]);
    await sandbox.call('DELETE', '/sandbox/faults');
    expect((await view()).faults).toEqual([]);
    expect((await sandbox.sendText('shop', '15550100078@c.us', 'well')).status).toBe(201);
  });

  it('leaves a code to a person once nobody scans it by itself, shows it, and scans it by a button', async () => {
    await sandbox.post('/sandbox/scanning', { byItself: false });
    await sandbox.post('/api/sessions', { name: 'waits' });
    const status = async () => (await view()).sessions.find(({ name }) => name === 'waits')?.status;
    await eventually('the code is shown', async () => (await status()) === 'SCAN_QR_CODE');
    expect((await sandbox.get('/sandbox/sessions/waits/qr')).json()).toMatchObject({ mimetype: 'image/png' });
    // Another session that is scanned by itself passes the waiting one, which is left alone.
    await sandbox.post('/sandbox/scanning', { byItself: true });
    await sandbox.aWorkingSession('quick');
    expect(await status()).toBe('SCAN_QR_CODE');
    expect((await sandbox.post('/sandbox/sessions/waits/scan')).status).toBe(201);
    expect(await status()).toBe('WORKING');
    expect((await sandbox.get('/sandbox/sessions/waits/qr')).status).toBe(400);
  });
});
