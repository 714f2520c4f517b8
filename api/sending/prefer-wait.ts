import type { Database } from '../../db/database.ts';
import { listStatuses } from '../../db/sending/statuses.ts';
import type { StatusOf } from '../../db/sending/statuses.ts';
import { reasonText } from '../../domain/sending/message.ts';
import { hasEnded } from '../../domain/sending/message-state.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SendAccepted } from '../../domain/sending/send.ts';
import { answer } from '../wire/answer.ts';
import type { Answer } from '../wire/answer.ts';
import type { RequestFacts } from '../route/call.ts';
import type { Watch } from '../wire/watch.ts';

const MOST_SECONDS = 30;
/** A wake-up may be lost. */
const LOOK_EVERY_MS = 2_000;

interface Waiting {
  scope: Scope;
  request: Pick<RequestFacts, 'header' | 'signal'>;
  database: Database;
  messageWatch: Watch;
}

/** RFC 7240: seconds that the caller would wait for the outcome, 30 at most; 0 where it did not ask. */
export function secondsPreferred(header: string | undefined): number {
  const [, seconds] = header?.match(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i) ?? [];
  return Math.min(Number(seconds ?? 0), MOST_SECONDS);
}

/**
 * Holds the answer to a send until each of its messages has been sent or has ended, and answers 200 with that. Else the 202
 * stands, which is also what a repeated request gets: it comes after the commit.
 */
export async function awaitPreferred<Body extends SendAccepted>(
  waiting: Waiting,
  accepted: Answer<Body>,
): Promise<Answer<Body>> {
  const seconds = secondsPreferred(waiting.request.header('prefer'));
  if (seconds === 0 || accepted.body.status === 'scheduled') return accepted;
  const ids = accepted.body.messages.map(({ messageId }) => messageId);
  const outcome = await waiting.messageWatch.hold(() => outcomeOf(waiting, ids, seconds * 1_000));
  if (!outcome) return accepted;
  const { body } = accepted;
  const first = outcome.get(body.messageId);
  return answer(
    200,
    {
      ...body,
      status: first?.status ?? body.status,
      plan: undefined,
      messages: body.messages.map((message) => ({ ...message, ...viewOf(outcome.get(message.messageId)) })),
    },
    { ...accepted.headers, 'preference-applied': `wait=${seconds}` },
  );
}

function viewOf(found: StatusOf | undefined) {
  if (!found) return {};
  const { status, errorCode, errorDetail } = found;
  return errorCode === null
    ? { status }
    : { status, error: { code: errorCode, message: errorDetail ?? reasonText(errorCode) } };
}

/** By message; undefined when the time is over before all have ended. */
async function outcomeOf(
  { scope, request, database, messageWatch }: Waiting,
  ids: readonly string[],
  waitMs: number,
): Promise<Map<string, StatusOf> | undefined> {
  const until = performance.now() + waitMs;
  for (;;) {
    // Listening begins before the look, so that nothing happens in between.
    const listening = messageWatch.listen(ids, request.signal);
    try {
      const found = await database.read((queries) => listStatuses(queries, scope, ids));
      if (found.length === ids.length && found.every(({ status }) => hasEnded(status))) {
        return new Map(found.map((row) => [row.messageId, row]));
      }
      const restMs = until - performance.now();
      if (restMs <= 0 || request.signal.aborted || messageWatch.isClosed) return undefined;
      await listening.next(Math.min(restMs, LOOK_EVERY_MS));
    } finally {
      listening.end();
    }
  }
}
