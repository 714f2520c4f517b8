import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { sql } from 'kysely';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import { BACKEND_WEBHOOK_SECRET } from '../../support/keys.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import {
  among,
  atLeast,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  has,
  like,
  not,
  refuseRows,
  toldEvents,
  toldPayloads,
  untilCount,
  untilRows,
} from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';

describe('events of the backend', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'ingest' });
  });
  afterAll(() => engine.close());

  async function tell(body: string | Buffer, requestId: string = randomUUID()): Promise<number> {
    const response = await fetch(`${engine.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-request-id': requestId,
        'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex'),
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return response.status;
  }

  const message = (text: string, id: string, session = agency.session.name) =>
    JSON.stringify({
      id: `evt_${randomUUID()}`,
      timestamp: Date.now(),
      event: 'message.any',
      session,
      engine: 'NOWEB',
      payload: {
        id: `false_15550100901@c.us_${id}`,
        from: '15550100901@c.us',
        fromMe: false,
        body: text,
        timestamp: Math.floor(Date.now() / 1_000),
        hasMedia: false,
      },
    });

  it.each([
    ['a body that is not JSON', '{"event": "message.any", "session": '],
    ['a body that is no event', '[1, 2, 3]'],
    ['a body with a raw NUL', Buffer.from('\u0000{"event": "x"}')],
    ['nothing', ''],
  ])('%s with a good signature is kept, parked and blocks nobody', async (_what, body) => {
    const before = await countRows(engine.database, 'parkedEvent');
    expect(await tell(body)).toBe(200);
    expect(await tell(message('goes on', `A${randomUUID()}`))).toBe(200);
    await untilCount(engine.database, 'message', { body: 'goes on' });
    await untilCount(engine.database, 'parkedEvent', {}, before + 1);
    await deleteRows(engine.database, 'message', { body: 'goes on' });
  });

  it('an event that cannot be applied is parked with its error and those around it are applied', async () => {
    const { name } = agency.session;
    const broken = JSON.stringify({ event: 'message.any', session: name, payload: { body: 'no id' }, timestamp: 1 });
    expect(await tell(message('before', 'B1'))).toBe(200);
    expect(await tell(broken)).toBe(200);
    expect(await tell(message('after', 'B2'))).toBe(200);
    await untilCount(engine.database, 'message', { body: ['before', 'after'] }, 2);
    const parked = await eventually(async () => {
      const rows = await findRows(engine.database, 'parkedEvent', { sessionName: name }, ['error', 'attempts']);
      return rows.length > 0 && rows;
    });
    expect(parked).toEqual([{ error: 'UnreadableEvent', attempts: 1 }]);
  });

  it('an event that meets trouble of our own is applied when the trouble is over', async () => {
    const { name } = agency.session;
    const mend = await refuseRows(engine.database, 'message', { on: 'insert' });
    expect(await tell(message('through the trouble', 'T1'))).toBe(200);
    await untilCount(engine.database, 'backendEvent', {
      sessionName: name,
      attempts: atLeast(2),
      body: like('%through the trouble%'),
    });
    await mend();
    await untilCount(engine.database, 'message', { body: 'through the trouble' });
  });

  it('an event that is repeated is stored once, and under another id changes nothing', async () => {
    const body = message('once', 'C1');
    const requestId = randomUUID();
    for (const id of [requestId, requestId, randomUUID()]) expect(await tell(body, id)).toBe(200);
    await untilCount(engine.database, 'backendEvent', { body: like('%_C1"%'), appliedAt: not(null) }, 2);
    expect(await countRows(engine.database, 'message', { networkId: 'C1' })).toBe(1);
    expect(await countRows(engine.database, 'event', { type: 'message', body: like('%"once"%') })).toBe(1);
  });

  it('an event of a session that is nobody’s is applied to nothing', async () => {
    expect(await tell(message('for another engine', 'D1', 'somebody_elses'))).toBe(200);
    await untilCount(engine.database, 'backendEvent', { sessionName: 'somebody_elses', appliedAt: not(null) });
    expect(await countRows(engine.database, 'message', { networkId: 'D1' })).toBe(0);
  });

  it('the events of a session are applied in the order in which they came', async () => {
    for (let index = 0; index < 40; index += 1) await tell(message(`ordered ${index}`, `E${index}`));
    await untilCount(engine.database, 'message', { body: like('ordered %') }, 40);
    const ofSession = { sessionId: agency.session.id, body: like('%"ordered %') };
    const told = await toldPayloads(engine.database, ofSession);
    expect(told.map(({ body }) => body)).toEqual(Array.from({ length: 40 }, (_, index) => `ordered ${index}`));
  });

  it('what people do to messages, places, polls and calls are in the inbox as the network shows them', async () => {
    const { name } = agency.session;
    const from = '15550100909';
    const chat = `${from}@c.us`;
    const control = (deed: string, body: object) => engine.control('POST', `/sessions/${name}/${deed}`, body);
    // One after the other: the network promises no more order than that.
    const untilHere = (id: string) => untilCount(engine.database, 'message', { networkId: id });
    const says = async (id: string, said: object) => {
      const payload = { id: `false_${chat}_${id}`, from: chat, fromMe: false, body: null, timestamp: 1_795_000_000 };
      await control('event', { event: 'message.any', payload: { ...payload, ...said } });
      await untilHere(id);
    };
    await personWrites(engine, name, { from, text: 'I need 5', id: 'KIND1' });
    await untilHere('KIND1');
    await personWrites(engine, name, { from, text: 'a secret', id: 'KIND2' });
    await untilHere('KIND2');
    await says('KIND3', { location: { live: false, latitude: '1.5', longitude: '2.5', name: 'Shop' } });
    const poll = { name: 'Which?', options: [{ optionName: 'A' }, { optionName: 'B' }], selectableOptionsCount: 1 };
    await says('KIND4', { _data: { message: { pollCreationMessageV3: poll } } });
    const vote = { id: `false_${chat}_VOTE1`, fromMe: false, selectedOptions: ['B'], timestamp: 1_795_000_001 };
    await control('event', { event: 'poll.vote', payload: { vote, poll: { id: `false_${chat}_KIND4` } } });
    await control('edit', { id: 'KIND1', text: 'I need 50' });
    await control('reaction', { from, id: 'KIND1', text: '👍' });
    await control('revoke', { id: 'KIND2' });
    await control('call', { from, id: 'CALL1' });
    await untilCount(engine.database, 'message', { content: has('call') });
    await control('call', { from, id: 'CALL1', status: 'rejected' });
    const done = sql`message where content->'call'->>'status' = 'rejected' or revoked_at is not null
      or (network_id = 'KIND1' and edited_at is not null and responded_at is not null)
      or (network_id = 'KIND4' and responded_at is not null) or network_id = 'KIND3'`;
    await untilRows(engine.database, done, 5);
    const [found] = await findRows(engine.database, 'message', { networkId: 'KIND1' }, { id: 'conversationId' });
    const path = `/api/v1/inbox/conversations/${found?.id}/messages`;
    const { body } = await call(engine, 'GET', path, { key: agency.scopedKey });
    const by = { fromMe: false, from };
    expect(body['messages']).toMatchObject([
      { kind: 'call', call: { status: 'rejected', isVideo: false, isGroup: false } },
      { kind: 'text', body: '', revokedBy: 'sender' },
      {
        body: 'I need 50',
        edited: { versions: [{ body: 'I need 5' }, { body: 'I need 50' }] },
        reactions: [{ ...by, emoji: '👍' }],
      },
      { kind: 'poll', poll: { options: [{ votes: 0 }, { votes: 1 }], votes: [{ ...by, options: ['B'] }] } },
      { kind: 'location', location: { latitude: 1.5, longitude: 2.5, name: 'Shop' } },
    ]);
    expect(JSON.stringify(body)).not.toContain('a secret');
    const chats = await call(engine, 'GET', '/api/v1/inbox/chats', { key: agency.scopedKey });
    const own = { conversationId: found?.id, unreadCount: 4 };
    expect(chats.body['chats']).toEqual(expect.arrayContaining([expect.objectContaining(own)]));
  });

  it('a message with NUL and half a character is kept without them', async () => {
    await personWrites(engine, agency.session.name, { from: '15550100902', text: 'a\u0000b\ud800c', id: 'NUL1' });
    await untilCount(engine.database, 'message', { networkId: 'NUL1' });
    const [row] = await findRows(engine.database, 'message', { networkId: 'NUL1' }, ['body']);
    expect(row?.body).toMatch(/^ab.c$/u);
  });

  describe('a file that a contact sends', () => {
    const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(300_000, 7)]);
    const Told = z.object({
      messageId: z.string(),
      media: z.object({
        url: z.string(),
        mimeType: z.string(),
        fileName: z.string().nullable(),
        sizeBytes: z.number(),
        sha256: z.string(),
      }),
      mediaUrl: z.string(),
    });
    let files = 0;

    const say = (text: string) => personWrites(engine, agency.session.name, { from: '15550100903', text });
    const read = (url: string, init?: RequestInit) => fetch(url.replace('http://media.test', engine.url), init);

    async function sends(bytes: Buffer, media: { mimetype: string; filename?: string }, text = ''): Promise<string> {
      files += 1;
      const id = `FILE${files}`;
      const data = bytes.toString('base64');
      await personWrites(engine, agency.session.name, { from: '15550100903', text, id, media: { ...media, data } });
      return id;
    }

    const eventOf = (networkId: string, type = 'message') =>
      eventually(
        async () => {
          const [message] = await findRows(engine.database, 'message', { networkId }, ['id']);
          if (!message) return undefined;
          return (await toldPayloads(engine.database, { type }, { messageId: message.id }))[0];
        },
        { what: `the event of ${networkId}` },
      );

    it('is in its event with an address, which answers the same bytes to anybody, whole or in part', async () => {
      const id = await sends(PNG, { mimetype: 'image/png', filename: 'cat.png' }, 'Look!');
      const { media, mediaUrl } = Told.parse(await eventOf(id));
      expect(media).toEqual({
        url: mediaUrl,
        mimeType: 'image/png',
        fileName: 'cat.png',
        sizeBytes: PNG.length,
        sha256: createHash('sha256').update(PNG).digest('hex'),
      });
      const answer = await read(mediaUrl);
      expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-disposition': 'inline; filename="cat.png"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      });
      const part = await read(mediaUrl, { headers: { range: 'bytes=1-3' } });
      expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    });

    it('has a thumbnail in its event when it is a picture, at an address below its own', async () => {
      const colour = { r: 200, g: 30, b: 30 };
      const picture = sharp({ create: { width: 1_600, height: 800, channels: 3, background: colour } });
      const id = await sends(await picture.jpeg().toBuffer(), { mimetype: 'image/jpeg' });
      const { media } = z
        .object({ media: z.object({ url: z.string(), thumbnail: z.object({ url: z.string(), width: z.number() }) }) })
        .parse(await eventOf(id));
      expect(media.thumbnail).toEqual({ url: `${media.url}/thumbnail`, width: 320 });
      const answer = await read(media.thumbnail.url);
      expect(answer.headers.get('content-type')).toBe('image/webp');
      const shown = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect(shown).toMatchObject({ format: 'webp', width: 320, height: 160 });
    });

    it('never runs in a browser, whatever it is called', async () => {
      const page = Buffer.from('<!doctype html><script>alert(1)</script>');
      const id = await sends(page, { mimetype: 'image/jpeg', filename: 'photo.jpg' });
      const { mediaUrl } = Told.parse(await eventOf(id));
      const { headers } = await read(mediaUrl);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toBe('attachment; filename="photo.jpg"');
    });

    it('comes late when the backend cannot be asked, and nothing of it is lost', async () => {
      await engine.stopWorker();
      const id = await sends(PNG, { mimetype: 'image/png' });
      await untilCount(engine.database, 'heldEvent');
      await say('and one word more');
      await untilCount(engine.database, 'heldEvent', {}, 2);
      await changeRows(engine.database, 'heldEvent', { waitsUntil: databaseNow }, { waitsFor: not(null) });
      expect(await eventOf(id)).toMatchObject({ mediaUrl: null, media: { url: null, error: 'media_pending' } });
      // Meanwhile the backend has deleted the file, and is asked to fetch it again.
      await engine.control('POST', '/faults', { clockAheadMs: 200_000 });
      await engine.startWorker();
      const { mediaUrl } = Told.parse(await eventOf(id, 'message.media'));
      expect((await read(mediaUrl)).headers.get('content-disposition')).toBe('inline; filename="image.png"');
      await engine.control('DELETE', '/faults');
      const ofChat = { conversationId: among('conversation', { chatId: '15550100903@c.us' }) };
      const newest = (await toldEvents(engine.database, ofChat)).slice(-3);
      expect(newest.map(({ type }) => type)).toEqual(['message', 'message', 'message.media']);
    });

    it('is not stored when it is larger than the engine stores, and its event says so', async () => {
      const id = await sends(Buffer.alloc(1_100_000, 1), { mimetype: 'video/mp4' });
      expect(await eventOf(id)).toMatchObject({ hasMedia: true, media: { url: null, error: 'media_too_large' } });
    });
  });
});
