import { olderHistory } from '../history/older-history.ts';
import type { Fact } from './fact.ts';
import type { Session } from './session.ts';

type SessionFact = Exclude<Fact, { kind: 'send.received' | 'send.duplicate' }>;

/** How a fact changes the sessions themselves; what happens inside an account is in apply-to-account. */
export function applyToSession(sessions: Map<string, Session>, fact: SessionFact): void {
  if (fact.kind === 'session.saved') {
    const known = sessions.get(fact.session);
    if (known) known.config = fact.config;
    else sessions.set(fact.session, newSession(fact.session, fact.config));
    return;
  }
  if (fact.kind === 'session.deleted') {
    sessions.delete(fact.session);
    return;
  }
  const session = sessions.get(fact.session);
  if (!session) return;
  switch (fact.kind) {
    case 'session.status':
      session.status = fact.status;
      // The real backend tells the last three.
      session.statuses = [...session.statuses, { status: fact.status, timestamp: fact.at }].slice(-3);
      return;
    case 'session.linked':
      session.linked = true;
      session.account ??= olderHistory(fact.session, fact.seed, fact.at);
      return;
    case 'session.unlinked':
      session.linked = false;
      return;
    case 'session.engine':
      session.engine = fact.engine;
      return;
    case 'session.restricted':
      session.restrictedUntil = fact.until;
      return;
  }
}

function newSession(name: string, config: Session['config']): Session {
  return {
    name,
    config,
    engine: undefined,
    status: 'STOPPED',
    statuses: [],
    linked: false,
    restrictedUntil: 0,
    account: undefined,
  };
}
