import type { Backends } from '../../../adapters/backend/backends.ts';
import type { Backend } from '../../../adapters/backend/client.ts';
import { DEFAULT_BACKEND } from '../../../domain/backend-server.ts';

/** Returns a double that serves every session. */
export function everywhere<C>(given: C): { of: () => C } {
  return { of: () => given };
}

/** The backends of an engine that has one, which holds every session. */
export function onlyBackend(backend: Backend): Backends {
  const { listSessions } = backend;
  const ping = () => backend.ping();
  const readStartedAt = (signal?: AbortSignal) => backend.readStartedAt(signal);
  const readClockSkew = (ourTime: () => number) => backend.readClockSkew(ourTime);
  return {
    ...everywhere(backend),
    servers: [{ id: DEFAULT_BACKEND, weight: 1, engine: null, ping, listSessions, readClockSkew, readStartedAt }],
    knows: () => true,
    at: () => ({ url: 'http://127.0.0.1:9', apiKey: null }),
    findPhone: ({ session, lid }) => backend.findPhone({ session: session.name, lid }),
    close: () => backend.close(),
  };
}
