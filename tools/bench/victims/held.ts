import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { createConnectLinks } from '../../../api/sessions/connect/links.ts';
import { HELD } from '../../../api/wire/held.ts';
import { createMediaLinks } from '../../../db/conversations/media-links.ts';
import type { Database } from '../../../db/engine/database.ts';
import { beginExport, endExport, findExport } from '../../../db/personal-data/export/export.ts';
import { recordParts } from '../../../db/personal-data/export/parts.ts';
import { makeConnectLink, openConnectLink } from '../../../db/sessions/connect-link.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { thumbnailKey } from '../../../domain/sending/media.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import { anAgency } from '../agency.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { openDatabase } from '../webhook-ground.ts';
import { besideRow } from './beside.ts';

const HOLDER = 'holder';
const VICTIM = 'victim';
const TIMES = 150;
const WARM = 30;
/** More than the buffers of two sockets take. */
const LARGE = randomBytes(8 * 1_048_576);
const SMALL = randomBytes(16 * 1_024);
const CODE = Buffer.from('\x89PNG a code', 'latin1');
const COOKIE = 'a-browser';
/** By then each holder has its place or a refusal. */
const SETTLE_MS = 4_000;
const TARGETS = { agencyId: HOLDER, tenantId: 'shop' };

/** Measures a request of an agency while another holds all connections of its kind that it can get. */
export async function held(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const backend = createServer((request, response) => {
    if (request.url?.includes(VICTIM)) response.writeHead(200, { 'content-type': 'image/png' }).end(CODE);
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  const address = backend.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const engine = await machine.startEngine('api', { BACKEND_URL: `http://127.0.0.1:${port}` });
  const database = await openDatabase(machine.databaseUrl, 2);
  const store = createDirectoryStore(join(machine.env()['DATA_DIR'] ?? '', 'media'));
  try {
    for (const agencyId of [HOLDER, VICTIM]) {
      await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false, agencyId });
    }
    const results: Result[] = [];
    for (const [name, kind] of Object.entries(KINDS)) {
      const { holds, ask } = await kind({ url: engine.url, database, store });
      await times(ask, WARM);
      const before = await times(ask, TIMES / 2);
      const sockets = holds.map((request) => hold(engine.url, request));
      await pause(SETTLE_MS);
      const beside = await times(ask, TIMES);
      const more = `; ${sockets.length} asked for`;
      for (const socket of sockets) socket.destroy();
      await pause(SETTLE_MS);
      // On both sides of the holder, so that what the machine does meanwhile counts for both.
      const alone = [...before, ...(await times(ask, TIMES / 2))];
      results.push(besideRow(`${name} beside an agency that holds all that it can get`, beside, alone, more));
    }
    return results;
  } finally {
    await database.close();
    await engine.stop();
    backend.closeAllConnections();
    backend.close();
  }
}

interface Means {
  url: string;
  database: Database;
  store: MediaStore;
}

/** Requests that nobody goes on with, and one of the victim that must be answered. */
interface Scene {
  holds: string[];
  ask: () => Promise<Response>;
}

const KEY = { 'x-api-key': MASTER_KEY };
const of = (agencyId: string): string => `agencyId=${agencyId}&tenantId=shop`;

const KINDS: Record<string, (means: Means) => Promise<Scene>> = {
  async 'a file'(means) {
    const { url, database } = means;
    const [own] = await sessionsOf(database, VICTIM, 1);
    const path = mediaPath(means, await aMessage(means, VICTIM, own ?? '', SMALL));
    return { holds: await allFiles(means), ask: () => fetch(url + path) };
  },

  async 'a thumbnail'(means) {
    const { url, database, store } = means;
    const [own] = await sessionsOf(database, VICTIM, 1);
    const id = await aMessage(means, VICTIM, own ?? '', SMALL);
    const thumbnail = JSON.stringify({ thumbnail: { sizeBytes: SMALL.length, width: 320, height: 200 } });
    const { rows } = await database.statement((tx) =>
      sql<{ key: string }>`
        update message set media = media || ${thumbnail}::jsonb where id = ${id}
        returning media #>> '{stored,key}' as key`.execute(tx.sql),
    );
    await store.put(thumbnailKey(rows[0]?.key ?? ''), SMALL, 'image/webp');
    const path = `${mediaPath(means, id)}/thumbnail`;
    // Its place is one of those of files.
    return { holds: await allFiles(means), ask: () => fetch(url + path) };
  },

  async 'a connect page'({ url, database }) {
    const form = [
      'content-type: application/x-www-form-urlencoded',
      'content-length: 100',
      `cookie: connect=${COOKIE}`,
    ];
    const holds: string[] = [];
    for (const id of await sessionsOf(
      database,
      HOLDER,
      Math.ceil(HELD.connectPage.inAll / HELD.connectPage.perOwner),
    )) {
      const page = await aConnectPage(database, url, id);
      for (let n = 0; n < HELD.connectPage.perOwner; n += 1) holds.push(head('POST', `${page}/code`, form));
    }
    const [own] = await sessionsOf(database, VICTIM, 1);
    const page = await aConnectPage(database, url, own ?? '');
    return { holds, ask: () => fetch(url + page, { headers: { cookie: `connect=${COOKIE}` } }) };
  },

  async 'a code to scan'({ url, database }) {
    const path = (id: string, agencyId: string) => `/api/v1/sessions/${id}/qr?format=png&${of(agencyId)}`;
    const holds: string[] = [];
    for (const id of await sessionsOf(database, HOLDER, HELD.qr.inAll / HELD.qr.perOwner + 1)) {
      for (let n = 0; n < HELD.qr.perOwner; n += 1) {
        holds.push(head('GET', path(id, HOLDER), [`x-api-key: ${MASTER_KEY}`]));
      }
    }
    const [own] = await sessionsOf(database, VICTIM, 1);
    return { holds, ask: () => fetch(url + path(own ?? '', VICTIM), { headers: KEY }) };
  },

  async 'an export'({ url, database }) {
    const [large, small] = [
      await anExport({ url, database }, HOLDER, LARGE),
      await anExport({ url, database }, VICTIM, SMALL),
    ];
    const holds = Array.from({ length: HELD.export.inAll }, () =>
      head('GET', `${large}?agencyId=${HOLDER}`, [`x-api-key: ${MASTER_KEY}`]),
    );
    return { holds, ask: () => fetch(`${url}${small}?agencyId=${VICTIM}`, { headers: KEY }) };
  },

  async 'an upload'({ url }) {
    const holds: string[] = [];
    for (let tenant = 0; tenant <= HELD.upload.inAll / HELD.upload.perOwner; tenant += 1) {
      await makeTenant(url, `up${tenant}`);
      const path = `/api/v1/files?agencyId=${HOLDER}&tenantId=up${tenant}`;
      const headers = [`x-api-key: ${MASTER_KEY}`, 'content-length: 1000'];
      for (let n = 0; n < HELD.upload.perOwner; n += 1) holds.push(head('POST', path, headers));
    }
    const ask = () => fetch(`${url}/api/v1/files?${of(VICTIM)}`, { method: 'POST', headers: KEY, body: SMALL });
    return { holds, ask };
  },

  async 'an event stream'({ url }) {
    const headers = [`x-api-key: ${MASTER_KEY}`];
    const path = (agencyId: string) => `/api/v1/events/stream?agencyId=${agencyId}`;
    const holds = Array.from({ length: HELD.stream.perOwner }, () => head('GET', path(HOLDER), headers));
    return {
      holds,
      async ask() {
        const leaving = new AbortController();
        const answer = await fetch(url + path(VICTIM), { headers: KEY, signal: leaving.signal });
        leaving.abort();
        return new Response(null, { status: answer.status });
      },
    };
  },
};

/** Requests for as many files as an agency may read at once, and more. */
async function allFiles(means: Means): Promise<string[]> {
  const holds: string[] = [];
  for (const id of await sessionsOf(means.database, HOLDER, 8)) {
    const path = mediaPath(means, await aMessage(means, HOLDER, id, LARGE));
    holds.push(...Array.from({ length: HELD.mediaLink.perOwner }, () => head('GET', path)));
  }
  return holds;
}

const mediaPath = ({ url, database }: Means, messageId: string): string =>
  new URL(createMediaLinks(database.secrets, url).urlOf(messageId)).pathname;

async function times(ask: () => Promise<Response>, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const askedAt = performance.now();
    const answer = await ask();
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The victim was answered ${answer.status}.`);
    taken.push(performance.now() - askedAt);
  }
  return taken;
}

const head = (method: string, path: string, headers: string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'host: held.bench', ...headers, '', ''].join('\r\n');

function hold(url: string, request: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(request);
  return socket;
}

async function sessionsOf(database: Database, agencyId: string, count: number): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const name = `${agencyId}_${randomBytes(6).toString('hex')}`;
    const id = await database.transaction((tx) => insertSession(tx, { agencyId, tenantId: 'shop' }, { name }));
    if (id !== null) made.push(id);
  }
  await database.statement((tx) =>
    sql`update session set status = 'SCAN_QR_CODE', status_at = now() where id = any(${made}::text[])`.execute(tx.sql),
  );
  return made;
}

async function aConnectPage(database: Database, url: string, sessionId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const id = await database.transaction((tx) => makeConnectLink(tx, { sessionId, maker: 'master', expiresAt }));
  await database.statement((tx) => openConnectLink(tx, id, COOKIE));
  return new URL(createConnectLinks(database.secrets, url).urlOf(id)).pathname;
}

const Uploaded = z.object({ fileId: z.string(), sha256: z.string() });
const Accepted = z.object({ messageId: z.string() });

async function upload(url: string, agencyId: string, body: Buffer<ArrayBuffer>): Promise<z.output<typeof Uploaded>> {
  const answer = await fetch(`${url}/api/v1/files?${of(agencyId)}`, { method: 'POST', headers: KEY, body });
  return Uploaded.parse(await answer.json());
}

/** A message of the session with the file. */
async function aMessage(
  { url }: Pick<Means, 'url'>,
  agencyId: string,
  session: string,
  file: Buffer<ArrayBuffer>,
): Promise<string> {
  const { fileId } = await upload(url, agencyId, file);
  const attachments = [{ kind: 'document', fileId }];
  const to = `+1555${String(4_000_000 + Math.floor(Math.random() * 900_000))}`;
  const answer = await fetch(`${url}/api/v1/messages/send`, {
    method: 'POST',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ ...TARGETS, agencyId, session, to, attachments }),
  });
  return Accepted.parse(await answer.json()).messageId;
}

async function anExport(
  { url, database }: Omit<Means, 'store'>,
  agencyId: string,
  file: Buffer<ArrayBuffer>,
): Promise<string> {
  await upload(url, agencyId, file);
  const begun = await database.transaction((tx) => beginExport(tx, { agencyId, tenantId: 'shop' }, 'key_none'));
  const id = begun?.found.id ?? '';
  const known = await database.read((queries) => findExport(queries, id));
  if (known === null) throw new Error('The export is not there.');
  const sha256 = createHash('sha256').update(file).digest('hex');
  const parts = [{ name: 'rows/1.ndjson', key: `${agencyId}/${sha256}`, sha256, sizeBytes: file.length }];
  const progress = { parts, chain: '', counts: {}, files: 0, missingFiles: 0, next: null };
  await database.transaction((tx) => recordParts(tx, known, progress));
  await database.transaction((tx) => endExport(tx, id, 7));
  return `/api/v1/tenants/shop/exports/${id}/file`;
}

async function makeTenant(url: string, tenantId: string): Promise<void> {
  await fetch(`${url}/api/v1/tenants/${tenantId}/settings`, {
    method: 'PUT',
    headers: { ...KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ agencyId: HOLDER, timeZone: 'UTC' }),
  });
}
