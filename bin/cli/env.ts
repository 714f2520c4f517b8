import { chmod, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config/config.ts';
import { CommandError } from './command-error.ts';
import { askJson, NoAnswer } from './ask-json.ts';
import type { JsonAnswer } from './ask-json.ts';
import { guideSecret } from './guide-secret.ts';
import { findOperatorTarget, findSandbox, findTarget } from './target.ts';
import { FIRST_AGENCY } from '../screen/first-steps.ts';

const FIELD = fileURLToPath(new URL('../field.mjs', import.meta.url));

/** The variables that a shell needs for the commands of the guides, and a note for its reader. */
export interface ShellEnvironment {
  /** Lines for `eval`. */
  lines: string[];
  notes: string[];
}

/** Reads addresses and keys of the engine that runs on this data directory. */
export async function shellEnvironment(config: Config): Promise<ShellEnvironment> {
  const { url, key: MASTER } = await findTarget({}, config);
  const { key: PSK } = await findOperatorTarget({}, config);
  await requireRunning(url, MASTER);
  const keyFile = resolve(config.dataDir, 'demo-key');
  const dashboard = await keptKey(keyFile, url);
  const receiver = await chooseReceiverPort({ url, psk: PSK, chosen: config.environment['RECEIVER_PORT'] });
  const sandbox = await findSandbox({}, config).catch((error: unknown) => {
    if (error instanceof CommandError) return null;
    throw error;
  });
  const variables = {
    URL: url,
    MASTER,
    PSK,
    SECRET: await guideSecret(config),
    KEY_FILE: keyFile,
    KEY: dashboard.key ?? '',
    ...(sandbox === null ? {} : { SANDBOX_URL: sandbox.url, SANDBOX_KEY: sandbox.key }),
  };
  const assignments = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return {
    lines: [
      ...assignments,
      `export RECEIVER_PORT="\${RECEIVER_PORT:-${receiver.port}}"`,
      `field() { ${quoted(process.execPath)} ${quoted(FIELD)} "$URL" "$@"; }`,
    ],
    notes: [dashboard.note, receiver.note].filter((note) => note !== null),
  };
}

/** Another engine may have the address while the one of this data directory is stopped. */
async function requireRunning(url: string, masterKey: string): Promise<void> {
  const { ok } = await askJson(`${url}/livez`).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error;
    throw new CommandError(`${url} does not answer: start the engine with npm start in this directory.`);
  });
  if (!ok) throw new CommandError(`${url} answers, but is no engine: another program uses its port.`);
  const { status } = await askJson(`${url}/api/v1/admin/dashboards?limit=1`, { headers: { 'x-api-key': masterKey } });
  if (status !== 401) return;
  throw new CommandError(
    `${url} is the engine of another data directory: start this one with npm start and PORT set to a free port.`,
  );
}

/** The key that the guides' registration keeps here, if the engine still takes it. */
async function keptKey(keyFile: string, url: string): Promise<{ key: string | null; note: string | null }> {
  // The shell that writes the key here may make files that everybody reads; this one is there before.
  await writeFile(keyFile, '', { flag: 'a', mode: 0o600 });
  // An earlier release let the shell make it.
  await chmod(keyFile, 0o600);
  const key = (await readFile(keyFile, 'utf8')).trim();
  if (key === '') {
    return { key: null, note: 'There is no dashboard key yet; step 3 of the README registers one.' };
  }
  const answer = await askJson(`${url}/api/v1/api-keys`, { headers: { 'x-api-key': key } });
  if (answer.ok) return { key, note: null };
  // A dashboard that is suspended, or has asked too often, has the same key later.
  if (answer.status !== 401) {
    return { key, note: `The engine refuses the key in ${keyFile}: ${detailOf(answer)}` };
  }
  return {
    key: null,
    note: `The key in ${keyFile} is no longer valid: register the dashboard again (step 3 of the README). If the encryption key was replaced, restore the former one instead.`,
  };
}

function detailOf({ status, body }: JsonAnswer): string {
  const isProblem = typeof body === 'object' && body !== null && 'detail' in body;
  return isProblem ? String(body.detail) : `it answers ${status}.`;
}

/** Quotes for any POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const USUAL_PORT = '4000';

interface Asked {
  url: string;
  psk: string;
  /** The shell's RECEIVER_PORT, where it has one. */
  chosen: string | undefined;
}

/**
 * Chooses the port of the reader's receiver: the one to which the registered dashboard's events go, so that a new terminal
 * or another day hears them. A shell that has another one is told, because its receiver would hear nothing.
 */
async function chooseReceiverPort({ url, psk, chosen }: Asked): Promise<{ port: string; note: string | null }> {
  const registered = await registeredPort(url, psk);
  const port = registered ?? USUAL_PORT;
  const isElsewhere = registered !== null && chosen !== undefined && chosen !== '' && chosen !== registered;
  return {
    port,
    note: isElsewhere
      ? `RECEIVER_PORT is ${chosen} here, and the dashboard's events go to port ${registered}: unset RECEIVER_PORT and repeat this, or move the dashboard by "PATCH /v1/internal/dashboard/config" (docs/guides/keys-and-tenants.md).`
      : null,
  };
}

async function registeredPort(url: string, psk: string): Promise<string | null> {
  const { ok, body } = await askJson(`${url}/v1/internal/dashboard/config?agencyId=${FIRST_AGENCY}`, {
    headers: { authorization: `PSK ${psk}` },
  });
  const isRegistered = ok && typeof body === 'object' && body !== null && 'dashboardUrl' in body;
  if (!isRegistered || !URL.canParse(String(body.dashboardUrl))) return null;
  const { hostname, port } = new URL(String(body.dashboardUrl));
  return hostname === '127.0.0.1' && port !== '' ? port : null;
}
