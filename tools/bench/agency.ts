import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { MASTER_KEY, PSK } from './machine.ts';
import type { Post } from './load.ts';

export const TARGET = { agencyId: 'bench', tenantId: 'shop' };
const JSON_TYPE = { 'content-type': 'application/json' };
const Session = z.object({ id: z.string(), name: z.string(), status: z.string() });
const Key = z.object({ apiKey: z.string() });

export type BenchSession = z.infer<typeof Session>;

/** Makes an agency with a session; with `working` it waits until the sandbox has connected the session. */
export async function anAgency(
  url: string,
  { agencyId = TARGET.agencyId, ...options }: { dashboardUrl: string; working: boolean; agencyId?: string },
): Promise<BenchSession> {
  const target = { ...TARGET, agencyId };
  await post(
    url,
    '/v1/internal/dashboard/register',
    { authorization: `PSK ${PSK}` },
    {
      agencyId,
      dashboardName: 'Bench',
      dashboardUrl: options.dashboardUrl,
      webhookSecret: 'bench-webhook-secret-0123456789-0123456789',
    },
  );
  const session = Session.parse(await post(url, '/api/v1/sessions', { 'x-api-key': MASTER_KEY }, target));
  if (options.working) await untilWorking(url, session, target);
  return session;
}

/** Adds a connected session to the agency. */
export async function aSession(url: string, name: string): Promise<BenchSession> {
  const session = Session.parse(await post(url, '/api/v1/sessions', { 'x-api-key': MASTER_KEY }, { ...TARGET, name }));
  await untilWorking(url, session);
  return session;
}

/** Makes a key that is bound to the session. */
export async function aKeyOf(url: string, { id }: BenchSession): Promise<string> {
  const body = { ...TARGET, sessionId: id, name: 'bench' };
  return Key.parse(await post(url, '/api/v1/api-keys', { 'x-api-key': MASTER_KEY }, body)).apiKey;
}

/** Waits until the sandbox has connected the session. */
export async function untilWorking(url: string, session: BenchSession, target = TARGET): Promise<void> {
  await untilStatus(url, session, 'WORKING', target);
}

async function untilStatus(url: string, session: BenchSession, wanted: string, target = TARGET): Promise<void> {
  const query = new URLSearchParams({ ...target, session: session.id });
  for (;;) {
    const answer = await fetch(`${url}/api/v1/sessions/status?${query.toString()}`, {
      headers: { 'x-api-key': MASTER_KEY },
    });
    const { status } = Session.parse(await answer.json());
    if (status === wanted) return;
    if (status === 'FAILED') throw new Error('The session failed, so nothing can be measured with it.');
    await pause(50);
  }
}

/** The last four digits of these numbers are no magic numbers of the sandbox. */
const NUMBERS_OF_A_BLOCK = 8_000;
const BLOCK = 10_000;

/** Makes the next send, to a number of its own. */
export function sendTo(index: number, more: object = {}): Post {
  const block = Math.floor(index / NUMBERS_OF_A_BLOCK) * BLOCK;
  const to = `+1555${String(2_001_000 + block + (index % NUMBERS_OF_A_BLOCK))}`;
  const body = { ...TARGET, to, text: `message ${index}`, ...more };
  return {
    path: '/api/v1/messages/send',
    headers: { ...JSON_TYPE, 'x-api-key': MASTER_KEY },
    body: JSON.stringify(body),
  };
}

async function post(url: string, path: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return answer.json();
}
