import { Pool } from 'undici';
import { sendTo, TARGET } from '../agency.ts';
import type { Meter } from '../fleet/meter.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';

/** One tenant of ten has quiet hours, which last the whole day but a minute. */
const QUIET_EVERY = 10;
const QUIET_HOURS = { from: '00:00', to: '23:59' };
const AT_ONCE = 16;
const KEY = { 'content-type': 'application/json', 'x-api-key': MASTER_KEY };

const tenantOf = (index: number): string => `shop-${index}`;
const isQuiet = (index: number): boolean => index % QUIET_EVERY === 0;

/**
 * Makes tenants with an endpoint each by the API, all of one agency, so that each change is matched with all of them. A
 * tenth of them has quiet hours.
 */
export async function makeTenants(url: string, receiverUrl: string, count: number): Promise<void> {
  await requests(url, count, (index) => ({
    method: 'PUT',
    path: `/api/v1/tenants/${tenantOf(index)}/settings`,
    body: {
      agencyId: TARGET.agencyId,
      webhookUrl: receiverUrl,
      quietHours: isQuiet(index) ? QUIET_HOURS : null,
    },
  }));
}

/**
 * Adds idle sessions, spread over the tenants, until there are `to`. They are rows and sessions of the sandbox that
 * work; no supervisor follows them, because ten thousand executions take minutes to start. Each session in quiet hours
 * gets a message that waits for their end.
 */
export async function makeSessions(
  { machine, meter, url }: { machine: Machine; meter: Meter; url: string },
  { from, to, tenants }: { from: number; to: number; tenants: number },
): Promise<void> {
  await requests(machine.sandboxUrl, to - from, (offset) => ({
    method: 'POST',
    path: '/api/sessions',
    body: { name: nameOf(from + offset), start: false },
    headers: machine.sandboxHeaders,
  }));
  await requests(machine.sandboxUrl, to - from, (offset) => ({
    method: 'POST',
    path: `/sandbox/sessions/${nameOf(from + offset)}/status`,
    body: { status: 'WORKING' },
    headers: machine.sandboxHeaders,
  }));
  await meter.query(
    `with made as (
       insert into session (id, agency_id, tenant_id, name, is_default, status, supervised_at, look_asked_at)
       select 'ses_scale_' || n, $1, 'shop-' || n % $4::int, 'scale_' || n, n < $4::int, 'WORKING',
         now() + interval '1 year', now() + interval '2 years'
       from generate_series($2::int, $3::int - 1) n returning id
     ), sequences as (
       insert into session_sequence (session_id) select id from made
     )
     insert into session_pace (session_id, first_connected_at) select id, now() - interval '30 days' from made`,
    [TARGET.agencyId, from, to, tenants],
  );
  const quiet = Array.from({ length: to - from }, (_, offset) => from + offset).filter((index) =>
    isQuiet(index % tenants),
  );
  await requests(url, quiet.length, (offset) => {
    const index = quiet[offset] ?? 0;
    const session = { tenantId: tenantOf(index % tenants), session: `ses_scale_${index}` };
    const { path, body } = sendTo(offset, { ...session, priority: 'bulk' });
    return { method: 'POST', path, body };
  });
}

const nameOf = (index: number): string => `scale_${index}`;

interface Asked {
  method: 'PUT' | 'POST';
  path: string;
  body: object | string;
  headers?: Record<string, string>;
}

/** Makes `count` requests, a few at a time; an answer that is not 2xx ends the bench. */
async function requests(url: string, count: number, ask: (index: number) => Asked): Promise<void> {
  const pool = new Pool(url, { connections: AT_ONCE, pipelining: 1 });
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const { method, path, body, headers = KEY } = ask(next++);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await pool.request({ method, path, headers, body: text });
      const said = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${said.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  await pool.close();
}
