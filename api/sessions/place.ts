import type { ApiDeps } from '../deps.ts';
import { listBackendStates } from '../../db/sessions/backend-state.ts';
import { placeOfNewSession } from '../../domain/backend-server.ts';
import { EngineError, invalid } from '../../domain/error.ts';

/** Says which backend holds a session that is to be made: the one that was asked for, else by weight and health. */
export async function placeFor(
  asked: { backend?: string | undefined; adopt?: boolean | undefined },
  { database, backends }: Pick<ApiDeps, 'database' | 'backends'>,
): Promise<string> {
  const { servers } = backends;
  if (asked.backend !== undefined) return requireBackend(asked.backend, backends);
  const [first] = servers;
  if (first && servers.length === 1) return first.id;
  if (asked.adopt === true) {
    throw invalid({ pointer: '/backend', message: `must say which backend has the session: ${listOf(servers)}` });
  }
  const ids = servers.map(({ id }) => id);
  const states = new Map((await database.read((queries) => listBackendStates(queries, ids))).map((s) => [s.id, s]));
  const place = placeOfNewSession(
    servers.map(({ id, weight }) => {
      const state = states.get(id);
      return { id, weight, sessions: state?.sessions ?? 0, isDown: (state?.downSince ?? null) !== null };
    }),
  );
  if (place === undefined) throw new EngineError('backend_unavailable', 'No messaging backend is configured.');
  return place;
}

/** Returns the id if it is that of a configured backend. */
export function requireBackend(id: string, { servers, knows }: ApiDeps['backends']): string {
  if (knows({ backend: id })) return id;
  throw invalid({ pointer: '/backend', message: `must be one of ${listOf(servers)}` });
}

function listOf(servers: ApiDeps['backends']['servers']): string {
  return servers.map(({ id }) => id).join(', ');
}
