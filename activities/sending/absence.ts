import { clocksAgree } from '../../adapters/backend/calls/clock-skew.ts';
import type { Database } from '../../db/engine/database.ts';
import { findLatestSent } from '../../db/conversations/message.ts';
import type { Session } from '../../db/sessions/session.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { noteRefusal } from './chat-read.ts';
import type { ChatRead, ReadingBackends } from './chat-read.ts';

interface AbsenceDependencies {
  database: Database;
  backends: ReadingBackends;
}

/**
 * Tells whether a send that neither the chat nor an echo shows is certainly not on the network, so that it may be sent
 * again. Each check rules out one other reason why the send is not shown: a read that was cut off, a session that was
 * away, a clock that differs from ours, a store that does not keep our sends.
 */
export async function isCertainlyAbsent(
  deps: AbsenceDependencies,
  session: Session,
  claimedAt: Date,
  read: ChatRead,
): Promise<boolean> {
  return (
    read.complete &&
    workedThroughout(session, claimedAt) &&
    (await hasOurTime(deps, session)) &&
    (await showsOurSends(deps, session))
  );
}

function workedThroughout(session: Session, since: Date): boolean {
  return session.status === WORKING && session.statusChangedAt <= since;
}

/** Asks the backend each time, because a clock can step: an earlier answer proves nothing. */
async function hasOurTime({ database, backends }: AbsenceDependencies, session: Session): Promise<boolean> {
  const skew = await backends.of(session).readClockSkew(() => database.clock.outside().getTime());
  return skew !== null && clocksAgree(skew);
}

/**
 * Checks that the backend shows our latest sent message. A store without that message cannot prove that another send
 * did not go out.
 */
async function showsOurSends({ database, backends }: AbsenceDependencies, session: Session): Promise<boolean> {
  const proof = await database.read((queries) => findLatestSent(queries, session.id));
  if (!proof) return false;
  const { name, platform } = session;
  try {
    return (await backends.of(session).findOwnMessage({ session: name, platform, ...proof })) !== null;
  } catch (error) {
    await noteRefusal(database, session, error);
    return false;
  }
}
