import { join } from 'node:path';
import { z } from 'zod';
import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import { call } from '../demo/call.ts';
import { findTarget, readFlags } from '../demo/target.ts';
import type { Target } from '../demo/target.ts';
import { until } from '../demo/until.ts';
import { installSchemathesis } from './schemathesis.ts';
import type { Fuzzer } from './schemathesis.ts';

/*
 * Asks a fresh engine everything that its OpenAPI document allows, and much that it forbids: no answer may be a server
 * error, and each must be one that the document describes. The examples and the edges of each schema are tried, which are
 * the same in each run. Requests that would be held for seconds are answered at once.
 */

const tenantId = 'shop';
const PLENTY = '1000000';
/** Only for what hangs: everything takes two minutes where nothing else runs. */
const MAX_SECONDS = 540;
/** `wait` and `Prefer: wait` are what holds an answer, and the examples ask for it. */
const AT_ONCE = { 'query.wait': 0, 'header.Prefer': 'respond-async' };
/** Most of what is asked is asked with a dashboard's key; in two halves it takes both processors of a small machine. */
const FIRST_HALF = '^/api/v1/[a-l]';
const SECOND_HALF = '^/(?!api/v1/[a-l])';

const machine = await newMachine(process.env, {
  // A refusal by the limits would hide what the route itself answers.
  API_RATE_PER_MINUTE: PLENTY,
  API_RATE_BURST: PLENTY,
  API_RATE_PER_MINUTE_OF_AGENCY: PLENTY,
  API_RATE_BURST_OF_AGENCY: PLENTY,
  FAILED_KEYS_PER_MINUTE: PLENTY,
  PUBLIC_RATE_PER_MINUTE: PLENTY,
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
  const [first, second] = [await connected(target, 'fuzz-first'), await connected(target, 'fuzz-second')];
  const bound = await connected(target, 'fuzz-bound');
  const operated = await connected(target, 'fuzz-operated');
  const runs = [
    // With objects that there are, so that not everything ends at "not found".
    { ...first, who: "a dashboard's key", headers: { 'x-api-key': first.key }, onlyPaths: FIRST_HALF },
    { ...second, who: "another dashboard's key", headers: { 'x-api-key': second.key }, onlyPaths: SECOND_HALF },
    // Schemas refuse first, before the key is checked, so these cases have run already.
    {
      ...bound,
      who: "a session's key",
      headers: { 'x-api-key': await keyOfSession(target, bound) },
      objects: {},
      onlyValid: true,
    },
    {
      ...operated,
      who: "the operator's secrets",
      headers: { 'x-api-key': target.masterKey, ...psk },
      objects: {},
      onlyPaths: '^/(?:v1/internal|api/v1/admin)/',
    },
  ];
  await Promise.all(
    runs.map(async ({ who, agencyId, objects, ...run }) => {
      const parameters = { agencyId, tenantId, ...objects, ...AT_ONCE };
      const given = { ...run, name: agencyId, url: target.url, parameters, maxSeconds: MAX_SECONDS };
      const { isClean, output } = await fuzzer(given);
      const [, cases = '0'] = /(\d+) generated/.exec(output) ?? [];
      process.stdout.write(
        isClean ? `With ${who}: ${cases} requests, every answer is as described.\n` : `${output}\nThat was ${who}.\n`,
      );
      if (!isClean) process.exitCode = 1;
    }),
  );
}

interface Connected {
  agencyId: string;
  key: string;
  sessionId: string;
  /** Objects of the agency by the names of the parameters that take them. */
  objects: Record<string, string>;
}

/** An agency with its key, a session that works, and a conversation with a message. */
async function connected(target: Target, agencyId: string): Promise<Connected> {
  const key = await registered(target, agencyId);
  const made = await call(target.url, 'POST', '/api/v1/sessions', { key, body: { agencyId, tenantId } });
  const { id: sessionId } = z.object({ id: z.string() }).parse(made.body);
  await until('the session to be WORKING', async () => {
    const path = `/api/v1/sessions/${sessionId}?agencyId=${agencyId}&tenantId=${tenantId}`;
    const { body } = await call(target.url, 'GET', path, { key });
    return z.object({ status: z.string() }).parse(body).status === 'WORKING';
  });
  const send = { agencyId, tenantId, to: '+15550100123', text: 'Hello' };
  const sent = await call(target.url, 'POST', '/api/v1/messages/send', { key, body: send });
  const objects = z.object({ conversationId: z.string(), contactId: z.string(), messageId: z.string() });
  return { agencyId, key, sessionId, objects: objects.parse(sent.body) };
}

async function keyOfSession({ url }: Target, { agencyId, key, sessionId }: Connected): Promise<string> {
  const body = { agencyId, tenantId, sessionId, name: 'Fuzz' };
  const { body: made } = await call(url, 'POST', '/api/v1/api-keys', { key, body });
  return z.object({ apiKey: z.string() }).parse(made).apiKey;
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
