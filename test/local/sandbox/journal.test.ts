import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aClient, aSandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';

const ANYBODY = '15550100123@c.us';
const MAIN = new URL('../../../local/sandbox/main.ts', import.meta.url).href;

describe('the journal of the sandbox', () => {
  let folder: string;
  let journalPath: string;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    journalPath = join(folder, 'journal.jsonl');
  });

  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** A sandbox in a process of its own, so that it can be killed; its acks are too slow to ever come. */
  const aProcess = async () => {
    const slow = { autoScanAfterMs: 5, ackDelayMs: 60_000, historyDelayMs: 0 };
    const options = { port: 0, apiKey: 'key-of-the-test', journalPath, ...slow };
    const code = `import { startSandbox } from ${JSON.stringify(MAIN)};
      const { url } = await startSandbox(${JSON.stringify(options)});
      process.stdout.write(url);`;
    const started = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const url = await new Promise<string>((resolve) =>
      started.stdout.once('data', (data: Buffer) => resolve(data.toString())),
    );
    const killed = new Promise((resolve) => started.once('exit', resolve));
    return { client: aClient(url), kill: () => started.kill('SIGKILL') && killed };
  };

  it('a killed sandbox comes back with its sessions, messages and sends, and goes on giving acks', async () => {
    const inbox = await aWebhookInbox();
    const first = await aProcess();
    const webhooks = [{ url: inbox.url, events: ['session.status', 'message.ack'] }];
    await first.client.aWorkingSession('shop', { webhooks });
    await first.client.sendText('shop', ANYBODY, 'before the kill', { id: '3EB0BEFORE' });
    const history = await first.client.messagesOf('shop', 'all');
    await first.kill();
    const second = await aSandbox({ journalPath });
    expect((await second.get('/api/sessions/shop')).json()).toMatchObject({ status: 'WORKING' });
    expect((await second.messagesOf('shop', 'all')).map(({ id }) => id)).toEqual(history.map(({ id }) => id));
    const [send] = (await second.record('shop')).sends;
    expect(send).toMatchObject({ networkId: '3EB0BEFORE', reachedNetwork: true });
    const acks = () => inbox.of('message.ack').map(({ payload }) => Number(payload['ack']));
    await eventually('the acks that were pending', () => acks().length === 3);
    expect(new Set(acks())).toEqual(new Set([1, 2, 3]));
    await second.close();
    inbox.close();
  });

  it('a torn last line is cut off and the next fact follows cleanly', async () => {
    const first = await aSandbox({ journalPath });
    await first.aWorkingSession('shop');
    await first.sendText('shop', ANYBODY, 'whole');
    await first.close();
    appendFileSync(journalPath, '{"kind":"message.added","session":"sh');
    const second = await aSandbox({ journalPath });
    await second.sendText('shop', ANYBODY, 'after the tear');
    await second.close();
    for (const line of readFileSync(journalPath, 'utf8').trimEnd().split('\n'))
      expect(() => JSON.parse(line)).not.toThrow();
    const third = await aSandbox({ journalPath });
    expect((await third.messagesOf('shop', ANYBODY)).map(({ body }) => body)).toEqual(['after the tear', 'whole']);
    await third.close();
  });

  it('an unanswered person still answers after a restart, once', async () => {
    const first = await aSandbox({ journalPath, replyDelayMs: 60_000 });
    await first.aWorkingSession('shop');
    await first.sendText('shop', '15550100001@c.us', 'Hello?');
    await first.close();
    const second = await aSandbox({ journalPath });
    const replies = async (from: typeof second) =>
      (await from.messagesOf('shop', '15550100001@c.us')).filter(({ fromMe }) => !fromMe);
    await eventually('the echo', async () => (await replies(second)).length === 1);
    await second.close();
    const third = await aSandbox({ journalPath });
    await third.aWorkingSession('other');
    expect(await replies(third)).toHaveLength(1);
    await third.close();
  });
});
