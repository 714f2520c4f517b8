import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import { FAILED, SCAN_QR_CODE, STARTING, WORKING } from '../../domain/sessions/session.ts';
import { isRefusal } from '../../domain/sessions/session-error.ts';
import { requireOursAtBackend } from './session-in-scope.ts';

/** The next step for a session in each status. Any other status passes by itself or on the phone. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  STOPPED: 'It is stopped: start it with POST /api/v1/sessions/:id/start, then retry the request.',
  [STARTING]: 'It is starting: retry the request in a few seconds.',
  [SCAN_QR_CODE]:
    'It waits for its QR code to be scanned: show GET /api/v1/sessions/:id/qr to the owner of the phone first.',
  [FAILED]:
    'It has lost its account or cannot start: restart it with POST /api/v1/sessions/:id/restart, then retry the ' +
    'request.',
  [WORKING]:
    'It is already connected: log it out with POST /api/v1/sessions/:id/logout before you connect another phone.',
};

/** Refuses a request that needs the account, unless the session works. */
export function requireWorking(session: Session): void {
  requireOursAtBackend(session);
  if (session.status !== WORKING) throw notReady(session);
}

/** Refuses to connect an account where the session has one. */
export function requireUnconnected(session: Session): void {
  if (session.status === WORKING) throw notReady(session);
  if (!isRefusal(session.lastError ?? null)) return;
  throw new EngineError(
    'session_not_ready',
    'The backend refuses to create this session; its lastError says what to do.',
  );
}

export function notReady({ status }: Pick<Session, 'status'>): EngineError {
  const next = NEXT_STEPS[status] ?? `It is ${status}: finish that on the phone, then retry the request.`;
  return new EngineError('session_not_ready', next, status === STARTING ? { headers: { 'retry-after': '5' } } : {});
}
