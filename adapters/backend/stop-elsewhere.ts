import { EngineError } from '../../domain/error.ts';
import type { CallsOf, Server, SessionPlace } from './backends.ts';

interface Everywhere extends CallsOf<'getSession' | 'stopSession'> {
  servers: readonly Pick<Server, 'id'>[];
}

/**
 * Stops a session at every backend but its own, so that its account is not linked twice once it has moved. It is stopped
 * there by hand where that backend does not answer or is not configured any more.
 */
export async function stopElsewhere(backends: Everywhere, session: SessionPlace & { id: string }): Promise<void> {
  for (const { id } of backends.servers) {
    if (id === session.backend) continue;
    const backend = backends.of({ ...session, backend: id });
    try {
      // Another program may own the session of this name, so leave it alone.
      if ((await backend.getSession(session.name))?.sessionId === session.id) await backend.stopSession(session.name);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  }
}
