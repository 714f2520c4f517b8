import { readAccountPicture } from '../../db/conversations/picture.ts';
import { promiseContactSync, promisePicture } from '../../db/sessions/session-workflow.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { ApiDeps } from '../deps.ts';

/** Bounds how long a read waits; then it answers with what is stored. */
const WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 500;
/** A list of contacts that is read again within this time does not ask the network again. */
const FRESH_MS = 5 * 60_000;
/** A picture that was asked for within this time is not asked for again. */
const PICTURE_FRESH_MS = 60 * 60_000;

type Deps = Pick<ApiDeps, 'database' | 'messageWatch'>;

/**
 * Has the list of contacts read in the background where it is older than some minutes, and waits a moment for the first
 * reading. Returns true when the network is being asked.
 */
export async function awaitContacts(
  { database, messageWatch }: Deps,
  { session, signal }: { session: Session; signal: AbortSignal },
): Promise<boolean> {
  const { id, status, contactsSyncedAt } = session;
  const age = contactsSyncedAt ? database.clock.now().getTime() - contactsSyncedAt.getTime() : Infinity;
  if (status !== WORKING || age < FRESH_MS) return false;
  await database.transaction((tx) => promiseContactSync(tx, id));
  if (contactsSyncedAt) return true;
  const look = async () => {
    const now = await database.read((queries) => findSessionById(queries, id));
    return now?.contactsSyncedAt ?? undefined;
  };
  const wait = { waitMs: WAIT_MS, signal, lookAgainMs: () => LOOK_AGAIN_MS };
  const { outcome } = await messageWatch.until([id], look, wait);
  return outcome !== 'found';
}

/**
 * Has a contact's picture fetched, unless that was done lately or the session does not work, and waits a moment until
 * `look` sees that the network has been asked.
 */
export async function awaitPicture<T>(
  { database, messageWatch }: Deps,
  asked: { sessionId: string; contactId: string; askedAt: string | null; signal: AbortSignal },
  look: () => Promise<T | undefined>,
): Promise<T | null> {
  const { sessionId, contactId, askedAt, signal } = asked;
  const age = askedAt === null ? Infinity : database.clock.now().getTime() - Date.parse(askedAt);
  const session = age < PICTURE_FRESH_MS ? null : await database.read((queries) => findSessionById(queries, sessionId));
  if (session?.status !== WORKING) return null;
  await database.transaction((tx) => promisePicture(tx, { sessionId, contactId }));
  const wait = { waitMs: WAIT_MS, signal, lookAgainMs: () => LOOK_AGAIN_MS };
  const waited = await messageWatch.until([contactId], look, wait);
  return waited.outcome === 'found' ? waited.value : null;
}

/**
 * Tells whether an account that works has a picture with us. It is fetched where that was not done lately, and a moment
 * is waited for that.
 */
export async function awaitOwnPicture(
  { database, messageWatch }: Deps,
  { sessionId, signal }: { sessionId: string; signal: AbortSignal },
): Promise<boolean> {
  const read = () => database.read((queries) => readAccountPicture(queries, sessionId));
  const before = await read();
  const askedAt = before?.askedAt?.getTime() ?? -Infinity;
  if (database.clock.now().getTime() - askedAt < PICTURE_FRESH_MS) return (before?.picture ?? null) !== null;
  await database.transaction((tx) => promisePicture(tx, { sessionId }));
  const look = async () => {
    const now = await read();
    return (now?.askedAt?.getTime() ?? -Infinity) > askedAt ? now : undefined;
  };
  const wait = { waitMs: WAIT_MS, signal, lookAgainMs: () => LOOK_AGAIN_MS };
  const waited = await messageWatch.until([sessionId], look, wait);
  return ((waited.outcome === 'found' ? waited.value : before)?.picture ?? null) !== null;
}
