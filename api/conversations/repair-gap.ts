import { setTimeout as pause } from 'node:timers/promises';
import { messagesSince } from '../../adapters/backend/shown-since.ts';
import type { Conversation } from '../../db/conversations/conversation.ts';
import { bringInMissed } from '../../db/network/missed.ts';
import { listGapsOfChat, recordReading } from '../../db/sessions/gap-readings.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';
import { oldestFirst } from '../../domain/network/missed.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { windowOf } from '../../domain/sessions/gap.ts';
import type { ApiDeps } from '../deps.ts';
import { atBackend } from '../sessions/at-backend.ts';

/** A read waits this long for what a gap may have kept from its chat. */
const WAIT_MS = 3_000;
const MAX_MESSAGE_PAGES = 2;

type Deps = Pick<ApiDeps, 'database' | 'backends' | 'accountCalls'>;

/**
 * Brings in what a gap of the session that is not compared yet may have kept from this chat, before the session's
 * supervisor comes to it. Returns true when that could not be finished in time; what is under way then goes on.
 */
export async function repairGap(
  deps: Deps,
  { session, conversation }: { session: Session; conversation: Conversation },
): Promise<boolean> {
  if (session.status !== WORKING || (session.gapsDueAt ?? null) === null) return false;
  const repaired = repair(deps, session, conversation).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    return false;
  });
  const isDone = await Promise.race([repaired, pause(WAIT_MS, false, { ref: false })]);
  // Nobody here waits for a later failure; the supervisor handles it.
  repaired.catch(() => undefined);
  return !isDone;
}

async function repair(deps: Deps, session: Session, { id, chatId }: Conversation): Promise<boolean> {
  const { database } = deps;
  const chat = { sessionId: session.id, conversationId: id };
  const lacking = await database.read((queries) => listGapsOfChat(queries, chat));
  const gaps = lacking.filter((gap) => !gap.isCut);
  const [first] = gaps;
  if (first === undefined) return lacking.length === 0;
  const to = new Date(Math.max(...gaps.map((gap) => gap.to.getTime())));
  const window = windowOf({ from: first.from, to }, database.clock.now());
  const place = { chatId, since: window.from, maxPages: MAX_MESSAGE_PAGES };
  const listedAt = database.clock.now();
  const { shown, changes, isCut } = await atBackend(session, deps, (backend) =>
    messagesSince({ of: () => backend }, session, place),
  );
  const ofGaps = oldestFirst(shown.filter(({ timestamp }) => timestamp * 1_000 <= window.to.getTime()));
  await database.transaction(async (tx) => {
    const recovered = await bringInMissed(tx, session, {
      shown: ofGaps,
      toldSince: first.from,
      changes: { changes, listedAt },
    });
    await recordReading(tx, gaps, { conversationId: id, isWhole: !isCut, ...recovered });
  });
  // The supervisor reads the chat further back than a reader waits for.
  return !isCut && gaps.length === lacking.length;
}
