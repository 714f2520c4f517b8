import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnectLinks } from '../../../api/sessions/connect/links.ts';
import { HELD } from '../../../api/wire/held.ts';
import { beginExport, endExport, findExport } from '../../../db/personal-data/export/export.ts';
import { recordParts } from '../../../db/personal-data/export/parts.ts';
import { makeConnectLink, openConnectLink } from '../../../db/sessions/connect-link.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aSender } from '../sending/a-sender.ts';
import type { Sender } from '../sending/a-sender.ts';

/** More than the buffers of two sockets take. */
const LARGE = randomBytes(16 * 1_048_576);
/** The engine looks at its first bytes. */
const CODE = Buffer.from('\x89PNG a code', 'latin1');
const COOKIE = 'the-browser-of-the-holder';

let directory: string;
let backend: Server;
let asked = 0;
let api: RunningApi;
let holder: Sender;
let victim: Sender;
const sockets: Socket[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'held-test-'));
  // It answers the victim's sessions alone.
  backend = createServer((request, response) => {
    asked += 1;
    if (request.url?.includes('victim')) response.writeHead(200, { 'content-type': 'image/png' }).end(CODE);
  }).listen(0, '127.0.0.1');
  await eventually(() => backend.listening, { what: 'the backend' });
  const address = backend.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  api = await startApiOn(await takeDatabase(), 'held-api', directory, { BACKEND_URL: `http://127.0.0.1:${port}` });
  [holder, victim] = [await aSender(api, 'holder'), await aSender(api, 'victim')];
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await api.close();
  await rm(directory, { recursive: true });
});

/** Requests that their client never goes on with, and the statuses that they got by then. */
class Held {
  readonly #heads: string[] = [];

  /** Sends what there is of a request, and reads its head alone. */
  add(request: string): void {
    const { hostname, port } = new URL(api.url);
    const place = this.#heads.push('') - 1;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      this.#heads[place] = data.toString('latin1').split('\r\n')[0] ?? '';
      socket.pause();
    });
    socket.write(request);
    sockets.push(socket);
  }

  get refused(): number {
    return this.#heads.filter((head) => head.includes(' 503 ')).length;
  }

  async untilRefused(count: number): Promise<void> {
    await eventually(() => this.refused >= count, { what: `${count} refusals`, withinMs: 30_000 });
  }
}

/** A client that goes on with its request, or its answer, by a few bytes now and then. */
class Drip {
  readonly #socket: Socket;
  answer = '';
  isCut = false;

  /** Sends the head, and then a byte of the body at a time; without a body, it reads a little at a time. */
  constructor(request: string, { hasBody }: { hasBody: boolean }) {
    const { hostname, port } = new URL(api.url);
    this.#socket = connect(Number(port), hostname);
    sockets.push(this.#socket);
    const timer = setInterval(() => {
      if (hasBody) this.#socket.write('x');
      else this.#socket.read(64);
    }, 200);
    this.#socket.on('error', () => undefined);
    this.#socket.once('close', () => {
      clearInterval(timer);
      this.isCut = true;
    });
    if (hasBody) this.#socket.on('data', (data) => (this.answer += data.toString('latin1')));
    this.#socket.write(request);
  }
}

async function sessionsOf(sender: Sender, count: number): Promise<{ id: string; name: string }[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const name = `${sender.agencyId}_${randomBytes(6).toString('hex')}`;
    const scope = { agencyId: sender.agencyId, tenantId: 't1' };
    const id = await api.database.transaction((tx) => insertSession(tx, scope, { name }));
    if (id === null) throw new Error('The session was not made.');
    made.push(id);
  }
  await changeRows(api.database, 'session', { status: 'SCAN_QR_CODE', statusAt: databaseNow }, { id: made });
  return findRows(api.database, 'session', { id: made }, ['id', 'name']);
}

/** Opened by the browser that has the cookie. */
async function aConnectPage(sessionId: string): Promise<string> {
  const links = createConnectLinks(api.database.secrets, api.url);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const id = await api.database.transaction((tx) => makeConnectLink(tx, { sessionId, maker: 'master', expiresAt }));
  await api.database.statement((tx) => openConnectLink(tx, id, COOKIE));
  return new URL(links.urlOf(id)).pathname;
}

async function anExport({ agencyId }: Sender): Promise<string> {
  const scope = { agencyId, tenantId: 't1' };
  const begun = await api.database.transaction((tx) => beginExport(tx, scope, 'key_none'));
  const id = begun?.found.id ?? '';
  const known = await api.database.read((queries) => findExport(queries, id));
  if (known === null) throw new Error('The export is not there.');
  const sha256 = createHash('sha256').update(LARGE).digest('hex');
  await mkdir(join(directory, agencyId), { recursive: true });
  await writeFile(join(directory, agencyId, sha256), LARGE);
  const parts = [{ name: 'rows/1.ndjson', key: `${agencyId}/${sha256}`, sha256, sizeBytes: LARGE.length }];
  const progress = { parts, chain: '', counts: {}, files: 0, missingFiles: 0, next: null };
  await api.database.transaction((tx) => recordParts(tx, known, progress));
  await api.database.transaction((tx) => endExport(tx, id, 7));
  return `/api/v1/tenants/t1/exports/${id}/file`;
}

const head = (method: string, path: string, headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: held.test', ...headers, '', ''].join('\r\n');

describe('an agency that holds all connections of a kind that it can get leaves some to others:', () => {
  it('connect pages, however many links it has', async () => {
    const { perOwner, inAll } = HELD.connectPage;
    const links = Math.ceil(inAll / perOwner);
    const held = new Held();
    for (const { id } of await sessionsOf(holder, links)) {
      const page = await aConnectPage(id);
      const form = [
        'content-type: application/x-www-form-urlencoded',
        'content-length: 100',
        `cookie: connect=${COOKIE}`,
      ];
      for (let n = 0; n < perOwner; n += 1) held.add(head('POST', `${page}/code`, form));
    }
    await held.untilRefused(links * perOwner - inAll / 2);
    const page = await aConnectPage(victim.session.id);
    const answer = await fetch(`${api.url}${page}`, { headers: { cookie: `connect=${COOKIE}` } });
    expect(answer.status).toBe(200);
  });

  it('uploads, however many tenants it has', async () => {
    const { perOwner, inAll } = HELD.upload;
    const tenants = inAll / perOwner + 1;
    const held = new Held();
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      const body = { country: 'DE' };
      await call(api, 'PUT', `/api/v1/tenants/up${tenant}/settings`, { key: holder.dashboardKey, body });
      const headers = [`x-api-key: ${holder.dashboardKey}`, 'content-length: 1000'];
      for (let n = 0; n < perOwner; n += 1) held.add(head('POST', `/api/v1/files?tenantId=up${tenant}`, headers));
    }
    await held.untilRefused(tenants * perOwner - inAll / 2);
    const answer = await call(api, 'POST', '/api/v1/files', { key: victim.scopedKey, file: Buffer.from('a text') });
    expect(answer.status).toBe(201);
  });

  it('codes, however many sessions it has', async () => {
    const { perOwner, inAll } = HELD.qr;
    const sessions = inAll / perOwner + 1;
    const held = new Held();
    for (const { id } of await sessionsOf(holder, sessions)) {
      const headers = [`x-api-key: ${holder.dashboardKey}`];
      for (let n = 0; n < perOwner; n += 1) held.add(head('GET', `/api/v1/sessions/${id}/qr?format=png`, headers));
    }
    await held.untilRefused(sessions * perOwner - inAll / 2);
    const before = asked;
    const [own] = await sessionsOf(victim, 1);
    const path = `${api.url}/api/v1/sessions/${own?.id ?? ''}/qr?format=png`;
    const answer = await fetch(path, { headers: { 'x-api-key': victim.dashboardKey } });
    expect([answer.status, asked]).toEqual([200, before + 1]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(CODE);
  });

  it('exports, of which nobody reads', async () => {
    const { perOwner } = HELD.export;
    const [large, other] = [await anExport(holder), await anExport(victim)];
    const held = new Held();
    const headers = [`x-api-key: ${holder.dashboardKey}`];
    for (let n = 0; n < perOwner + 2; n += 1) held.add(head('GET', large, headers));
    await held.untilRefused(2);
    const answer = await fetch(`${api.url}${other}`, { headers: { 'x-api-key': victim.dashboardKey } });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(LARGE.length);
  });

  it('event streams', async () => {
    const { perOwner } = HELD.stream;
    const held = new Held();
    const headers = [`x-api-key: ${holder.dashboardKey}`];
    for (let n = 0; n < perOwner; n += 1) held.add(head('GET', '/api/v1/events/stream', headers));
    const refused = async () =>
      (await call(api, 'GET', '/api/v1/events/stream', { key: holder.dashboardKey })).status === 429;
    await eventually(refused, { what: 'the end of the places', withinMs: 30_000 });
    expect((await call(api, 'GET', '/api/v1/events/stream', { key: victim.dashboardKey })).status).toBe(200);
  });
});

describe('a client below the least rate of the last ten seconds is cut, though something moves all the time:', () => {
  it('an upload and a form of a connect page', async () => {
    const [own] = await sessionsOf(holder, 1);
    const page = await aConnectPage(own?.id ?? '');
    const upload = ['content-length: 1000', `x-api-key: ${holder.scopedKey}`];
    const form = ['content-type: application/x-www-form-urlencoded', 'content-length: 1000'];
    const drips = [
      new Drip(head('POST', '/api/v1/files', upload), { hasBody: true }),
      new Drip(head('POST', `${page}/code`, [...form, `cookie: connect=${COOKIE}`]), { hasBody: true }),
    ];
    await eventually(() => drips.every(({ isCut }) => isCut), { what: 'the end of the drips' });
    // The server's time for a whole request ends with an answer, and much later.
    expect(drips.map(({ answer }) => answer)).toEqual(['', '']);
    const answer = await call(api, 'POST', '/api/v1/files', {
      key: holder.scopedKey,
      file: Buffer.from('a whole file'),
    });
    expect(answer.status).toBe(201);
  });

  it('the download of an export, which gives its place back', async () => {
    const path = await anExport(await aSender(api, 'dripping'));
    const key = `x-api-key: ${MASTER_KEY}`;
    const target = `${path}?agencyId=dripping`;
    for (let n = 0; n < HELD.export.perOwner; n += 1) new Drip(head('GET', target, [key]), { hasBody: false });
    const ask = async () => {
      const answer = await fetch(`${api.url}${target}`, { headers: { 'x-api-key': MASTER_KEY } });
      await answer.body?.cancel();
      return answer.status;
    };
    await eventually(async () => (await ask()) === 503, { what: 'all places to be taken' });
    await eventually(async () => (await ask()) === 200, { what: 'a place that is given back' });
  });
});
