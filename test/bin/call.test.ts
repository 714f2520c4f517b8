import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { call, readCall } from '../../bin/cli/call.ts';
import { loadConfig } from '../../config/config.ts';

interface Received {
  method: string | undefined;
  url: string | undefined;
  key: string | string[] | undefined;
  authorization: string | undefined;
  repeats: string | string[] | undefined;
  body: string;
}

describe('./engine call', () => {
  let directory: string;
  let engine: Server;
  let url: string;
  let received: Received[];
  let printed: string[];
  let noted: string[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'engine-call-'));
    for (const [name, key] of [
      ['engine-api-key', 'the master key'],
      ['internal-psk', 'the psk'],
    ])
      writeFileSync(join(directory, name ?? ''), key ?? '');
    [received, printed, noted] = [[], [], []];
    engine = createServer((request, response) => {
      const { method, url: path, headers } = request;
      const { 'x-api-key': key, 'idempotency-key': repeats, authorization } = headers;
      const isRefused = path === '/api/v1/refused';
      text(request)
        .then((body) => {
          received.push({ method, url: path, key, authorization, repeats, body });
          response.writeHead(isRefused ? 422 : 202, { 'content-type': 'application/json' });
          response.end(isRefused ? '{"code":"invalid_request"}' : '{"messageId":"msg_1"}');
        })
        .catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    const address = engine.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
    engine.close();
  });

  function run(words: string[], given: { environment?: Record<string, string>; header?: string[] } = {}) {
    const config = loadConfig({ DATA_DIR: directory, ENGINE_URL: url, ...given.environment });
    const flags = given.header === undefined ? {} : { header: given.header };
    return call(words, flags, config, { say: (line) => printed.push(line), note: (line) => noted.push(line) });
  }

  it('sends the body and the headers to the route behind /api/v1, and prints status and JSON apart', async () => {
    const code = await run(['post', '/messages/send', '{"to":"1"}'], { header: ['Idempotency-Key: order-1'] });
    expect(code).toBe(0);
    expect(received).toEqual([
      expect.objectContaining({ method: 'POST', url: '/api/v1/messages/send', repeats: 'order-1', body: '{"to":"1"}' }),
    ]);
    expect(noted).toEqual(['202 Accepted']);
    expect(printed).toEqual(['{\n  "messageId": "msg_1"\n}']);
  });

  it('returns exit code 1 for a refusal, and prints it', async () => {
    expect(await run(['GET', '/refused'])).toBe(1);
    expect(noted).toEqual(['422 Unprocessable Entity']);
    expect(printed[0]).toContain('invalid_request');
  });

  it('takes the key of the shell, else that of the registration, else the master key', async () => {
    await run(['GET', '/status']);
    writeFileSync(join(directory, 'demo-key'), 'the registered key\n');
    await run(['GET', '/status']);
    await run(['GET', '/status'], { environment: { KEY: "the shell's key" } });
    expect(received.map(({ key }) => key)).toEqual(['the master key', 'the registered key', "the shell's key"]);
  });

  it("takes the master key for the operator's routes, and the pre-shared key for those of the registration", async () => {
    await run(['GET', '/admin/dashboards'], { environment: { KEY: "the shell's key" } });
    await run(['GET', '/v1/internal/dashboard/config?agencyId=demo'], { environment: { KEY: "the shell's key" } });
    expect(received.map(({ key }) => key)).toEqual(['the master key', undefined]);
    expect(received[1]?.authorization).toBe('PSK the psk');
  });

  it.each(['/inbox/messages//status', '/messages/', '/messages/?tenantId=shop', '/inbox/chats?tenantId=', '/a?b=&c=d'])(
    'refuses %s, in which a variable was empty, and sends nothing',
    (path) => {
      expect(() => readCall(['GET', path])).toThrow(/has an empty part\. Set the variable first/);
    },
  );

  it.each([
    [[], /Give a method/],
    [['FETCH', '/status'], /Give a method/],
    [['GET', 'status'], /must begin with a slash: \/status/],
    [['POST', '/messages/send', '{to:1}'], /not valid JSON/],
    [['POST', '/messages/send', '"text"'], /must be a JSON object/],
  ])('says what is wrong with %j', (words, says) => {
    expect(() => readCall(words)).toThrow(says);
  });

  it('says how to reach an engine that does not respond', async () => {
    engine.close();
    await expect(run(['GET', '/status'])).rejects.toThrow(/does not answer\. Start the engine with "npm start"/);
  });
});
