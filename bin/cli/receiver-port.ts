import { Engine, EngineError } from '../../sdk/typescript/src/index.ts';
import { FIRST_AGENCY } from '../screen/first-steps.ts';

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
export async function chooseReceiverPort({ url, psk, chosen }: Asked): Promise<{ port: string; note: string | null }> {
  const registered = await registeredPort(url, psk);
  const port = registered ?? USUAL_PORT;
  const isElsewhere = registered !== null && chosen !== undefined && chosen !== '' && chosen !== registered;
  return {
    port,
    note: isElsewhere
      ? `RECEIVER_PORT is ${chosen} here, and the dashboard's events go to port ${registered}: unset RECEIVER_PORT and repeat this, or move the dashboard by "PATCH /v1/internal/dashboard/config" (docs/dashboards.md).`
      : null,
  };
}

async function registeredPort(url: string, psk: string): Promise<string | null> {
  const client = new Engine({ url, psk, retries: 0 });
  const registered = await client.dashboards.read({ agencyId: FIRST_AGENCY }).catch((error: unknown) => {
    if (error instanceof EngineError && error.status > 0) return null;
    throw error;
  });
  if (registered === null) return null;
  const { hostname, port } = new URL(registered.dashboardUrl);
  return hostname === '127.0.0.1' && port !== '' ? port : null;
}
