/**
 * The reasons, as `lastError` shows them, for which the backend will never make a session, so that it is not asked
 * again.
 */
export const SESSION_REFUSALS = {
  name: 'session_name_refused',
  taken: 'session_name_taken',
  settings: 'session_settings_refused',
} as const;
/** As `lastError` shows it: the supervisor has brought the session back as often as it may, and a person must see to it. */
export const RESTARTS_USED_UP = 'session_restarts_used_up';

/** The `lastError` of a session while no configuration has its server. */
export const BACKEND_LOST = 'backend_not_configured';

/** The operator's action by a session's `lastError`. Without an entry, the supervisor restarts the session. */
export const SESSION_ERROR_TODOS: Readonly<Record<string, string>> = {
  backend_error: 'the messaging backend refuses requests: check its log and fix it before you log the account out',
  backend_unavailable: 'the messaging backend does not answer; /readyz names the backends that are down',
  [BACKEND_LOST]: 'restore its backend in the configuration, or move the session to another one',
  [SESSION_REFUSALS.name]: 'connect the account again under a shorter name',
  [SESSION_REFUSALS.taken]: 'delete the session of this name at the backend, or connect it with "adopt"',
  [SESSION_REFUSALS.settings]: 'correct PUBLIC_URL, and start the engine again',
  [RESTARTS_USED_UP]: 'restart it once the cause is gone, or log it out and scan a new code',
};

/** True for a reason for which the backend will never make the session. */
export function isRefusal(lastError: string | null): boolean {
  return Object.values<string | null>(SESSION_REFUSALS).includes(lastError);
}
export type SessionRefusal = (typeof SESSION_REFUSALS)[keyof typeof SESSION_REFUSALS];
