import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const FIELD = fileURLToPath(new URL('../../bin/field.mjs', import.meta.url));

/** Pipes an answer into `field`, as the guides do, and returns all that it prints. */
async function field(answer: string, url: string, ...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [FIELD, url, ...words]);
  child.stdin.end(answer);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'close');
  return (await printed).join('');
}

describe('the command "field" of the guides', () => {
  const NOWHERE = 'http://127.0.0.1:9';

  it('prints a field alone, and the whole response beside it', async () => {
    expect(await field('{"messages":[{"id":"a"}]}', NOWHERE, 'messages.0.id')).toBe(
      `a\n${JSON.stringify({ messages: [{ id: 'a' }] }, null, 2)}\n`,
    );
  });

  it('tells somebody whose engine is stopped to start it', async () => {
    expect(await field('', NOWHERE)).toMatch(/^There is no response.*Is the engine running\? Start it with: npm start/);
  });

  it('does not tell somebody to start an engine that runs, where a guard of the command has struck', async () => {
    const server = createServer((_, response) => void response.end('ok')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await field('', `http://127.0.0.1:${port}`)).toBe('There is no response, for the reason above.\n');
    server.close();
  });

  it('shows only the beginning of what another program answers, and how to find the engine', async () => {
    const page = ['<html>', '<body>', '<h1>Hello</h1>', '<p>and much more</p>'].join('\n');
    const printed = await field(page, NOWHERE);
    expect(printed).toMatch(/Does another program use this address\?.*paste here: eval/);
    expect(printed).not.toContain('much more');
  });
});
