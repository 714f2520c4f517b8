import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventFeed } from '../../bin/cli/event-feed.ts';
import { SandboxPeople } from '../../bin/cli/sandbox.ts';
import { trigger } from '../../bin/cli/trigger.ts';
import { startSandbox } from '../../local/sandbox/main.ts';
import { Engine } from '../../packages/typescript/src/index.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import { BACKEND_KEY, PSK } from '../support/keys.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));

/** The command line in a process of its own, with nothing in its environment that names an engine. */
class Command {
  readonly child: ChildProcess;
  output = '';

  constructor(...words: string[]) {
    this.child = spawn(process.execPath, [START, ...words], {
      // An engine of the developer's may have the usual port.
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: `${tmpdir()}/no-engine-here`, PORT: '9' },
      cwd: tmpdir(),
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  until(text: string | RegExp): Promise<boolean> {
    return eventually(() => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output)), {
      what: `the command to say ${text.toString()}; it said:\n${this.output}`,
    });
  }
}

interface Heard {
  headers: Record<string, string>;
  body: string;
}

/** A builder's own program, which takes what it is posted. */
async function aBuilder() {
  const heard: Heard[] = [];
  let status = 204;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      heard.push({ headers: Object.fromEntries(headers), body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    heard,
    url: `http://127.0.0.1:${port}/hook`,
    answers(next: number) {
      status = next;
    },
    close: () => server.close(),
  };
}

describe('the command line for builders', () => {
  let engine: TestEngine;
  let agency: Agency;
  let flags: string[];
  let sandboxFlags: string[];

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'builders' });
    flags = ['--url', engine.url, '--api-key', agency.scopedKey];
    sandboxFlags = ['--sandbox-url', engine.sandbox.url, '--sandbox-key', BACKEND_KEY];
  });
  afterAll(() => engine.close());

  it('a builder hears what happens in the sandbox on the own machine, signed, and again by its id', async () => {
    const builder = await aBuilder();
    const listening = new Command('listen', ...flags, '--forward', builder.url, '--events', 'message');
    await listening.until('Signed with whsec_');
    const triggered = new Command('trigger', 'message', ...flags, ...sandboxFlags, '--text', 'Do you hear me?');
    await listening.until('→ 204 in');
    expect(await triggered.ended()).toBe(0);

    const secret = /whsec_\S+/.exec(listening.output)?.[0] ?? '';
    const [first] = builder.heard;
    const event = new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {});
    expect(event).toMatchObject({ event: 'message', payload: { body: 'Do you hear me?' } });
    // Ids stand in terminals and their logs; what people write does not.
    expect(listening.output).not.toContain('Do you hear me?');
    expect(listening.output).not.toContain(agency.scopedKey);

    const id = first?.headers['webhook-id'] ?? '';
    builder.answers(503);
    listening.child.stdin?.write(`${id}\n`);
    await listening.until('→ 503 in');
    const again = new Command('resend', id, ...flags, '--forward', builder.url, '--secret', secret);
    expect(await again.ended()).toBe(1);
    expect(again.output).toContain('→ 503 in');
    expect(again.output).not.toContain(secret);
    builder.answers(401);
    const refused = new Command('resend', id, ...flags, '--forward', builder.url, '--secret', secret);
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toMatch(/→ 401 in .*Give that one with --secret/);
    builder.answers(204);
    const taken = new Command('resend', id, ...flags, '--forward', builder.url, '--secret', secret);
    expect(await taken.ended()).toBe(0);
    expect(builder.heard.map(({ body }) => body)).toEqual(Array.from({ length: 5 }, () => first?.body));
    expect(builder.heard.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '1', '1', '1']);
    for (const { headers, body } of builder.heard)
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();

    listening.child.kill('SIGINT');
    expect(await listening.ended()).toBe(0);
    builder.close();
  });

  it('each event of the sandbox really happens when it is triggered', async () => {
    const client = new Engine({ url: engine.url, key: agency.dashboardKey, tenantId: 't1' });
    const options = {
      client,
      people: () => SandboxPeople.of(client, { url: engine.sandbox.url, key: BACKEND_KEY }),
      endpointId: null,
      from: '+15550100078',
      text: 'triggered',
      say: () => undefined,
    };
    const since = new Date().toISOString();
    const told = async () => {
      const path = `/api/v1/webhooks/events?tenantId=t1&since=${since}&limit=100`;
      const { body } = await call(engine, 'GET', path, { key: agency.dashboardKey });
      return JSON.stringify(body);
    };
    const happen = [
      'message',
      'message.ack',
      'session.status',
      'conversation.assigned',
      'conversation.released',
      'conversation.labelled',
      'session.restricted',
      'session.quota',
    ];
    for (const event of happen) await trigger(event, options);
    await eventually(async () => {
      const events = await told();
      return happen.every((event) => events.includes(`"${event}"`));
    });
    await trigger('endpoint.failing', options);
    const all = await call(engine, 'GET', '/api/v1/webhooks/events?type=endpoint.failing', {
      key: agency.dashboardKey,
    });
    expect(JSON.stringify(all.body)).toContain('"test":true');
    await expect(trigger('message', { ...options, from: 'Ada' })).rejects.toThrow(
      'from: must be a phone number such as +15550100020',
    );
    await expect(trigger('message.lost', options)).rejects.toThrow(
      'There is no event message.lost: there are message,',
    );
  });

  it('nothing is triggered where the engine does not run on the sandbox that is named, or that one does not answer', async () => {
    const client = new Engine({ url: engine.url, key: agency.scopedKey });
    const other = await startSandbox({ port: 0, apiKey: BACKEND_KEY });
    const refused = /does not use this sandbox, so nothing was triggered/;
    await expect(SandboxPeople.of(client, { url: other.url, key: BACKEND_KEY })).rejects.toThrow(refused);
    await other.close();
    await expect(SandboxPeople.of(client, { url: other.url, key: BACKEND_KEY })).rejects.toThrow(
      `The sandbox at ${other.url} does not answer. Try again, or start its engine (npm start).`,
    );
  });

  it('what is wrong with the words or the engine is one sentence', async () => {
    const commands = [
      new Command('--help'),
      new Command('trigger', 'message', ...flags),
      new Command('listen', '--url', engine.url, '--api-key', 'wrong'),
      new Command('unknown'),
      new Command('rotate-encryption-key', '--url', engine.url, '--psk', PSK),
      new Command('resend', 'evt_1'),
    ];
    const codes = await Promise.all(commands.map((command) => command.ended()));
    expect(codes).toEqual([0, 1, 1, 2, 1, 2]);
    const nothing = new Command('status');
    expect(await nothing.ended()).toBe(3);
    expect(nothing.output).toMatch(/→ Start it \("npm start"/);
    expect(nothing.output).not.toContain('    at ');
    const noTemporal = new Command('temporal', 'workflow', 'list');
    expect(await noTemporal.ended()).toBe(1);
    expect(noTemporal.output).toMatch(/^No engine runs on .*TEMPORAL_ADDRESS\.$/m);
    const [help, noSandbox, wrongKey, unknown, oneKey, nowhere] = commands.map(({ output }) => output);
    expect(help).toContain('engine trigger EVENT');
    expect(noSandbox).toMatch(/there is no sandbox-api-key in .*--sandbox-key\.$/m);
    expect(wrongKey).toContain('The engine answered 401');
    expect(unknown).toContain('There is no "unknown"');
    expect(nowhere).toBe('Name the target: --forward URL.\n"./engine --help" lists the commands.\n');
    expect(oneKey).toContain('ENGINE_ENCRYPTION_KEY_PREVIOUS');
    for (const { output } of commands) expect(output).not.toContain('    at ');
  });

  it('listening goes on with its cursor when the engine was away', async () => {
    const asked: (string | null)[] = [];
    const said: string[] = [];
    const stopping = new AbortController();
    const event = (id: string) => ({
      id,
      type: 'message',
      tenantId: 't1',
      sessionId: null,
      conversationId: null,
      sequence: 1,
      createdAt: new Date().toISOString(),
      test: false,
      body: '{}',
    });
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://engine').searchParams.get('after'));
      if (asked.length === 2) return void request.socket.destroy();
      if (asked.length === 3) return void response.writeHead(503).end();
      const number = asked.length === 1 ? 1 : 2;
      const page = { events: [event(`evt_${number}`)], hasMore: false, nextCursor: `after-${number}` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const client = new Engine({ url, key: 'k' });
    const heard: string[] = [];
    const feed = eventFeed({
      client,
      since: new Date(),
      stopping: stopping.signal,
      say: (line) => void said.push(line),
    });
    for await (const { id } of feed) {
      heard.push(id);
      if (id === 'evt_2') stopping.abort();
    }
    expect(heard).toEqual(['evt_1', 'evt_2']);
    expect(asked).toEqual(['start', 'after-1', 'after-1', 'after-1']);
    expect(said).toEqual([expect.stringContaining('cannot be reached'), 'The engine answers again.']);
    server.closeAllConnections();
    server.close();
  });

  it('npx can run it', async () => {
    // Without the bit, npx that links the clone into its cache could not execute it on a read-only checkout.
    expect((await stat(START)).mode & 0o111).toBe(0o111);
  });
});
