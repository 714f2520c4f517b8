import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { anAgency, TARGET } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from '../victims/beside.ts';
import { probeSends } from '../victims/send-probe.ts';
import type { Probe } from '../victims/send-probe.ts';

const IMPORTER = 'importer';
const CHATS = 10;
const MESSAGES_EACH = 10_000;
const PER_SECOND = 5;
const SECONDS = 15;
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 200;
const BEGINS_WITHIN_MS = 60_000;

const View = z.object({ state: z.string(), messages: z.number(), messagesPerSecond: z.number() });

/** Measures the sends of an agency while another one's account brings in a past of 100,000 messages. */
export async function syncSends(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  try {
    const victim = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const other = await anAgency(fleet.url, {
      dashboardUrl: 'http://127.0.0.1:9/',
      working: true,
      agencyId: IMPORTER,
    });
    const scene = { machine, url: fleet.url, sessionId: victim.id };
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(scene, { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS });
    await probe('warm', 5);
    const alone = await probe('alone', SECONDS);
    await machine.sandbox('POST', `/sessions/${other.name}/past`, { chats: CHATS, messages: MESSAGES_EACH });
    await ask(fleet.url, other, 'POST', '/sync', { messagesPerChat: MESSAGES_EACH });
    await untilRunning(fleet.url, other);
    const beside = await probe('beside', SECONDS);
    const { state, messages, messagesPerSecond } = await readView(fleet.url, other);
    const path = `sends of an agency beside the import of ${(CHATS * MESSAGES_EACH).toLocaleString('en')} messages`;
    const lost = beside.lost === 0 ? '' : `, ${beside.lost} LOST`;
    const more = `; ${messages.toLocaleString('en')} imported at ${messagesPerSecond} /s, ${state}${lost}`;
    return [besideRow(path, beside.latencies, alone.latencies, more)];
  } finally {
    await fleet.stop();
  }
}

async function untilRunning(url: string, session: BenchSession): Promise<void> {
  const deadline = performance.now() + BEGINS_WITHIN_MS;
  while (performance.now() < deadline) {
    const { state, messages } = await readView(url, session);
    if (state === 'running' && messages > 0) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('The import has not begun.');
}

async function readView(url: string, session: BenchSession): Promise<z.infer<typeof View>> {
  return View.parse(await ask(url, session, 'GET', '/sync'));
}

async function ask(
  url: string,
  { id }: BenchSession,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  const target = { ...TARGET, agencyId: IMPORTER };
  const query = method === 'GET' ? `?${new URLSearchParams(target).toString()}` : '';
  const answer = await fetch(`${url}/api/v1/sessions/${id}${path}${query}`, {
    method,
    headers: { 'x-api-key': MASTER_KEY, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify({ ...target, ...body }) } : {}),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`);
  return answer.json();
}
