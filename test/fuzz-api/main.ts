import { join } from 'node:path';
import { z } from 'zod';
import { EngineProcess, newMachine, removeMachine } from '../../demo/engine-process.ts';
import { call } from '../../demo/call.ts';
import { findTarget, readFlags } from '../../demo/target.ts';
import type { Target } from '../../demo/target.ts';
import { until } from '../../demo/until.ts';
import { installSchemathesis } from './schemathesis.ts';
import type { Fuzzer } from './schemathesis.ts';

/*
 * Asks a fresh engine everything that its OpenAPI document allows, and much that it forbids: no answer may be a server
 * error, and each must be one that the document describes. The examples and the edges of each schema are tried, which are
 * the same in each run.
 */

const tenantId = 'shop';
const PLENTY = '1000000';
const MAX_SECONDS = 150;

const machine = await newMachine(process.env, {
  // A refusal by the limits would hide what the route itself answers.
  API_RATE_PER_MINUTE: PLENTY,
  API_RATE_BURST: PLENTY,
  API_RATE_PER_MINUTE_OF_AGENCY: PLENTY,
  API_RATE_BURST_OF_AGENCY: PLENTY,
  FAILED_KEYS_PER_MINUTE: PLENTY,
});
try {
  const fuzzer = await installSchemathesis(join(machine.dataDir, 'schemathesis'));
  const engine = await EngineProcess.start(machine);
  try {
    const { dataDir, url: publicUrl, sandboxUrl } = machine;
    const sandboxPort = Number(new URL(sandboxUrl).port);
    await fuzz(await findTarget(readFlags([]), { dataDir, publicUrl, sandboxPort }), fuzzer);
  } finally {
    await engine.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await removeMachine(machine);
}

async function fuzz(target: Target, fuzzer: Fuzzer): Promise<void> {
  const psk = { authorization: `PSK ${target.psk}` };
  // Each has an agency of its own, because the operator may suspend one and replace its keys.
  const [dashboard, operated] = [await connected(target, 'fuzz'), await connected(target, 'fuzz-operated')];
  const runs = [
    { ...dashboard, who: "the dashboard's key", headers: { 'x-api-key': dashboard.key } },
    { ...operated, who: 'the master key and the pre-shared key', headers: { 'x-api-key': target.masterKey, ...psk } },
  ];
  await Promise.all(
    runs.map(async ({ who, headers, agencyId }) => {
      const given = { name: agencyId, parameters: { agencyId, tenantId } };
      const { isClean, output } = await fuzzer({ ...given, url: target.url, headers, maxSeconds: MAX_SECONDS });
      process.stdout.write(`${output}\nWith ${who}: ${isClean ? 'every answer is as described' : 'see above'}.\n`);
      if (!isClean) process.exitCode = 1;
    }),
  );
}

/** An agency with its key, and a session that works. */
async function connected(target: Target, agencyId: string): Promise<{ agencyId: string; key: string }> {
  const key = await registered(target, agencyId);
  const made = await call(target.url, 'POST', '/api/v1/sessions', { key, body: { agencyId, tenantId } });
  const { id } = z.object({ id: z.string() }).parse(made.body);
  await until('the session to be WORKING', async () => {
    const path = `/api/v1/sessions/${id}?agencyId=${agencyId}&tenantId=${tenantId}`;
    const { body } = await call(target.url, 'GET', path, { key });
    return z.object({ status: z.string() }).parse(body).status === 'WORKING';
  });
  return { agencyId, key };
}

async function registered({ url, psk }: Target, agencyId: string): Promise<string> {
  const { body } = await call(url, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${psk}` },
    body: {
      agencyId,
      dashboardName: 'Fuzz',
      dashboardUrl: 'http://127.0.0.1:9/',
      webhookSecret: 'a-secret-of-32-characters-or-more',
    },
  });
  return z.object({ apiKey: z.string() }).parse(body).apiKey;
}
