import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { MASTER_KEY, PSK } from './machine.ts';
import type { Post } from './load.ts';

const TARGET = { agencyId: 'bench', tenantId: 'shop' };
const JSON_TYPE = { 'content-type': 'application/json' };
const Session = z.object({ id: z.string(), name: z.string(), status: z.string() });

/** An agency with a session; `working` waits until the sandbox has connected it. */
export async function anAgency(
  url: string,
  options: { dashboardUrl: string; working: boolean },
): Promise<{ id: string; name: string }> {
  await post(
    url,
    '/v1/internal/dashboard/register',
    { authorization: `PSK ${PSK}` },
    {
      agencyId: TARGET.agencyId,
      dashboardName: 'Bench',
      dashboardUrl: options.dashboardUrl,
      webhookSecret: 'bench-webhook-secret-0123456789-0123456789',
    },
  );
  const session = Session.parse(await post(url, '/api/v1/sessions', { 'x-api-key': MASTER_KEY }, TARGET));
  while (options.working) {
    const answer = await fetch(`${url}/api/v1/sessions/status?${new URLSearchParams(TARGET).toString()}`, {
      headers: { 'x-api-key': MASTER_KEY },
    });
    if (Session.parse(await answer.json()).status === 'WORKING') break;
    await pause(50);
  }
  return session;
}

/** The next send: to one of many numbers, clear of the sandbox's magic ones. */
export function sendTo(index: number): Post {
  const body = { ...TARGET, to: `+1555${String(2_001_000 + (index % 8_000))}`, text: `message ${index}` };
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
