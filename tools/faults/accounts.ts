import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { call } from '../demo/call.ts';
import type { Machine } from '../demo/engine-process.ts';
import type { SandboxControl } from '../demo/sandbox-control.ts';
import { until } from '../demo/until.ts';

/** A tenant with one session, and the key that sends from it. */
export interface Account {
  session: string;
  engine: (typeof ENGINES)[number];
  key: string;
  /** Reads the session's status from the engine. */
  status(): Promise<string>;
}

const AGENCY = 'faults';
/** These engines answer sends differently. NOWEB shows buttons natively, and GOWS gets numbered text. */
const ENGINES = ['NOWEB', 'GOWS'] as const;

const Session = z.object({ name: z.string(), status: z.string() });
const WithKey = z.object({ apiKey: z.string() });

/** Registers a dashboard and connects an account of each engine. */
export async function connectAccounts(
  machine: Machine,
  sandbox: SandboxControl,
  dashboard: { dashboardUrl: string; webhookSecret: string },
): Promise<Account[]> {
  const psk = (await readFile(join(machine.dataDir, 'internal-psk'), 'utf8')).trim();
  const registered = await call(machine.url, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${psk}` },
    body: { agencyId: AGENCY, dashboardName: 'Faults', ...dashboard },
  });
  const { apiKey } = WithKey.parse(registered.body);
  return Promise.all(ENGINES.map((engine) => connect(machine, sandbox, apiKey, engine)));
}

async function connect(
  machine: Machine,
  sandbox: SandboxControl,
  key: string,
  engine: Account['engine'],
): Promise<Account> {
  const { url } = machine;
  const tenant = { agencyId: AGENCY, tenantId: engine.toLowerCase() };
  const query = new URLSearchParams(tenant).toString();
  const look = async () => Session.parse((await call(url, 'GET', `/api/v1/sessions/status?${query}`, { key })).body);
  await call(url, 'POST', '/api/v1/sessions', { key, body: tenant });
  const session = await until('a QR code', async () => {
    const { name, status } = await look();
    return status === 'SCAN_QR_CODE' && name;
  });
  await sandbox.account(session, 'engine', { engine });
  await sandbox.account(session, 'scan');
  const made = await call(url, 'POST', '/api/v1/api-keys', { key, body: { ...tenant, name: 'faults' } });
  const status = async (): Promise<string> => (await look()).status;
  await until('the session to be WORKING', async () => (await status()) === 'WORKING');
  return { session, engine, key: WithKey.parse(made.body).apiKey, status };
}
