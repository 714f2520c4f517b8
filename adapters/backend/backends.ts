import type { BackendServer } from '../../domain/backend-server.ts';
import { EngineError } from '../../domain/error.ts';
import { createBackend } from './client.ts';
import type { Backend } from './client.ts';

/** Names a session and the backend that holds it; a row of the session's table fits. */
export interface SessionPlace {
  backend: string;
  name: string;
}

/** The calls for a session: those of a whole server are left out. */
export type SessionCalls = Omit<Backend, 'ping' | 'listSessions' | 'readStartedAt' | 'close'>;

/** Gives the calls of the backend that holds a session. Nobody gets at a backend without naming the session. */
export interface CallsOf<C extends keyof SessionCalls = keyof SessionCalls> {
  of(session: SessionPlace): Pick<SessionCalls, C>;
}

/** A server, for what concerns no session. */
export interface Server extends Pick<Backend, 'ping' | 'listSessions' | 'readClockSkew' | 'readStartedAt'> {
  id: string;
  weight: number;
  engine: string | null;
}

export interface Backends extends CallsOf {
  /** The configured servers, in their order. */
  servers: readonly Server[];
  /** False when the session's backend was taken from the configuration: nothing of the session goes anywhere then. */
  knows: (session: Pick<SessionPlace, 'backend'>) => boolean;
  /** Returns the server that receives requests for the session. */
  at(session: SessionPlace): Pick<BackendServer, 'url' | 'apiKey'>;
  findPhone: (hidden: { session: SessionPlace; lid: string }) => Promise<string | null>;
  /** Breaks the calls in flight; sends among them end as unknown. */
  close(): Promise<void>;
}

/** Connects to every server, each by connections of its own, so that one that hangs holds up no other. */
export function createBackends(specs: readonly BackendServer[]): Backends {
  const backends = new Map(specs.map((spec) => [spec.id, { spec, backend: createBackend(optionsOf(spec)) }]));

  function find({ backend }: Pick<SessionPlace, 'backend'>) {
    const found = backends.get(backend);
    if (found) return found;
    const detail = `The session is at the messaging backend "${backend}", which the engine's configuration lacks.`;
    throw new EngineError('backend_unavailable', detail);
  }

  return {
    servers: [...backends.values()].map(({ spec: { id, weight, engine }, backend }) => ({
      id,
      weight,
      engine,
      ping: () => backend.ping(),
      listSessions: backend.listSessions,
      readStartedAt: backend.readStartedAt,
      readClockSkew: (ourTime) => backend.readClockSkew(ourTime),
    })),
    of: (session) => find(session).backend,
    knows: ({ backend }) => backends.has(backend),
    at: (session) => find(session).spec,
    findPhone: async ({ session, lid }) => find(session).backend.findPhone({ session: session.name, lid }),
    async close() {
      await Promise.all([...backends.values()].map(({ backend }) => backend.close()));
    },
  };
}

function optionsOf({ url, apiKey, engine }: BackendServer) {
  return { baseUrl: url, apiKey, engine };
}
