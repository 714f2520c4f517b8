import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnectLinks } from '../../../api/sessions/connect/links.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { ago, changeRows } from '../../support/rows.ts';

const agencyId = 'links';

/** A person's browser: it keeps one cookie and follows no redirect by itself. */
class Browser {
  #cookie: string | undefined;

  /** Opens the link and clicks, as a person does. */
  async click(url: string) {
    await this.open(url);
    return this.open(url, 'POST');
  }

  async open(url: string, method = 'GET', form?: Record<string, string>) {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: this.#cookie === undefined ? {} : { cookie: this.#cookie },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const set = response.headers.get('set-cookie');
    if (set !== null) this.#cookie = set.split(';')[0];
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }
}

describe('the owner of a phone, by a link without a key', () => {
  let engine: TestEngine;
  let key: string;

  beforeAll(async () => {
    engine = await startEngine({ sandbox: { autoScanAfterMs: null } });
    key = await registerDashboard(engine, { agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
  });
  afterAll(() => engine.close());

  async function aSession(name: string): Promise<void> {
    await call(engine, 'POST', '/api/v1/sessions', { key, body: { tenantId: 'shop', name } });
    await eventually(async () => (await statusOf(name)) === 'SCAN_QR_CODE');
  }
  async function statusOf(name: string): Promise<unknown> {
    return (await call(engine, 'GET', `/api/v1/sessions/${name}`, { key })).body['status'];
  }
  const link = (name: string, body: object = {}) =>
    call(engine, 'POST', `/api/v1/sessions/${name}/connect-link`, { key, body });
  /** The engine of a test is at another port than its PUBLIC_URL says. */
  const here = (url: unknown): string => engine.url + new URL(String(url)).pathname;
  const urlOf = async (name: string): Promise<string> => here((await link(name)).body['url']);
  const stateOf = async (browser: Browser, url: string): Promise<unknown> =>
    JSON.parse((await browser.open(`${url}/state`)).bytes.toString());

  it('opens it, scans the code, and is told that the account is connected', async () => {
    await aSession('first');
    const made = await link('first', { expiresInSeconds: 300 });
    expect(made).toMatchObject({ status: 201, body: { expiresAt: expect.any(String) } });
    expect(String(made.body['url'])).not.toContain(key);
    const url = here(made.body['url']);
    const browser = new Browser();
    const start = await browser.open(url);
    expect(start.bytes.toString()).toContain('Show the code');
    expect(start.bytes.toString()).not.toContain('code.png');
    expect(start.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);

    const opened = await browser.open(url, 'POST');
    // A click may come twice.
    expect((await browser.open(url, 'POST')).status).toBe(303);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, new URL(url).pathname]);
    const page = await browser.open(url);
    expect(page.bytes.toString()).toContain('data-state="scan"');
    // Its scripts are files, so the policy allows nothing inline.
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.bytes.toString()).not.toMatch(/<script(?! src)|\son\w+=|style=/);
    const code = await browser.open(`${url}/code.png`);
    expect([code.headers.get('content-type'), code.bytes.toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG']);
    expect(await stateOf(browser, url)).toEqual({ state: 'scan' });

    await engine.control('POST', '/sessions/first/scan', {});
    await eventually(async () => JSON.stringify(await stateOf(browser, url)) === '{"state":"connected"}');
    expect((await browser.open(url)).bytes.toString()).toContain('data-state="connected"');
    expect((await browser.open(`${url}/code.png`)).status).toBe(404);
  });

  it('cannot connect a second account by it', async () => {
    await aSession('once');
    const url = await urlOf('once');
    const browser = new Browser();
    await browser.click(url);
    await engine.control('POST', '/sessions/once/scan', {});
    await eventually(async () => JSON.stringify(await stateOf(browser, url)) === '{"state":"connected"}');
    await engine.control('POST', '/sessions/once/status', { status: 'SCAN_QR_CODE' });
    await eventually(async () => (await statusOf('once')) === 'SCAN_QR_CODE');
    expect(await stateOf(browser, url)).toEqual({ state: 'connected' });
    expect((await browser.open(`${url}/code.png`)).status).toBe(404);
  });

  it('finds a code at a session that had failed, because the link starts it', async () => {
    await aSession('down');
    await engine.control('POST', '/sessions/down/status', { status: 'FAILED' });
    await eventually(async () => (await statusOf('down')) === 'FAILED');
    const url = await urlOf('down');
    const browser = new Browser();
    await browser.click(url);
    await eventually(async () => JSON.stringify(await stateOf(browser, url)) === '{"state":"scan"}');
    expect((await call(engine, 'DELETE', '/api/v1/sessions/down', { key })).status).toBeLessThan(300);
    expect((await browser.open(url)).bytes.toString()).toContain('This link does not work');
  });

  it('types a code instead where the page is on the phone itself', async () => {
    await aSession('typed');
    const url = await urlOf('typed');
    const browser = new Browser();
    await browser.click(url);
    const typed = await browser.open(`${url}/code`, 'POST', { phone: '+1 555 010 0020' });
    expect(typed.bytes.toString()).toMatch(/<p class="code">\w{4}-\w{4}<\/p>/);
    const wrong = await browser.open(`${url}/code`, 'POST', { phone: '<b>me</b>' });
    expect(wrong.bytes.toString()).toContain('That is not a phone number.');
    for (let asked = 2; asked < 5; asked += 1) await browser.open(`${url}/code`, 'POST', { phone: 'x' });
    const tooMany = await browser.open(`${url}/code`, 'POST', { phone: '+15550100020' });
    expect(tooMany.bytes.toString()).toContain('No more codes');
  });

  it('who comes second, late, or with a forged one learns nothing from one plain page', async () => {
    await aSession('secret');
    const url = await urlOf('secret');
    const first = new Browser();
    // Programs that look at links in mails open them, which does not use them up.
    await Promise.all([new Browser().open(url), new Browser().open(url, 'HEAD'), first.open(url)]);
    const clicks = await Promise.all([first.click(url), new Browser().click(url)]);
    expect(clicks.map(({ status }) => Number(status)).toSorted((a, b) => a - b)).toEqual([303, 404]);

    const used = await new Browser().open(url);
    const suspended = await urlOf('secret');
    const replaced = await first.open(url);
    await changeRows(engine.database, 'agency', { status: 'suspended' }, { id: agencyId });
    const ofSuspended = await new Browser().open(suspended);
    await changeRows(engine.database, 'agency', { status: 'active' }, { id: agencyId });
    await changeRows(engine.database, 'connectLink', { expiresAt: ago({ seconds: 1 }) });
    const expired = await new Browser().open(suspended);
    const forged = await new Browser().open(url.replace(/.{4}$/, 'AAAA'));
    const nobodys = await new Browser().open(`${engine.url}/connect/lnk_1/x`);
    const parts = await Promise.all(['state', 'code.png'].map((part) => new Browser().open(`${suspended}/${part}`)));
    const pages = [used, replaced, ofSuspended, expired, forged, nobodys, ...parts];
    for (const { status, bytes, headers } of pages) {
      expect(status).toBe(404);
      expect(bytes.equals(forged.bytes)).toBe(true);
      expect([...headers.keys()].toSorted()).toEqual([...forged.headers.keys()].toSorted());
    }
    expect(forged.bytes.toString()).toContain('This link does not work');
  });

  it('finds it below the path of a proxy, and gets a cookie for https alone where the public address has it', () => {
    const links = createConnectLinks(engine.database.secrets, 'https://proxy.test/engine');
    const url = links.urlOf('lnk_1');
    expect(url).toMatch(/^https:\/\/proxy\.test\/engine\/connect\/lnk_1\/[\w-]{43}$/);
    expect(links.isGenuine('lnk_1', url.split('/').at(-1) ?? '')).toBe(true);
    expect(links.isGenuine('lnk_2', url.split('/').at(-1) ?? '')).toBe(false);
    expect(links).toMatchObject({ root: '/engine/connect', isSecure: true });
    expect(links.pathOf('lnk_1')).toBe('/engine/connect/lnk_1');
  });

  it('is asked for by a dashboard only while no account is connected, and for its own sessions', async () => {
    expect((await link('first')).body).toMatchObject({ code: 'session_not_ready' });
    expect((await link('nobodys')).status).toBe(404);
    expect((await link('secret', { expiresInSeconds: 5 })).status).toBe(422);
  });
});
