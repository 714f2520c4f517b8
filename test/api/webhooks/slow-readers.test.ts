import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HELD } from '../../../api/wire/held.ts';
import { startApiOn } from '../../support/api.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aMessageEvent, aScene } from './a-webhook-scene.ts';

/** No sign of life comes, so that the least rate alone cuts. */
const BOUNDS = { windowMs: 1_000, beatMs: 3_600_000 };
const api = await startApiOn(await takeDatabase(), 'slow-readers', undefined, {}, { streamBounds: BOUNDS });
const acme = await aScene(api, 'acme');
const PATH = '/api/v1/events/stream?after=start';
/** The ids of conversations are in the frames; with these, few events are more than the buffers of two sockets. */
const LONG_ID_BYTES = 1_000;
const EVENTS = 6_000;
const AT_ONCE = 500;

beforeAll(async () => {
  const of = { agencyId: acme.agencyId, tenantId: 't1', sessionId: acme.sessions.t1 };
  for (let told = 0; told < EVENTS; told += AT_ONCE) {
    await api.database.transaction(async (tx) => {
      for (let n = 0; n < AT_ONCE; n += 1) {
        tx.emit(aMessageEvent(of, `cnv_${randomBytes(LONG_ID_BYTES).toString('hex')}`));
      }
    });
  }
});
afterAll(() => api.close());

const sockets: Socket[] = [];
const readers: StreamReader[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const reader of readers.splice(0)) reader.leave();
});

/** Counts the places of streams that are taken. */
async function held(): Promise<number> {
  const text = await (await fetch(api.metricsUrl)).text();
  return Number(/^engine_event_readers (\d+)$/m.exec(text)?.[1]);
}

/** Opens a stream whose client takes so many bytes of it now and then, after the head. */
function aSlowClient(takesBytes: number): { isOpened: () => boolean; ends: () => Promise<unknown> } {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let head = '';
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.once('data', (data) => {
    head = data.toString('latin1').split('\r\n')[0] ?? '';
    socket.pause();
  });
  const timer = setInterval(() => {
    if (head !== '' && takesBytes > 0) socket.read(takesBytes);
  }, BOUNDS.windowMs / 10);
  socket.on('error', () => undefined);
  void closed.then(() => clearInterval(timer));
  socket.write(`GET ${PATH} HTTP/1.1\r\nhost: slow.test\r\nx-api-key: ${acme.key}\r\n\r\n`);
  return {
    isOpened: () => head.includes(' 200 '),
    /** A client that reads nothing does not see the end before it has read what came. */
    async ends() {
      socket.resume();
      await closed;
    },
  };
}

describe('a reader of the stream', () => {
  it.each([
    ['never reads', 0],
    ['reads less than the least rate', HELD.stream.bytesPerSecond / 40],
  ])('that %s is cut and gives its place back, while one that reads goes on', async (_, takesBytes) => {
    const reader = await StreamReader.open(`${api.url}${PATH}`, { 'x-api-key': acme.key });
    readers.push(reader);
    // Another transaction of the server may hold the newest events back, so that "ready" comes before them.
    let events = 0;
    const quick = reader.until(({ event }) => event !== 'ready' && ++events === EVENTS);
    const slow = aSlowClient(takesBytes);
    await eventually(() => slow.isOpened(), { what: 'the stream to be opened' });
    await eventually(() => held().then((places) => places === 1), {
      what: 'the slow stream to be cut',
      withinMs: 60_000,
    });
    await slow.ends();
    await quick;
    const id = await acme.message(`later_${takesBytes}`);
    const frames = await reader.until(({ data }) => data['id'] === id);
    expect(frames.length).toBeLessThan(10);
    expect(await held()).toBe(1);
    reader.leave();
    await eventually(async () => (await held()) === 0, { what: 'the place of the reader' });
  });
});
