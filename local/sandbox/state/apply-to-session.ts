import { newAccount } from '../history/account.ts';
import { addOlderHistory } from '../history/older-history.ts';
import type { Fact } from './fact.ts';
import type { Session } from './session.ts';

type SessionFact = Extract<Fact, { session: string }>;

export interface SessionsKept {
  sessions: Map<string, Session>;
  /** The sessions that the backend has lost, with their logins, which it keeps. */
  lost: Map<string, Session>;
}

/** Changes the sessions themselves by a fact; `applyToAccount` changes what is inside an account. */
export function applyToSession({ sessions, lost }: SessionsKept, fact: SessionFact): void {
  if (fact.kind === 'session.saved') {
    const known = sessions.get(fact.session);
    if (known) known.config = fact.config;
    else sessions.set(fact.session, newSession(fact.session, fact.config, lost.get(fact.session)));
    lost.delete(fact.session);
    return;
  }
  if (fact.kind === 'session.deleted') {
    sessions.delete(fact.session);
    return;
  }
  const session = sessions.get(fact.session);
  if (!session) return;
  switch (fact.kind) {
    case 'session.lost':
      lost.set(fact.session, session);
      sessions.delete(fact.session);
      return;
    case 'session.status':
      session.status = fact.status;
      if (fact.status === 'WORKING') session.knowsItself = true;
      // The real backend shows the last three statuses.
      session.statuses = [...session.statuses, { status: fact.status, timestamp: fact.at }].slice(-3);
      return;
    case 'session.started':
      session.knowsItself = false;
      return;
    case 'session.linked':
      session.linked = true;
      session.knowsItself = true;
      if (session.account) return;
      session.account = newAccount(fact.session);
      if (fact.history) bringHistory(session, fact);
      return;
    case 'session.history':
      bringHistory(session, fact);
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
    case 'session.capping':
      session.capping = fact.capping;
      return;
  }
}

function bringHistory(session: Session, { seed, at }: { seed: number; at: number }): void {
  if (!session.account || session.hasHistory) return;
  addOlderHistory(session.account, session.name, seed, at);
  session.hasHistory = true;
}

function newSession(name: string, config: Session['config'], lost: Session | undefined): Session {
  return {
    name,
    config,
    engine: lost?.engine,
    status: 'STOPPED',
    statuses: [],
    linked: lost?.linked ?? false,
    knowsItself: false,
    hasHistory: lost?.hasHistory ?? false,
    restrictedUntil: 0,
    capping: lost?.capping ?? null,
    account: lost?.account,
  };
}
