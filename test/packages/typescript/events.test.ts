import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '../../../activities/webhooks/signature.ts';
import { Engine, readEvent, SignatureError, unwrap, webhooks } from '../../../packages/typescript/src/index.ts';
import type { FeedState, HeardEvent } from '../../../packages/typescript/src/index.ts';
import { anAgencyWithScopedKey } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { refused, scriptedServer } from './scripted.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('events of an engine', () => {
  let engine: TestEngine;
  let agency: Agency;
  let client: Engine;
  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'feeds' });
    client = new Engine({ url: engine.url, key: agency.scopedKey });
  });
  afterAll(() => engine.close());

  it('are heard at once, and pulled with their bodies from the cursor before', async () => {
    const states: FeedState['state'][] = [];
    const leaving = new AbortController();
    const heard: HeardEvent[] = [];
    const options = { type: 'message.ack', onState: see, signal: leaving.signal } as const;
    function see({ state }: FeedState): void {
      states.push(state);
      if (state === 'live') sending = client.messages.send({ to: '+15550109201', text: 'Do you hear me?' });
    }
    let sending: Promise<{ messageId: string }> | undefined;
    for await (const event of client.events.stream(options)) {
      heard.push(event);
      leaving.abort();
    }
    expect(states).toEqual(['connecting', 'catching-up', 'live']);
    expect(heard).toHaveLength(1);
    const sent = await sending;
    const bodies: unknown[] = [];
    for await (const { events } of client.events.pull({ type: 'message.ack', follow: false })) {
      bodies.push(...events.map(readEvent));
    }
    expect(bodies[0]).toMatchObject({ event: 'message.ack', payload: { messageId: sent?.messageId } });
  });

  it('are not given to whoever may not hear them', async () => {
    const stranger = new Engine({ url: engine.url, key: 'wrong' });
    await expect(stranger.events.stream().next()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(client.events.stream({ after: 'nonsense' }).next()).rejects.toMatchObject({ status: 422 });
  });
});

describe('a stream', () => {
  let close: (() => void) | undefined;
  afterEach(() => close?.());

  const frames =
    (...lines: string[]) =>
    (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const line of lines) response.write(line);
    };
  const event = (id: string): string =>
    `id: c_${id}\nevent: message\ndata: ${JSON.stringify({ id, type: 'message' })}\n\n`;
  const end = (reason: string): string => `retry: 10\nevent: end\ndata: {"reason":"${reason}"}\n\n`;
  const ready = (cursor: string): string => `id: ${cursor}\nevent: ready\ndata: {"cursor":"${cursor}"}\n\n`;

  it('goes on after its cursor, however it was broken, and tells each event once', async () => {
    const broken = (response: ServerResponse): void => {
      frames(event('2'), 'id: c_3\neve')(response);
      response.socket?.end();
    };
    const server = await scriptedServer([
      frames(ready('c_0'), event('1').slice(0, 20), event('1').slice(20), ':\nid: c_1b\n\n', end('stopping')),
      broken,
      refused(503, 'unavailable'),
      frames(ready('c_2'), event('3'), end('dashboard_suspended')),
    ]);
    close = server.close;
    const states: FeedState[] = [];
    const stream = new Engine({ url: server.url, key: 'k' }).events.stream({ onState: (state) => states.push(state) });
    const heard: string[] = [];
    const error = await (async () => {
      for await (const { id, cursor } of stream) heard.push(`${id} ${cursor}`);
    })().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'dashboard_suspended' });
    expect(heard).toEqual(['1 c_1', '2 c_2', '3 c_3']);
    const afters = server.heard.map(({ url }) => new URL(url, server.url).searchParams.get('after'));
    expect(afters).toEqual([null, 'c_1b', 'c_2', 'c_2']);
    expect(states.filter(({ state }) => state === 'offline').map((state) => state.error?.code)).toEqual([
      undefined,
      'unreachable',
      'unavailable',
    ]);
  });

  it('goes on without hints at an engine that does not know them', async () => {
    const server = await scriptedServer([refused(422, 'invalid_request'), frames(ready('c_0'), event('1'))]);
    close = server.close;
    const stream = new Engine({ url: server.url, key: 'k' }).events.stream({ onHint: () => undefined });
    expect(await stream.next()).toMatchObject({ value: { id: '1' } });
    const hints = server.heard.map(({ url }) => new URL(url, server.url).searchParams.get('hints'));
    expect(hints).toEqual(['true', null]);
    await stream.return();
  });

  it('that somebody ended throws, and is not opened again by itself', async () => {
    const server = await scriptedServer([frames(ready('c_0'), event('1'), end('ended')), frames(ready('c_1'))]);
    close = server.close;
    const stream = new Engine({ url: server.url, key: 'k' }).events.stream();
    expect(await stream.next()).toMatchObject({ value: { id: '1' } });
    await expect(stream.next()).rejects.toMatchObject({ code: 'ended', message: 'The stream has ended: ended.' });
    expect(server.heard).toHaveLength(1);
  });
});

describe('a webhook', () => {
  const body = JSON.stringify({ event: 'message.ack', payload: { status: 'read' }, metadata: { eventId: 'evt_1' } });
  const signed = (secrets: string[], ageSeconds = 0): Record<string, string> =>
    signWebhook(secrets, {
      eventId: 'evt_1',
      timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
      body: Buffer.from(body),
    });

  it('is told apart by its event when its signature fits, by any of the secrets that hold now', async () => {
    for (const given of [body, new TextEncoder().encode(body)]) {
      const event = await unwrap(given, signed([SECRET]), SECRET);
      expect(event.event === 'message.ack' && 'status' in event.payload && event.payload.status).toBe('read');
    }
    await webhooks.unwrap(body, new Headers(signed(['a plain secret of many characters', SECRET])), SECRET);
    await unwrap(body, signed(['a plain secret of many characters']), [SECRET, 'a plain secret of many characters']);
  });

  it('is refused when it was signed otherwise, changed, long ago, or not at all', async () => {
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    await expect(unwrap(body, signed([other]), SECRET)).rejects.toThrow(SignatureError);
    await expect(unwrap(`${body} `, signed([SECRET]), SECRET)).rejects.toThrow(SignatureError);
    await expect(unwrap(body, signed([SECRET], 301), SECRET)).rejects.toThrow('five minutes');
    await expect(unwrap(body, {}, SECRET)).rejects.toThrow('no signature');
  });
});
