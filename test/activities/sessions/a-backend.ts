import type { NetworkChat, NetworkMessage } from '../../../domain/network/network-event.ts';
import { pageOf } from '../../support/network-message.ts';
import type { BackendSession } from '../../../adapters/backend/calls/sessions.ts';
import type { SessionSpec } from '../../../adapters/backend/calls/session-settings.ts';
import { EngineError } from '../../../domain/error.ts';

/** A backend with these sessions, which notes what it is asked to change. */
export function aBackend() {
  const sessions = new Map<string, BackendSession>();
  const changes: string[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  let refusal: EngineError | null = null;
  const change = async (verb: string, name: string, status: string): Promise<BackendSession> => {
    changes.push(verb);
    if (refusal !== null) throw refusal;
    const known = sessions.get(name);
    if (!known) throw new EngineError('not_found', 'It has no such session.');
    const changed = { ...known, status };
    sessions.set(name, changed);
    return changed;
  };
  const make = async ({ name, sessionId }: SessionSpec): Promise<BackendSession> => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    changes.push('create');
    const made = { name, sessionId, status: 'WORKING', me: null, platform: null, restriction: null, newChats: null };
    sessions.set(name, made);
    return made;
  };
  return {
    sessions,
    changes,
    mostUnderWay: () => mostUnderWay,
    refuses: (code: 'backend_unavailable' | 'backend_error' | null) =>
      void (refusal = code && new EngineError(code, 'It does nothing.')),
    backend: {
      createSession: make,
      ensureSession: async (spec: SessionSpec) => sessions.get(spec.name) ?? make(spec),
      getSession: async (name: string) => sessions.get(name) ?? null,
      startSession: (name: string) => change('start', name, 'STARTING'),
      stopSession: async (name: string) => void (await change('stop', name, 'STOPPED')),
      restartSession: (name: string) => change('restart', name, 'STARTING'),
      logoutSession: (name: string) => change('logout', name, 'SCAN_QR_CODE'),
      deleteSessionKey: () => Promise.resolve(),
      listChats: () => Promise.resolve(pageOf<NetworkChat>([])),
      listMessages: () => Promise.resolve(pageOf<NetworkMessage>([])),
      deleteSession: async (name: string) => {
        changes.push('delete');
        sessions.delete(name);
      },
    },
  };
}
