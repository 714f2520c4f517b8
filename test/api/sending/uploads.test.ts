import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { takeUnusedFiles } from '../../../db/media/keys.ts';
import { UploadedFile } from '../../../domain/sending/upload.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { changeRows, databaseNow, findRows, not } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aSender, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const PDF = Buffer.from('%PDF-1.7 for the test');
/** The largest file in these tests. */
const MIB = 1_048_576;
const Refusal = z.object({
  code: z.string(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});

let directory: string;
let api: RunningApi;
let sender: Sender;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'uploads-test-'));
  const databaseUrl = await takeDatabase();
  api = await startApiOn(databaseUrl, 'uploads-api', directory);
  sender = await aSender(api, 'uploader');
});
afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
});

interface Given {
  type?: string;
  key?: string;
  query?: string;
}

const post = (body: Buffer<ArrayBuffer> | FormData, { type, key = sender.scopedKey, query = '' }: Given = {}) =>
  fetch(`${api.url}/api/v1/files${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, ...(type === undefined ? {} : { 'content-type': type }) },
    body,
  });

async function upload(body: Buffer<ArrayBuffer>, given?: Given): Promise<UploadedFile> {
  const answer = await post(body, given);
  expect(answer.status).toBe(201);
  return UploadedFile.parse(await answer.json());
}

async function refused(asked: Response | Promise<Response>) {
  const answer = await asked;
  return { status: answer.status, ...Refusal.parse(await answer.json()) };
}

const sendOf = (attachment: object) =>
  sender.post('/api/v1/messages/send', { to: somebody(), attachments: [{ kind: 'document', ...attachment }] });

describe('a file that is uploaded', () => {
  it('is named by messages, with the name and type that it came with or that they give it', async () => {
    const file = await upload(PDF, { type: 'application/pdf', query: '?fileName=..%2Foffer.pdf' });
    expect(file).toMatchObject({ mimeType: 'application/pdf', fileName: 'offer.pdf', sizeBytes: PDF.length });
    expect((await upload(PDF, { type: 'application/pdf', query: '?fileName=offer.pdf' })).fileId).toBe(file.fileId);
    const hoursLeft = (Date.parse(file.expiresAt) - Date.now()) / 3_600_000;
    expect(Math.round(hoursLeft)).toBe(24);
    const attachments = [
      { kind: 'document', fileId: file.fileId },
      { kind: 'document', fileId: file.fileId, fileName: 'again.pdf' },
    ];
    const { messages } = await sender.send({ to: somebody(), text: 'Two', attachments });
    const files = await findRows(
      api.database,
      'message',
      { media: not(null), id: messages.map(({ messageId }) => messageId) },
      ['media'],
      'chatSeq',
    );
    const stored = { key: `uploader/${file.sha256}`, sizeBytes: PDF.length, sha256: file.sha256 };
    expect(files.map(({ media }) => media)).toEqual([
      expect.objectContaining({ mimeType: 'application/pdf', fileName: 'offer.pdf', stored }),
      expect.objectContaining({ mimeType: 'application/pdf', fileName: 'again.pdf', stored }),
    ]);
  });

  it('is of the tenant that a dashboard names', async () => {
    const dashboard = { key: sender.dashboardKey, query: '?tenantId=nobody' };
    expect(await refused(post(PDF, dashboard))).toMatchObject({ status: 404 });
    const { fileId } = await upload(PDF, { ...dashboard, query: '?tenantId=t1' });
    expect((await sendOf({ fileId })).status).toBe(202);
  });

  it('is kept for messages to come, is deleted when none came, and is then not found', async () => {
    const lost = await upload(Buffer.from('%PDF-1.7 nobody sends it'), { type: 'application/pdf' });
    const due = () => api.database.transaction((tx) => takeUnusedFiles(tx, 1_000));
    const key = `uploader/${lost.sha256}`;
    expect(await due()).not.toContain(key);
    await changeRows(api.database, 'mediaKey', { heldUntil: databaseNow }, { key });
    expect(await due()).toContain(key);
    const answer = await sendOf({ fileId: lost.fileId });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/attachments/0/fileId' }] } });
  });

  it('is what its bytes show, whatever its ending has a client call it', async () => {
    const webp = Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBP', 'latin1'), Buffer.alloc(64, 7)]);
    const { fileId, mimeType } = await upload(webp, { type: 'image/jpeg', query: '?fileName=photo.jpg' });
    expect(mimeType).toBe('image/webp');
    expect((await sendOf({ fileId, kind: 'image', mimeType: 'image/jpeg' })).status).toBe(202);
    expect((await sendOf({ fileId, kind: 'document', mimeType: 'image/jpeg' })).status).toBe(422);
  });

  it('may be as large as any that is sent, and no larger, also where its size is not said', async () => {
    const large = randomBytes(MIB);
    expect((await upload(large)).sizeBytes).toBe(large.length);
    expect(await refused(post(Buffer.concat([large, large])))).toMatchObject({ status: 413, code: 'body_too_large' });
    const unsaid = await fetch(`${api.url}/api/v1/files`, {
      method: 'POST',
      headers: { 'x-api-key': sender.scopedKey },
      body: new Blob([large, PDF]).stream(),
      duplex: 'half',
    });
    expect(await refused(unsaid)).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it.each([
    ['nothing', () => post(Buffer.alloc(0)), 422],
    ['a web page', () => post(Buffer.from('<!doctype html><p>Hello'), { type: 'application/pdf' }), 422],
    ['a program by its name', () => post(PDF, { query: '?fileName=a.exe' }), 422],
    ['a form', () => post(formWith(PDF)), 415],
    ['an unknown parameter', () => post(PDF, { query: '?name=a.pdf' }), 422],
    ['a key that is none', () => post(PDF, { key: 'mea_none' }), 401],
  ] as const)('is refused where it is %s', async (_what, ask, status) => {
    expect(await refused(ask())).toMatchObject({ status });
  });

  it('is not there where its sender has left in the middle, and gives its place back', async () => {
    const { hostname, port } = new URL(api.url);
    for (let times = 0; times < 8; times += 1) {
      const socket = connect(Number(port), hostname);
      const head = `POST /api/v1/files HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${sender.scopedKey}\r\n`;
      socket.write(`${head}content-length: 1000\r\nexpect: 100-continue\r\n\r\n`);
      // The engine has the request by now, and waits for the file.
      await once(socket, 'data');
      socket.write('%PDF-1.7');
      socket.destroy();
    }
    await upload(Buffer.from('%PDF-1.7 the ninth'));
  });
});

describe('the id of an uploaded file', () => {
  it('says nothing at another tenant, when it was changed, or as another kind than the file is', async () => {
    const other = await aSender(api, 'stranger');
    const { fileId } = await upload(PDF, { type: 'application/pdf' });
    const body = { to: somebody(), attachments: [{ kind: 'document', fileId }] };
    expect(await other.post('/api/v1/messages/send', body)).toMatchObject({ status: 422 });
    for (const changed of [`${fileId}x`, fileId.slice(5), `file_${randomBytes(60).toString('base64url')}`, 'file_.']) {
      expect(await sendOf({ fileId: changed })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/attachments/0/fileId' }] },
      });
    }
    expect(await sendOf({ fileId, kind: 'image' })).toMatchObject({ status: 422 });
    expect(await sendOf({ fileId, url: 'https://files.example/a.pdf' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/attachments/0/fileId' }] },
    });
  });
});

function formWith(file: Buffer<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new Blob([file]), 'offer.pdf');
  return form;
}
