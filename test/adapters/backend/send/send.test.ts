import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createHttp } from '../../../../adapters/backend/http/http.ts';
import { MAX_FILE_BYTES } from '../../../../adapters/backend/send/send.ts';
import type { Outgoing, OutgoingFile } from '../../../../domain/sending/outgoing.ts';
import { startStub } from '../stub-backend.ts';

const base = {
  session: 'wa_agency_1_tenant_2',
  chatId: '15557654321@c.us',
  networkId: '3EB0AA',
  replyTo: { networkId: '3A01', fromMe: false },
  mentions: [],
};
const address = { session: base.session, chatId: base.chatId };
const reply_to = 'false_15557654321@c.us_3A01';
const sent = { status: 201, json: { key: { remoteJid: '15557654321@s.whatsapp.net', fromMe: true, id: '3EB0FF' } } };
const notImplemented = { status: 501, json: { message: "The method is not implemented by 'GOWS' engine." } };

const file = (mimeType: string, fileName: string | null = null): OutgoingFile => ({
  data: Buffer.from('bytes'),
  mimeType,
  fileName,
});
const data = Buffer.from('bytes').toString('base64');
const yes = { type: 'reply', text: 'Yes', id: 'yes' } as const;
const page = { type: 'url', text: 'Page', url: 'https://shop.example/' } as const;

const quoting: Outgoing = { ...base, kind: 'buttons', text: 'Sure?', buttons: { buttons: [yes, page] } };
const buttons: Outgoing = { ...quoting, replyTo: null };
const list: Outgoing = {
  ...base,
  kind: 'list',
  text: 'Which?',
  list: { title: 'Menu', button: 'Choose', sections: [{ title: 'Hot', rows: [{ title: 'Tea', rowId: 't' }] }] },
};

describe('send', () => {
  const calls: [string, Outgoing, string | null, string, Record<string, unknown>][] = [
    [
      'a text that names somebody',
      { ...base, kind: 'text', text: 'Hello @1', mentions: ['15550001111@c.us'] },
      null,
      '/api/sendText',
      { text: 'Hello @1', id: '3EB0AA', mentions: ['15550001111@c.us'], reply_to },
    ],
    [
      'an image on NOWEB',
      { ...base, kind: 'image', text: 'Look', file: file('image/png') },
      'NOWEB',
      '/api/sendImage',
      { file: { data, mimetype: 'image/png' }, caption: 'Look', id: '3EB0AA', reply_to },
    ],
    [
      'an image elsewhere, where the id would be ignored',
      { ...base, kind: 'image', text: '', file: file('image/png', 'a.png'), replyTo: null },
      'GOWS',
      '/api/sendImage',
      { file: { data, mimetype: 'image/png', filename: 'a.png' } },
    ],
    [
      'a video that must be converted',
      { ...base, kind: 'video', text: 'See', file: file('video/quicktime'), networkId: null, replyTo: null },
      'NOWEB',
      '/api/sendVideo',
      { file: { data, mimetype: 'video/quicktime' }, caption: 'See', convert: true },
    ],
    [
      'a recording',
      { ...base, kind: 'audio', text: '', file: file('audio/mp4', 'rec.m4a'), networkId: null },
      'WEBJS',
      '/api/sendVoice',
      { file: { data, mimetype: 'audio/mp4', filename: 'rec.m4a' }, convert: true, reply_to },
    ],
    [
      'a piece of music',
      { ...base, kind: 'audio', text: '', file: file('audio/mpeg', 'song.mp3'), networkId: null },
      'WEBJS',
      '/api/sendFile',
      { file: { data, mimetype: 'audio/mpeg', filename: 'song.mp3' }, reply_to },
    ],
    [
      'a recording with words beside it, which a voice note cannot bear',
      { ...base, kind: 'audio', text: 'Listen', file: file('audio/ogg; codecs=opus'), networkId: null },
      'WEBJS',
      '/api/sendFile',
      { file: { data, mimetype: 'audio/ogg; codecs=opus', filename: 'audio.ogg' }, caption: 'Listen', reply_to },
    ],
    [
      'a document',
      { ...base, kind: 'document', text: '', file: file('application/pdf', 'offer.pdf'), networkId: null },
      'GOWS',
      '/api/sendFile',
      { file: { data, mimetype: 'application/pdf', filename: 'offer.pdf' }, reply_to },
    ],
    [
      'buttons on NOWEB',
      buttons,
      'NOWEB',
      '/api/sendButtons',
      { header: '', body: 'Sure?', footer: '', buttons: [yes, page] },
    ],
    [
      'buttons elsewhere',
      buttons,
      'GOWS',
      '/api/sendText',
      { text: 'Sure?\n\n1. Yes\n\nPage: https://shop.example/', id: '3EB0AA' },
    ],
    [
      'buttons that quote a message, which native ones cannot',
      quoting,
      'NOWEB',
      '/api/sendText',
      { text: 'Sure?\n\n1. Yes\n\nPage: https://shop.example/', id: '3EB0AA', reply_to },
    ],
    [
      'a list on GOWS',
      list,
      'GOWS',
      '/api/sendList',
      {
        message: {
          title: 'Menu',
          description: 'Which?',
          button: 'Choose',
          sections: [{ title: 'Hot', rows: [{ title: 'Tea', rowId: 't' }] }],
        },
        reply_to,
      },
    ],
    [
      'a list in a group',
      { ...list, chatId: '120363000000000000@g.us', replyTo: null },
      'NOWEB',
      '/api/sendText',
      { chatId: '120363000000000000@g.us', text: 'Menu\n\nWhich?\n\nHot\n1. Tea', id: '3EB0AA' },
    ],
  ];

  test.each(calls)('%s', async (_what, message, platform, path, body) => {
    await using stub = await startStub(() => sent);
    expect(await stub.backend.send(message, { platform })).toMatchObject({ outcome: 'accepted', networkId: '3EB0FF' });
    const asked = stub.requests.filter((request) => request.method === 'POST');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ path });
    // The backend would fetch an address of the text for a preview.
    const preview = path === '/api/sendText' ? { linkPreview: false } : {};
    expect(asked[0]?.body).toEqual({ ...address, ...preview, ...body });
  });

  test('a backend that lacks native buttons gets them as text, once', async () => {
    for (const refusal of [notImplemented, { status: 400, json: { message: ['no'] } }, { status: 404, json: {} }]) {
      await using stub = await startStub(({ path }) => (path === '/api/sendText' ? sent : refusal));
      const outcome = await stub.backend.send(buttons, { platform: 'NOWEB' });
      expect(outcome).toMatchObject({ outcome: 'accepted', renderedAs: 'text' });
      expect(stub.requests.map(({ path }) => path)).toEqual(['/api/sendButtons', '/api/sendText']);
    }
  });

  test('native buttons that may have gone out are not sent as text as well', async () => {
    const failures = [500, 502, 504].map((status) => ({ status, json: { exception: { message: 'Timed Out' } } }));
    for (const failure of failures) {
      await using stub = await startStub(() => failure);
      const outcome = await stub.backend.send(buttons, { platform: 'NOWEB' });
      expect(outcome).toMatchObject({ outcome: 'unknown', renderedAs: 'native' });
      expect(stub.requests).toHaveLength(1);
    }
  });

  test('an interactive message that waits for its session is not tried as text', async () => {
    const error = 'Session status is not as expected. Try again later or restart the session';
    await using stub = await startStub(() => ({ status: 422, json: { error } }));
    expect(await stub.backend.send(list, { platform: 'NOWEB' })).toMatchObject({ retry: 'when_working' });
    expect(stub.requests).toHaveLength(1);
  });

  test('where nobody says which engine it is, the backend is asked', async () => {
    await using stub = await startStub(({ path }) =>
      path === '/api/server/version' ? { json: { version: '2026.7.1', engine: 'NOWEB' } } : sent,
    );
    expect(await stub.backend.send(buttons)).toMatchObject({ renderedAs: 'native' });
    await using silent = await startStub(({ path }) => (path === '/api/server/version' ? { status: 500 } : sent));
    expect(await silent.backend.send(buttons)).toMatchObject({ renderedAs: 'text' });
  });

  test('a backend in strict mode gets a file without what it does not document', async () => {
    const strict = { status: 400, json: { message: ['property id should not exist'] } };
    await using stub = await startStub(({ body }) => ('id' in body ? strict : sent));
    const image: Outgoing = { ...base, kind: 'image', text: '', file: file('image/png') };
    expect(await stub.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ outcome: 'accepted' });
    expect(await stub.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ outcome: 'accepted' });
    expect(stub.requests.map(({ body }) => 'id' in body)).toEqual([true, false, false]);
  });

  test('people whom a caption names are left out only where the backend refuses that field, and it is told', async () => {
    const image: Outgoing = { ...base, kind: 'image', text: '@1', file: file('image/png'), mentions: ['1@c.us'] };
    const strict = { status: 400, json: { message: ['property mentions should not exist'] } };
    await using stub = await startStub(({ body }) => ('mentions' in body ? strict : sent));
    expect(await stub.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ leftOut: 'mentions' });
    expect(stub.requests.at(-1)?.body).toMatchObject({ id: '3EB0AA' });
    await using other = await startStub(() => ({ status: 400, json: { message: ['file is broken'] } }));
    expect(await other.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ retry: 'never' });
    expect(other.requests).toHaveLength(1);
  });

  test('a file of many parts arrives as it is', async () => {
    const bytes = randomBytes(700_001);
    await using stub = await startStub(() => sent);
    const document: Outgoing = {
      ...base,
      kind: 'document',
      text: 'Ж',
      file: { data: bytes, mimeType: 'application/pdf', fileName: 'a "b".pdf' },
    };
    expect(await stub.backend.send(document, { platform: 'GOWS' })).toMatchObject({ outcome: 'accepted' });
    expect(stub.requests[0]?.body).toMatchObject({
      caption: 'Ж',
      file: { filename: 'a "b".pdf', data: bytes.toString('base64') },
    });
  });

  test('an error answer that echoes a large request is understood by its beginning', async () => {
    const echo = Buffer.alloc(40_000_000, 'A').toString('latin1');
    const exception = { message: 'server returned error 463', name: 'Error', stack: 'at "a",\n"request":' };
    await using stub = await startStub(({ method }) =>
      method === 'POST'
        ? { status: 500, json: { statusCode: 500, exception, request: { body: { file: { data: echo } } } } }
        : { status: 500 },
    );
    const image: Outgoing = { ...base, kind: 'image', text: '', file: file('image/png') };
    expect(await stub.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ detail: 'reachout_timelock' });
    const answers = createHttp({ baseUrl: stub.baseUrl, apiKey: null, connectTimeoutMs: 1_000, connections: 1 });
    const answer = await answers.call({ method: 'POST', path: '/api/sendImage', body: {}, timeoutMs: 10_000 });
    expect(answer).toMatchObject({ status: 500, body: { length: 65_536 } });
    await answers.close();
  });

  test('an id that is not promised is not believed when the answer cannot be read', async () => {
    await using stub = await startStub(() => ({ status: 201, json: {} }));
    const image: Outgoing = { ...base, kind: 'image', text: '', file: file('image/png') };
    expect(await stub.backend.send(image, { platform: 'NOWEB' })).toMatchObject({ detail: 'unreadable_answer' });
    const text: Outgoing = { ...base, kind: 'text', text: 'x' };
    expect(await stub.backend.send(text)).toMatchObject({ outcome: 'accepted', networkId: '3EB0AA' });
  });

  test('files have more time than texts', async () => {
    await using stub = await startStub(() => () => undefined, { textTimeoutMs: 5_000, mediaTimeoutMs: 50 });
    const image: Outgoing = { ...base, kind: 'image', text: '', file: file('image/png') };
    expect(await stub.backend.send(image, { platform: 'GOWS' })).toMatchObject({
      outcome: 'unknown',
      cause: 'timeout',
    });
  });

  test('a file that the backend cannot take, and an empty one, are refused before the call', async () => {
    await using stub = await startStub(() => sent);
    const image = (bytes: number): Outgoing => ({
      ...base,
      kind: 'image',
      text: '',
      file: { data: Buffer.alloc(bytes), mimeType: 'image/png', fileName: null },
    });
    const never = { outcome: 'not_sent', retry: 'never' };
    expect(await stub.backend.send(image(MAX_FILE_BYTES + 1), { platform: 'GOWS' })).toEqual({
      ...never,
      reason: 'media_too_large',
      detail: 'file_too_large',
    });
    expect(await stub.backend.send(image(0), { platform: 'GOWS' })).toMatchObject({ detail: 'invalid_request' });
    expect(stub.requests).toEqual([]);
  });

  test('a restriction comes with its end, where the account tells it', async () => {
    const refusal = { status: 500, json: { exception: { message: 'server returned error 463' } } };
    const text: Outgoing = { ...base, kind: 'text', text: 'x' };
    const me = { id: '1@c.us', reachoutTimelock: { isActive: true, timeEnforcementEnds: 4_000_000_000 } };
    const json = { name: base.session, status: 'WORKING', me };
    await using stub = await startStub(({ method }) => (method === 'POST' ? refusal : { json }));
    expect(await stub.backend.send(text)).toEqual({
      outcome: 'restricted',
      reason: 'restricted',
      detail: 'reachout_timelock',
      until: new Date(4_000_000_000_000),
    });
    await using silent = await startStub(({ method }) => (method === 'POST' ? refusal : { status: 500 }));
    expect(await silent.backend.send(text)).toMatchObject({ outcome: 'restricted', until: null });
    for (const shown of [
      { id: '1@c.us', reachoutTimelock: null },
      { id: '1@c.us', reachoutTimelock: { isActive: false } },
    ]) {
      const free = { json: { ...json, me: shown } };
      await using stub2 = await startStub(({ method }) => (method === 'POST' ? refusal : free));
      expect(await stub2.backend.send(text)).toEqual({
        outcome: 'not_sent',
        retry: 'never',
        reason: 'recipient_refused',
        detail: 'account_not_restricted',
      });
      const capped = { status: 500, json: { exception: { message: 'new chats are CAPPED' } } };
      await using stub3 = await startStub(({ method }) => (method === 'POST' ? capped : free));
      expect(await stub3.backend.send(text)).toMatchObject({ outcome: 'restricted', detail: 'message_capped' });
    }
  });
});
