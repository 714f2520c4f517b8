import { fileURLToPath } from 'node:url';
import { tryClient } from '../ground.ts';
import { makePythonClient, python } from './generate.ts';

/*
 * Has a generator that knows nothing of this project make a client in Python from openapi.json, without a warning, and asks a
 * fresh engine with it. Its classes read each answer by the schemas of the document, so a field that is missing, or a word
 * that no list has, ends it.
 */

/** Only for what hangs. */
const ASKED_WITHIN_MS = 180_000;
const SMOKE = fileURLToPath(new URL('smoke.py', import.meta.url));

await tryClient(makePythonClient, async ({ url, key, tenantId, sessionId }, { client, packages }) => {
  const asked = { ENGINE_URL: url, ENGINE_KEY: key, TENANT_ID: tenantId, SESSION_ID: sessionId };
  const { ok, output } = await python([SMOKE], { PYTHONPATH: `${packages}:${client}`, ...asked }, ASKED_WITHIN_MS);
  if (!ok) throw new Error(output);
  process.stdout.write(output);
});
