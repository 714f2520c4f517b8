import { Pool } from 'pg';
import { z } from 'zod';
import { anAgency, TARGET } from './agency.ts';
import type { BenchSession } from './agency.ts';
import { MASTER_KEY } from './machine.ts';
import type { Machine } from './machine.ts';

const Record = z.object({
  sends: z.array(
    z.object({
      at: z.union([z.number(), z.string()]),
      chatId: z.string().nullable(),
      body: z.string().nullable(),
      reachedAtS: z.number().nullable(),
    }),
  ),
});

/** A message as the sandbox saw it arrive, in milliseconds since 1970. */
export interface Arrival {
  atMs: number;
  /**
   * The time at which the network had the message, rounded down to the second; later than `atMs` when the backend was
   * slow.
   */
  reachedMs: number;
  chatId: string;
  body: string;
}

/** Turns on the tenant's agent, which answers at once; `persona` sets the other fields. */
export async function agentOn(url: string, persona: object = {}): Promise<void> {
  const still = { quietPeriodMs: 0, maxWaitMs: 0, splitReplies: false, extractMemories: false };
  const unlimited = { maxRepliesPerContactPerHour: 0, maxTokensPerContactPerDay: 0, maxTokensPerDay: 0 };
  await put(url, 'persona', { ...still, ...unlimited, ...persona });
  await put(url, 'state', { enabled: true, mode: 'bot_active' });
}

async function put(url: string, what: 'persona' | 'state', body: object): Promise<void> {
  const answer = await fetch(`${url}/api/v1/ai-sales-agent/${what}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ ...TARGET, ...body }),
  });
  if (!answer.ok) throw new Error(`The agent's ${what} was answered ${answer.status}: ${await answer.text()}`);
}

/** Lets a contact write to the session's account. */
export async function personWrites(machine: Machine, session: string, from: string, text: string): Promise<void> {
  await machine.sandbox('POST', `/sessions/${session}/inbound`, { from, text });
}

export async function arrivals(machine: Machine, session: string): Promise<Arrival[]> {
  const { sends } = Record.parse(await machine.sandbox('GET', `/record?session=${session}`));
  return sends.map(({ at, chatId, body, reachedAtS }) => ({
    atMs: new Date(at).getTime(),
    reachedMs: (reachedAtS ?? 0) * 1_000,
    chatId: chatId ?? '',
    body: body ?? '',
  }));
}

/** Opens a pool on the engine's database; the caller ends the pool. */
export interface AgentScene {
  /** The engine's address. */
  url: string;
  database: Pool;
  session: BenchSession;
  /** Counts the times that the engine has taken Temporal for down. */
  outages: () => number;
}

/** Measures a whole engine on a new database, with a session that works and the tenant's agent on. */
export async function withAgent<T>(
  machine: Machine,
  measure: (scene: AgentScene) => Promise<T>,
  start = () => machine.startEngine('all'),
): Promise<T> {
  await machine.newSeries();
  const engine = await start();
  const database = databaseOf(machine);
  try {
    const session = await anAgency(engine.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    await agentOn(engine.url);
    return await measure({ url: engine.url, database, session, outages: engine.outages });
  } finally {
    await database.end();
    await engine.stop();
  }
}

export function databaseOf(machine: Machine): Pool {
  return new Pool({ connectionString: machine.databaseUrl });
}
