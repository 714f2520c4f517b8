import type { ApiDeps } from '../deps.ts';
import { listBackendStates } from '../../db/sessions/backend-state.ts';
import { placeOfNewSession } from '../../domain/backend-server.ts';
import { EngineError, invalid } from '../../domain/error.ts';

interface Asked {
  backend?: string | undefined;
  engine?: string | undefined;
  adopt?: boolean | undefined;
}

/** Says which backend holds a session that is to be made: the one that was asked for, else by engine, weight and health. */
export async function placeFor(
  { backend, engine, adopt = false }: Asked,
  { database, backends }: Pick<ApiDeps, 'database' | 'backends'>,
): Promise<string> {
  const fitting = backends.servers.filter((server) => engine === undefined || server.engine === engine);
  if (backend !== undefined) {
    requireBackend(backend, backends);
    if (fitting.some(({ id }) => id === backend)) return backend;
    throw noSuchEngine(backends.servers);
  }
  const [first] = fitting;
  if (first === undefined && engine !== undefined) throw noSuchEngine(backends.servers);
  if (first && fitting.length === 1) return first.id;
  if (adopt) {
    throw invalid({ pointer: '/backend', message: `must say which backend has the session: ${listOf(fitting)}` });
  }
  const ids = fitting.map(({ id }) => id);
  const states = new Map((await database.read((queries) => listBackendStates(queries, ids))).map((s) => [s.id, s]));
  const place = placeOfNewSession(
    fitting.map(({ id, weight }) => {
      const state = states.get(id);
      return { id, weight, sessions: state?.sessions ?? 0, isDown: (state?.downSince ?? null) !== null };
    }),
  );
  if (place === undefined) throw new EngineError('backend_unavailable', 'No messaging backend is configured.');
  return place;
}

/** Says which engines there are to choose from. */
function noSuchEngine(servers: ApiDeps['backends']['servers']): EngineError {
  const engines = [...new Set(servers.flatMap(({ engine }) => engine ?? []))];
  return invalid({
    pointer: '/engine',
    message: engines.length > 0 ? `must be one of ${engines.join(', ')}` : 'is not named by any backend: omit it',
  });
}

/** Returns the id if it is that of a configured backend. */
export function requireBackend(id: string, { servers, knows }: ApiDeps['backends']): string {
  if (knows({ backend: id })) return id;
  throw invalid({ pointer: '/backend', message: `must be one of ${listOf(servers)}` });
}

function listOf(servers: ApiDeps['backends']['servers']): string {
  return servers.map(({ id }) => id).join(', ');
}
