import { createBackends } from '../../../adapters/backend/backends.ts';
import type { Backends, Server } from '../../../adapters/backend/backends.ts';
import { clockTroubleOf } from '../../../adapters/backend/calls/clock-skew.ts';
import type { Config } from '../../../config/config.ts';
import type { DatabaseHealth } from '../../../db/operations/database-health.ts';
import { DEFAULT_BACKEND } from '../../../domain/backend-server.ts';
import { reasonOf } from '../../../local/embedded/error-reason.ts';
import { plural } from '../plural.ts';
import { findSandbox } from '../target.ts';
import { ok, problem, unknown, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** Asks each backend what it is, and says which sessions it holds up where it does not answer. */
export async function backendFindings(config: Config, health: DatabaseHealth | null): Promise<Finding[]> {
  const specs = await specsOf(config).catch((error: unknown) => reasonOf(error));
  if (typeof specs === 'string') return [unknown('Backend', `not known here: ${specs}`)];
  const backends = createBackends(specs);
  try {
    const found = await Promise.all(backends.servers.map((server) => about(backends, server, health)));
    return [...found, ...unknownOnes(backends, health)];
  } finally {
    await backends.close();
  }
}

/** Without a backend in the configuration it is the sandbox of `npm start`. */
async function specsOf(config: Config): Promise<Config['backends']> {
  if (config.backends.length > 0) return config.backends;
  const { url, key } = await findSandbox({}, config);
  return [{ id: DEFAULT_BACKEND, url, apiKey: key, weight: 1, engine: null }];
}

async function about(backends: Backends, server: Server, health: DatabaseHealth | null): Promise<Finding> {
  const name = `Backend ${server.id}`;
  const held = health?.backends.find(({ backend }) => backend === server.id);
  // Without the database nobody knows how many there are.
  const sessions =
    health === null ? 'sessions unknown' : `${plural(held?.sessions ?? 0, 'session')}, ${held?.working ?? 0} working`;
  try {
    const { version, platform } = await backends.of({ backend: server.id, name: '' }).capabilities();
    const says = `version ${version ?? 'unknown'}, ${platform ?? 'no engine named'}; ${sessions}`;
    const skew = await server.readClockSkew(Date.now);
    const trouble = skew === null ? undefined : clockTroubleOf(skew);
    return trouble === undefined ? ok(name, says) : warning(name, says, `${trouble}.`);
  } catch (error) {
    return problem(
      name,
      `does not answer as it should: ${reasonOf(error)}; ${sessions}`,
      'Start it, or fix its address and key. Accepted sends of its sessions wait for it.',
    );
  }
}

/** Sessions at a backend that was taken from the configuration go nowhere. */
function unknownOnes({ servers }: Backends, health: DatabaseHealth | null): Finding[] {
  const gone = health?.backends.filter(({ backend }) => !servers.some(({ id }) => id === backend)) ?? [];
  return gone.map(({ backend, sessions }) =>
    problem(
      `Backend ${backend}`,
      `is not in the configuration and has ${plural(sessions, 'session')}`,
      'List it in BACKENDS again, or move its sessions (docs/operate/several-backends.md).',
    ),
  );
}
