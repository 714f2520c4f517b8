import { askSession } from '../../db/operations/ask-session.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { isRefusal } from '../../domain/sessions/session-error.ts';
import { whyNot } from '../../domain/sessions/wish.ts';
import type { Asked } from '../../domain/sessions/ask.ts';
import type { ApiDeps } from '../deps.ts';
import { requireSession } from './session-in-scope.ts';

/** The answer waits this long for the backend; a logout there takes some four seconds. */
export const OUTCOME_WAIT_MS = 8_000;

/**
 * Records what is asked of a session with the promise that it is done, and waits for a while until it is. Returns the
 * session as it is by then.
 */
export async function ask(
  { database, sessionWatch, outcomeWaitMs }: Pick<ApiDeps, 'database' | 'sessionWatch' | 'outcomeWaitMs'>,
  scope: Scope,
  named: string | undefined,
  { act, by, signal }: Asked,
): Promise<{ session: Session; isDone: boolean }> {
  const asked = await database.transaction(async (tx) => {
    const session = await requireSession(tx, scope, named);
    const { status, chatId = null, lastError = null } = session;
    const no = whyNot(act, { status, hasAccount: chatId !== null, isRefused: isRefusal(lastError) });
    if (no !== null) throw new EngineError('session_not_ready', no);
    if (!(await askSession(tx, session, { act, by }))) throw notFound('session');
    return session;
  });
  const find = () => database.read((queries) => findSessionById(queries, asked.id));
  const done = async (): Promise<Session | undefined> => {
    const session = await find();
    return session !== null && (session.asked ?? null) === null ? session : undefined;
  };
  const wait = { waitMs: outcomeWaitMs, signal, group: scope.agencyId };
  const waited = await sessionWatch.until([asked.id], done, wait);
  if (waited.outcome === 'found') return { session: waited.value, isDone: true };
  return { session: (await find()) ?? asked, isDone: false };
}
