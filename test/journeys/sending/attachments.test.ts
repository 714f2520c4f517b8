import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../bin/version.ts';
import { Engine } from '../../../packages/typescript/src/index.ts';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import type { TestEngine } from '../../support/engine.ts';
import { startFileServer } from '../../support/file-server.ts';
import type { FileServer } from '../../support/file-server.ts';
import { sendsOf } from '../../support/sandbox-record.ts';
import { untilStatus } from '../../support/sends.ts';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(2_000, 7)]);
const ZIP = 'PK\x03\x04 a document';
/** Office files as servers without types give them out. */
const OFFICE: readonly (readonly [name: string, mimetype: string, head: string])[] = [
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ZIP],
  ['a.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation', ZIP],
  ['a.odt', 'application/vnd.oasis.opendocument.text', ZIP],
  ['b.doc', 'application/msword', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 a document'],
  ['a.csv', 'text/csv', 'name;price\nboat;300\n'],
  ['a.txt', 'text/plain', 'Only words.\n'],
];
const Accepted = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  messages: z.array(z.object({ messageId: z.string(), kind: z.string() })),
});
const Named = z.object({ media: z.object({ mimetype: z.string(), filename: z.string() }) });
const NetworkMessage = z.object({ media: z.object({ url: z.string(), mimetype: z.string() }) });

describe('prepareAndSend: an attachment', () => {
  let engine: TestEngine;
  let agency: Agency;
  let files: FileServer;
  const fetchedBy: string[] = [];

  beforeAll(async () => {
    files = await startFileServer({
      '/photo?token=secret': (response, request) => {
        fetchedBy.push(request.headers['user-agent'] ?? '');
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PNG);
      },
      '/Angebot.docx': (response) =>
        void response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end('PK\x03\x04 a document'),
      ...Object.fromEntries(
        OFFICE.map(([name, , head]) => [
          `/${name}`,
          (response: ServerResponse) =>
            void response
              .writeHead(200, { 'content-type': 'application/octet-stream' })
              .end(Buffer.from(head, 'latin1')),
        ]),
      ),
      '/invoice?sig=a%2Fb': (response) =>
        void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('%PDF-1.7'),
    });
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'a1' });
  });
  afterAll(async () => {
    await engine.close();
    await files.close();
  });

  async function send(body: unknown): Promise<z.infer<typeof Accepted>> {
    const answer = await call(engine, 'POST', '/api/v1/messages/send', { key: agency.scopedKey, body });
    expect(answer.status).toBe(202);
    return Accepted.parse(answer.body);
  }

  /** Returns the person's copy at the network, with the file. */
  async function atNetwork(chatId: string, networkId: string): Promise<{ mimetype: string; bytes: Buffer }> {
    const headers = { 'x-api-key': BACKEND_KEY };
    const path = `/api/${agency.session.name}/chats/${chatId}/messages/${networkId}?downloadMedia=true`;
    const { media } = NetworkMessage.parse(await (await fetch(engine.sandbox.url + path, { headers })).json());
    const file = await fetch(engine.sandbox.url + new URL(media.url).pathname, { headers });
    return { mimetype: media.mimetype, bytes: Buffer.from(await file.arrayBuffer()) };
  }

  /** Returns the backend's facts of a file. */
  async function aboutAt(chatId: string, networkId: string): Promise<{ mimetype: string; filename: string }> {
    const headers = { 'x-api-key': BACKEND_KEY };
    const path = `/api/${agency.session.name}/chats/${chatId}/messages/${networkId}?downloadMedia=true`;
    const { media } = Named.parse(await (await fetch(engine.sandbox.url + path, { headers })).json());
    return media;
  }

  it('reaches the person as the file that the engine fetched, and the dashboard sees it', async () => {
    const attachments = [{ kind: 'image', url: `${files.url}/photo?token=secret`, fileName: 'cat.png' }];
    const { conversationId, messages } = await send({ to: '+15550101001', text: 'Look', attachments });
    expect(messages).toMatchObject([{ kind: 'image' }]);
    const [{ messageId } = { messageId: '' }] = messages;
    await untilStatus(engine, agency, messageId, 'delivered', 'read');

    const [sent] = await sendsOf(engine, agency.session.name);
    expect(sent).toMatchObject({ chatId: '15550101001@c.us', body: 'Look' });
    expect(await atNetwork('15550101001@c.us', sent?.networkId ?? '')).toEqual({ mimetype: 'image/png', bytes: PNG });
    expect(fetchedBy).toEqual([`messaging-engine/${VERSION}`]);

    const list = await call(engine, 'GET', `/api/v1/inbox/conversations/${conversationId}/messages`, {
      key: agency.scopedKey,
    });
    const shown = z.object({ messages: z.array(z.object({ mediaUrl: z.string() })) }).parse(list.body).messages[0];
    expect(JSON.stringify(list.body)).not.toContain('secret');
    const file = await fetch(engine.url + new URL(shown?.mediaUrl ?? '').pathname);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
  });

  it('reaches the person also where the request brings it, and is stored once however often that is made', async () => {
    const attachments = [{ kind: 'image', data: PNG.toString('base64'), fileName: 'dog.png' }];
    const body = { to: '+15550101003', text: 'Look', attachments };
    const again = { key: agency.scopedKey, body, headers: { 'idempotency-key': 'with-a-file' } };
    const answers = [
      await call(engine, 'POST', '/api/v1/messages/send', again),
      await call(engine, 'POST', '/api/v1/messages/send', again),
    ];
    const [messageId = '', same] = answers.map((answer) => Accepted.parse(answer.body).messageId);
    expect(same).toBe(messageId);
    await untilStatus(engine, agency, messageId, 'delivered', 'read');
    const sent = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === '15550101003@c.us');
    expect(sent).toMatchObject([{ body: 'Look' }]);
    expect(await atNetwork('15550101003@c.us', sent[0]?.networkId ?? '')).toEqual({
      mimetype: 'image/png',
      bytes: PNG,
    });
  });

  it('reaches the person where it was uploaded before, however large the bodies of requests may be', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(1_000_000, 9)]);
    const client = new Engine({ url: engine.url, key: agency.scopedKey });
    const attachment = await client.files.attach(new File([large], 'cat.png', { type: 'image/png' }));
    expect(attachment).toMatchObject({ kind: 'image', fileName: 'cat.png' });
    // The same file for two people.
    for (const [to, chatId] of [
      ['+15550101004', '15550101004@c.us'],
      ['+15550101005', '15550101005@c.us'],
    ] as const) {
      const { messageId } = await send({ to, text: 'Look', attachments: [attachment] });
      await untilStatus(engine, agency, messageId, 'delivered', 'read');
      const [sent] = (await sendsOf(engine, agency.session.name)).filter((each) => each.chatId === chatId);
      expect(await atNetwork(chatId, sent?.networkId ?? '')).toEqual({ mimetype: 'image/png', bytes: large });
    }
  });

  it('goes out with the type and the name under which phones open it', async () => {
    const attachments = [
      { kind: 'document', url: `${files.url}/Angebot.docx` },
      { kind: 'document', url: `${files.url}/invoice?sig=a%2Fb` },
      ...OFFICE.map(([name]) => ({ kind: 'document', url: `${files.url}/${name}` })),
    ];
    const { messages } = await send({ to: '+15550101009', attachments });
    for (const { messageId } of messages) await untilStatus(engine, agency, messageId, 'delivered', 'read');
    const sent = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === '15550101009@c.us');
    expect(await Promise.all(sent.map(({ networkId }) => aboutAt('15550101009@c.us', networkId ?? '')))).toEqual([
      {
        mimetype: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        filename: 'Angebot.docx',
      },
      { mimetype: 'application/pdf', filename: 'document.pdf' },
      ...OFFICE.map(([filename, mimetype]) => ({ mimetype, filename })),
    ]);
  });

  it('that cannot be had ends its message with the reason and holds up nothing', async () => {
    const attachments = [{ kind: 'document', url: `${files.url}/missing` }];
    const { messageId } = await send({ to: '+15550101002', attachments });
    const next = await send({ to: '+15550101002', text: 'Never mind' });
    const { error } = await untilStatus(engine, agency, messageId, 'failed');
    expect(error).toEqual({ code: 'media_unavailable', message: "The file's server returned 404." });
    await untilStatus(engine, agency, next.messageId, 'delivered', 'read');
    const seen = (await sendsOf(engine, agency.session.name)).filter(({ chatId }) => chatId === '15550101002@c.us');
    expect(seen.map(({ body }) => body)).toEqual(['Never mind']);
  });
});
