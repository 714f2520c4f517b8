import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { buildConsole, createReadConsole } from '../../../bin/console-bundle.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';

const api = await apiOfThisFile('console-page');
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const page = async (path: string) => fetch(`${api.url}${path}`, { headers: HTML });

describe('the page of the console', () => {
  it('is the same at every path below it, with nothing inline and nothing from elsewhere', async () => {
    const [first, deep] = [await page('/console'), await page('/console/message/msg_1?status=failed')];
    const html = await first.text();
    expect(html).toBe(await deep.text());
    expect(html).toContain('<div id="console"></div>');
    expect(html).not.toMatch(/<script(?![^>]* src="\/console\/assets\/)|<style|style=|\son\w+=/);
    const policy = first.headers.get('content-security-policy');
    expect(policy).not.toContain('unsafe');
    const assets = `${new URL(api.url).host}/console/assets/ engine.test/console/assets/`;
    expect(policy).toContain(`default-src 'none'; script-src ${assets}; style-src ${assets};`);
    expect(policy).toContain("img-src 'self' http://media.test data: blob:; media-src 'self' http://media.test blob:;");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('runs scripts of its own path alone, by whatever name a browser has come', async () => {
    const scriptsFor = async (host: string): Promise<string | undefined> => {
      const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
        const { port } = new URL(api.url);
        const asked = { host: '127.0.0.1', port, path: '/console', headers: { ...HTML, host }, setHost: false };
        get(asked, (response) => resolve(response.resume().headers)).on('error', reject);
      });
      return /script-src ([^;]+);/.exec(String(headers['content-security-policy']))?.[1];
    };
    expect(await scriptsFor('localhost:3000')).toBe('localhost:3000/console/assets/ engine.test/console/assets/');
    expect(await scriptsFor('engine.test')).toBe('engine.test/console/assets/');
    // The policies of browsers know no addresses but one, so such a page can only name its whole origin.
    for (const host of ['192.0.2.1:3000', '[::1]:3000', "a'b", 'a;script-src *']) {
      expect(await scriptsFor(host)).toBe("'self' engine.test/console/assets/");
    }
  });

  it('has files that are kept for ever, packed as the browser takes them', async () => {
    const html = await (await page('/console')).text();
    const names = [...html.matchAll(/"(\/console\/assets\/[^"]+-[A-Z0-9]{8}\.(?:js|css))"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) {
      const file = await fetch(`${api.url}${name}`, { headers: { 'accept-encoding': 'br' } });
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect(file.headers.get('content-encoding')).toBe('br');
    }
    expect((await fetch(`${api.url}/console/assets/none-00000000.js`)).status).toBe(404);
  });

  it.each(['/console', '/docs'])('is found with a slash too many behind it: %s/', async (path) => {
    for (const query of ['', '?embed=clk_1']) {
      const answer = await fetch(`${api.url}${path}/${query}`, { headers: HTML, redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([308, `${path}${query}`]);
    }
    expect((await fetch(`${api.url}${path}/`, { method: 'POST' })).status).toBe(400);
    expect((await page(`${path}//`)).status).toBe(400);
  });

  it.each(['GET', 'HEAD'])('is there for whoever checks its address with any program: %s', async (method) => {
    const answer = await fetch(`${api.url}/console`, { method, headers: { accept: '*/*' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`${api.url}/console`, { method, headers: { accept: 'application/json' } })).status).toBe(404);
  });

  it('is no answer to a program, and changes nothing', async () => {
    const program = await fetch(`${api.url}/console/sessions`, { headers: { accept: '*/*' } });
    expect(program.status).toBe(404);
    expect(await program.json()).toMatchObject({ code: 'unknown_route' });
    const form = await fetch(`${api.url}/console/sessions`, { method: 'POST' });
    expect(form.status).toBe(405);
  });
});

describe('the bundle of the console', () => {
  const root = mkdtemp(join(tmpdir(), 'console-'));
  afterAll(async () => rm(await root, { recursive: true, force: true }));
  const log = { warn: () => undefined };

  it('is kept for production, in parts, and is none where there are no sources', async () => {
    const at = await root;
    expect(await createReadConsole({ nodeEnv: 'development' }, log, at)()).toBeUndefined();
    await mkdir(join(at, 'packages/console/style'), { recursive: true });
    await writeFile(join(at, 'packages/console/main.tsx'), `import('./late.ts').then(({ say }) => say('main'));`);
    await writeFile(
      join(at, 'packages/console/late.ts'),
      `export const say = (word: string): void => console.log(word, 'late');`,
    );
    await writeFile(join(at, 'packages/console/style/main.css'), 'p { color: red }');
    const made = await createReadConsole({ nodeEnv: 'development' }, log, at)();
    expect(made?.files.size).toBe(3);
    const script = made?.files.get(made.script);
    expect(script?.plain.toString()).not.toContain('console.log');
    expect(brotliDecompressSync(script?.brotli ?? '').equals(gunzipSync(script?.gzip ?? ''))).toBe(true);
    await buildConsole(at);
    await rm(join(at, 'packages/console'), { recursive: true });
    expect(await createReadConsole({ nodeEnv: 'production' }, log, at)()).toEqual(made);
  });
});
