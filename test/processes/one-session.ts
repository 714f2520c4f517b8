import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { z } from 'zod';
import type { EngineProcess, Machine } from '../../tools/demo/engine-process.ts';
import { call } from '../support/client.ts';
import { shown } from '../support/engine-process.ts';
import { eventually } from '../support/eventually.ts';

/** The tenant of the only session of a machine. */
export const target = { agencyId: 'demo', tenantId: 'shop' };

/** Connects a session, and returns the dashboard's key. */
export async function connect(machine: Machine, engine: EngineProcess, key: string): Promise<string> {
  const registered = await call(machine, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${shown(engine, 'PSK')}` },
    body: {
      agencyId: 'demo',
      dashboardName: 'Demo',
      dashboardUrl: 'http://127.0.0.1:9/events',
      webhookSecret: 'a-secret-of-at-least-32-characters',
    },
  });
  await call(machine, 'POST', '/api/v1/sessions', { key, body: target });
  const query = new URLSearchParams(target).toString();
  await eventually(
    async () => {
      const { body } = await call(machine, 'GET', `/api/v1/sessions/status?${query}`, { key });
      return body['status'] === 'WORKING';
    },
    { what: 'the session to be WORKING' },
  );
  return String(registered.body['apiKey']);
}

/** Asks the sandbox to do something. */
export function control(machine: Machine, path: string, body: object): Promise<void> {
  return post(machine, `/sandbox${path}`, body);
}

/** Makes a label beside the engine, as a person does at the phone. */
export function makeLabel(machine: Machine, session: string, name: string): Promise<void> {
  return post(machine, `/api/${session}/labels`, { name });
}

async function post(machine: Machine, path: string, body: object): Promise<void> {
  const response = await fetch(machine.sandboxUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': await sandboxKey(machine), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const sandboxKey = async ({ dataDir }: Machine): Promise<string> =>
  (await readFile(join(dataDir, 'sandbox-api-key'), 'utf8')).trim();

const Record = z.object({
  sends: z.array(z.object({ chatId: z.string().nullable(), body: z.string(), reachedNetwork: z.boolean() })),
});

/** Lists the texts that the sandbox's network has taken, once per time; in one chat if it is named. */
export async function reachedNetwork(machine: Machine, chatId?: string): Promise<string[]> {
  const headers = { 'x-api-key': await sandboxKey(machine) };
  const response = await fetch(`${machine.sandboxUrl}/sandbox/record`, { headers });
  const record = Record.parse(await response.json());
  return record.sends
    .filter((sent) => sent.reachedNetwork && (chatId === undefined || sent.chatId === chatId))
    .map(({ body }) => body);
}
