import { Client } from 'pg';
import { z } from 'zod';
import { connectDatabase } from '../../../db/connect.ts';
import type { Database } from '../../../db/engine/database.ts';
import { anAgency, TARGET } from '../agency.ts';
import type { BenchSession } from '../agency.ts';
import { inboundEvent } from '../inbound-event.ts';
import { posts } from '../load.ts';
import { ENCRYPTION_KEY, MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';

const HEADERS = { 'content-type': 'application/json', 'x-api-key': MASTER_KEY };
const LOOK_EVERY_MS = 20;
const WITHIN_MS = 300_000;

/** No bounds of an agency, which this would measure otherwise. */
export const UNBOUNDED = { AUTOMATIONS_RUNNING_OF_AGENCY: '0', AUTOMATIONS_PER_MINUTE_OF_AGENCY: '0' };

/** Makes a request of the operator about an agency, and answers its body. */
export async function ask(url: string, method: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(url + path, { method, headers: HEADERS, body: JSON.stringify({ ...TARGET, ...body }) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

const Made = z.object({ automation: z.string() });

/** Creates a workflow of these tasks for the agency, and answers the name of its automation. */
export async function createWorkflow(url: string, tasks: readonly object[], more: object = {}): Promise<string> {
  const document = { dsl: '1.0.0', namespace: 'bench', name: 'a-workflow', version: '1.0.0' };
  const definition = { document, evaluate: { language: 'cel' }, ...more, do: tasks };
  const body = JSON.stringify({ agencyId: TARGET.agencyId, definition });
  const answer = await fetch(`${url}/api/v1/workflows`, { method: 'POST', headers: HEADERS, body });
  if (!answer.ok) throw new Error(`The workflow was refused with ${answer.status}: ${await answer.text()}`);
  return Made.parse(await answer.json()).automation;
}

/** Makes an agency with a connected session and as many conversations with people who have written. */
export async function aTalkingAgency(
  url: string,
  database: Client,
  { people, agencyId = TARGET.agencyId }: { people: number; agencyId?: string },
): Promise<{ session: BenchSession; conversations: string[] }> {
  const session = await anAgency(url, { dashboardUrl: 'http://127.0.0.1:9/', working: true, agencyId });
  let index = 0;
  await posts(url, people, () => inboundEvent(session.name, index++));
  const conversations = await until(async () => {
    const { rows } = await database.query<{ id: string }>(
      'select id from conversation where session_id = $1 and last_message_id is not null order by id',
      [session.id],
    );
    return rows.length >= people ? rows.map(({ id }) => id) : null;
  });
  return { session, conversations };
}

const Run = z.object({ id: z.string() });

/** Begins a run by a request; answers its id. */
export async function begin(url: string, body: object): Promise<string> {
  return Run.parse(await ask(url, 'POST', '/api/v1/automation-executions', body)).id;
}

/** Waits for a run's first step, and answers how long after its trigger it began, by the rows' own times. */
export async function firstStepAfterMs(database: Client, id: string): Promise<number> {
  return until(async () => {
    const { rows } = await database.query<{ ms: number }>(
      `select (extract(epoch from s.started_at - e.created_at) * 1000)::float8 as ms from automation_execution e
      join automation_step s on s.execution_id = e.id and s.number = 1 where e.id = $1`,
      [id],
    );
    return rows[0]?.ms ?? null;
  });
}

export async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const last = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > last) throw new Error('What the bench waits for has not come.');
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

export async function openClient(machine: Machine): Promise<Client> {
  const client = new Client({ connectionString: machine.databaseUrl });
  await client.connect();
  return client;
}

/** The engine's own door to the database, for what would take long through the API. */
export function openDatabase({ databaseUrl: url }: Machine): Promise<Database> {
  return connectDatabase({
    url,
    directUrl: url,
    encryptionKey: ENCRYPTION_KEY,
    webhooks: { publicUrl: 'http://127.0.0.1:9', timeoutMs: 1_000 },
    poolSize: 2,
    applicationName: 'bench',
    onError: () => undefined,
  });
}
