/** The requests that a session accepts. */
export const SESSION_ACTS = ['start', 'stop', 'restart', 'logout', 'relogin', 'delete'] as const;
export type SessionAct = (typeof SESSION_ACTS)[number];

/** The wished state of a session; its supervisor restarts only a `running` one. */
export const SESSION_WISHES = ['running', 'stopped', 'logged_out', 'deleted'] as const;
export type SessionWish = (typeof SESSION_WISHES)[number];

/** The wished state after each act. After a `relogin` its supervisor keeps a code ready to be scanned. */
export const WISH_OF = {
  start: 'running',
  stop: 'stopped',
  restart: 'running',
  logout: 'logged_out',
  relogin: 'running',
  delete: 'deleted',
} as const satisfies Record<SessionAct, SessionWish>;

/**
 * An act waits at most this long for sends under way. A logout makes the backend forget its messages, and the engine
 * then cannot learn the outcome of a lost answer. So each act that ends the login waits for the outcome.
 */
const DRAIN_MS = { brief: 15_000, untilSettled: 10 * 60_000 } as const;

/** Returns the longest wait for sends under way. Null for an act that ends nothing. */
export function drainMsOf(act: SessionAct): number | null {
  if (act === 'start') return null;
  return forgetsMessages(act) ? DRAIN_MS.untilSettled : DRAIN_MS.brief;
}

/** True for what makes the backend forget the login, and the messages with it. */
export function forgetsMessages(act: SessionAct): boolean {
  return act === 'logout' || act === 'relogin' || act === 'delete';
}

/** The facts of a session when a request arrives. */
interface AskedSession {
  status: string;
  hasAccount: boolean;
  /** The backend will never make the session as it is. */
  isRefused: boolean;
}

/** Says why a session cannot be asked for that now, and what to do instead; null where it can. */
export function whyNot(act: SessionAct, { status, hasAccount, isRefused }: AskedSession): string | null {
  if (act === 'delete') return null;
  if (isRefused) {
    return (
      'The messaging backend refuses to create this session, and lastError says why: fix that, or delete the ' +
      'session and create another.'
    );
  }
  if (act === 'logout' && !hasAccount) {
    return (
      `No account is connected (${status}), so there is nothing to log out: scan its QR code to connect one, or ` +
      'stop the session.'
    );
  }
  return null;
}
