import { EngineProcess, newMachine, removeMachine } from '../demo/engine-process.ts';
import type { Machine } from '../demo/engine-process.ts';
import { findTarget, readFlags } from '../demo/target.ts';
import { until } from '../demo/until.ts';
import { Engine } from '../../packages/typescript/src/index.ts';

const AGENCY = 'clients';
const TENANT = 'shop';

/** An engine of its own, with an agency whose account works. */
export interface Ground {
  url: string;
  /** The dashboard's key. */
  key: string;
  tenantId: string;
  sessionId: string;
  /** For files; it is deleted at the end. */
  directory: string;
}

/**
 * Starts an engine for a client and ends it again. The client's packages are fetched before that, in `prepare`. Says
 * what went wrong, with exit code 1.
 */
export async function tryClient<T>(
  prepare: (directory: string) => Promise<T>,
  act: (ground: Ground, prepared: T) => Promise<void>,
): Promise<void> {
  const machine = await newMachine(process.env);
  try {
    const prepared = await prepare(machine.dataDir);
    const engine = await EngineProcess.start(machine);
    try {
      await act(await groundOf(machine), prepared);
    } finally {
      await engine.stop();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await removeMachine(machine);
  }
}

async function groundOf({ dataDir, url, sandboxUrl }: Machine): Promise<Ground> {
  const sandboxPort = Number(new URL(sandboxUrl).port);
  const { psk } = await findTarget(readFlags([]), { dataDir, publicUrl: url, sandboxPort });
  const { apiKey: key } = await new Engine({ url, psk }).dashboards.register({
    agencyId: AGENCY,
    dashboardName: 'Clients',
    // Nothing listens there: what a client hears it asks for.
    dashboardUrl: 'http://127.0.0.1:9/',
    webhookSecret: 'a-secret-of-32-characters-or-more',
  });
  const engine = new Engine({ url, key, tenantId: TENANT });
  const { id: sessionId } = await engine.sessions.create();
  await until('the session to be WORKING', async () => (await engine.sessions.read(sessionId)).status === 'WORKING');
  return { url, key, tenantId: TENANT, sessionId, directory: dataDir };
}
