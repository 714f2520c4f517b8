import { FIRST_AGENCY } from '../screen/first-steps.ts';
import { askJson } from './ask-json.ts';

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
  const { ok, body } = await askJson(`${url}/v1/internal/dashboard/config?agencyId=${FIRST_AGENCY}`, {
    headers: { authorization: `PSK ${psk}` },
  });
  const isRegistered = ok && typeof body === 'object' && body !== null && 'dashboardUrl' in body;
  if (!isRegistered || !URL.canParse(String(body.dashboardUrl))) return null;
  const { hostname, port } = new URL(String(body.dashboardUrl));
  return hostname === '127.0.0.1' && port !== '' ? port : null;
}
