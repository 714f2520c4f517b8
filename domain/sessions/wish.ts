/** What somebody may ask of a session. */
export const SESSION_ACTS = ['start', 'stop', 'restart', 'logout', 'relogin', 'delete'] as const;
export type SessionAct = (typeof SESSION_ACTS)[number];

/** What somebody wants of a session; its supervisor brings back only one that is to run. */
export const SESSION_WISHES = ['running', 'stopped', 'logged_out', 'deleted'] as const;
export type SessionWish = (typeof SESSION_WISHES)[number];

/** What a session is to be once the act is done. After a `relogin` its supervisor keeps a code ready to be scanned. */
export const WISH_OF = {
  start: 'running',
  stop: 'stopped',
  restart: 'running',
  logout: 'logged_out',
  relogin: 'running',
  delete: 'deleted',
} as const satisfies Record<SessionAct, SessionWish>;

/**
 * How long an act waits for sends that are on their way. A logout makes the backend forget its messages, by which the
 * engine finds out what became of a send whose answer was lost, so what ends the login waits until that is known.
 */
const DRAIN_MS = { brief: 15_000, untilSettled: 10 * 60_000 } as const;

/** How long an act waits for sends that are on their way; null for one that ends nothing. */
export function drainMsOf(act: SessionAct): number | null {
  if (act === 'start') return null;
  return forgetsMessages(act) ? DRAIN_MS.untilSettled : DRAIN_MS.brief;
}

/** True for what makes the backend forget the login, and the messages with it. */
export function forgetsMessages(act: SessionAct): boolean {
  return act === 'logout' || act === 'relogin' || act === 'delete';
}

/** What is known of a session when somebody asks something of it. */
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
