import type { SessionCalls } from '../../adapters/backend/backends.ts';
import type { Session } from '../../db/sessions/session.ts';
import { canDo, dependsOnVersion, notSupported, requireCapability } from '../../domain/network/capabilities.ts';
import type { CapabilityName } from '../../domain/network/capabilities.ts';
import type { ErrorCode } from '../../domain/error.ts';
import type { SlotsPerBackend } from '../../domain/slots-per-backend.ts';
import type { ApiDeps } from '../deps.ts';
import { enter } from '../wire/doors.ts';
import type { Door } from '../wire/doors.ts';

/** The errors of routes that read a session's account at its backend. */
export const AT_BACKEND_ERRORS = [
  'not_found',
  'session_not_ready',
  'backend_unavailable',
  'backend_error',
  'busy',
] as const satisfies ErrorCode[];
/** The same where not every platform can. */
export const IF_ABLE_ERRORS = [...AT_BACKEND_ERRORS, 'not_supported_by_engine'] as const satisfies ErrorCode[];

const PLACE_WAIT_MS = 1_000;

type AtBackend = Pick<ApiDeps, 'backends' | 'accountCalls'>;

/** The door before the backend of a session, where no session and no agency takes all places. */
export function doorOf(slots: SlotsPerBackend, session: Pick<Session, 'id' | 'agencyId' | 'backend'>): Door {
  return { slots: slots.of(session), owner: session.id, agencyId: session.agencyId };
}

/**
 * Makes calls about a session's account when there is a place for them before its backend: each may hold a connection
 * for long, and all reads share the connections.
 */
export async function atBackend<T>(
  session: Session,
  { backends, accountCalls }: AtBackend,
  call: (backend: SessionCalls) => Promise<T>,
): Promise<T> {
  const leave = await enter([doorOf(accountCalls, session)], PLACE_WAIT_MS);
  try {
    return await call(backends.of(session));
  } finally {
    leave();
  }
}

/** Tells whether the session's platform can do it; its backend is asked for its version where that decides. */
export async function isAble(
  capability: CapabilityName,
  session: Session,
  deps: AtBackend,
  { isAskedAgain = false } = {},
): Promise<boolean> {
  const { platform = null } = session;
  if (!dependsOnVersion(capability, platform)) return canDo(capability, platform);
  const { version } = await atBackend(session, deps, (backend) => backend.capabilities(platform, { isAskedAgain }));
  return canDo(capability, platform, version);
}

/**
 * Refuses what the session's platform certainly cannot do. If the version of the backend decides, the backend is asked
 * again first, because it may have been upgraded a moment ago.
 */
export async function requireAble(capability: CapabilityName, session: Session, deps: AtBackend): Promise<void> {
  const { platform = null } = session;
  if (!dependsOnVersion(capability, platform)) return requireCapability(capability, platform);
  if (await isAble(capability, session, deps)) return;
  if (!(await isAble(capability, session, deps, { isAskedAgain: true }))) throw notSupported(capability, platform);
}
