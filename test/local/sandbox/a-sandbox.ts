import { z } from 'zod';
import { startSandbox } from '../../../local/sandbox/main.ts';
import type { SandboxOptions } from '../../../local/sandbox/main.ts';
import { eventually } from './eventually.ts';

const KEY = 'key-of-the-test';

const SandboxRecord = z.object({
  sends: z.array(
    z.looseObject({
      session: z.string(),
      route: z.string(),
      chatId: z.string().nullable(),
      body: z.string().nullable(),
      chosenId: z.string().nullable(),
      networkId: z.string().nullable(),
      reachedNetwork: z.boolean(),
      duplicate: z.boolean(),
    }),
  ),
  calls: z.array(z.looseObject({ method: z.string(), path: z.string(), status: z.number().nullable() })),
});

const WaMessage = z.looseObject({
  id: z.string(),
  from: z.string(),
  fromMe: z.boolean(),
  source: z.string(),
  timestamp: z.number(),
  body: z.string(),
  ack: z.number(),
  hasMedia: z.boolean(),
});
const WaMessages = z.array(WaMessage);

/** A sandbox with short delays, and a client that carries its key. */
export async function aSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({
    port: 0,
    apiKey: KEY,
    ackDelayMs: 5,
    replyDelayMs: 10,
    autoScanAfterMs: 5,
    startDelayMs: 5,
    sessionBlockMs: 50,
    historyDelayMs: 0,
    groupsDelayMs: 0,
    ...options,
  });
  return { ...aClient(sandbox.url), close: () => sandbox.close() };
}
export type ASandbox = Awaited<ReturnType<typeof aSandbox>>;

export function aClient(url: string) {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: (): unknown => JSON.parse(text) };
  };
  const get = (path: string) => call('GET', path);
  const post = (path: string, body: unknown = {}) => call('POST', path, body);
  return {
    url,
    call,
    get,
    post,
    /** A session that shows its messages, linked and WORKING. */
    aWorkingSession: async (name: string, config: Record<string, unknown> = {}) => {
      await post('/api/sessions', { name, config: { noweb: { store: { enabled: true } }, ...config } });
      await eventually(`session ${name} works`, async () =>
        (await get(`/api/sessions/${name}`)).text.includes('"WORKING"'),
      );
      return name;
    },
    sendText: (session: string, chatId: string, text: string, more: object = {}) =>
      post('/api/sendText', { session, chatId, text, ...more }),
    messagesOf: async (session: string, chatId: string, query = '') =>
      WaMessages.parse(
        (await get(`/api/${session}/chats/${chatId}/messages?limit=100&downloadMedia=false${query}`)).json(),
      ),
    record: async (session?: string) =>
      SandboxRecord.parse((await get(`/sandbox/record${session ? `?session=${session}` : ''}`)).json()),
  };
}
