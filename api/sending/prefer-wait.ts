import type { Database } from '../../db/engine/database.ts';
import { listStatuses } from '../../db/sending/statuses.ts';
import type { StatusOf } from '../../db/sending/statuses.ts';
import { reasonText } from '../../domain/sending/reasons.ts';
import { hasEnded } from '../../domain/sending/message-state.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SendAccepted } from '../../domain/sending/send.ts';
import { answer } from '../wire/answer.ts';
import type { Answer } from '../wire/answer.ts';
import type { RequestFacts } from '../route/call.ts';
import type { Watch } from '../wire/watch.ts';

const MAX_SECONDS = 30;

interface Waiting {
  scope: Scope;
  request: Pick<RequestFacts, 'header' | 'signal'>;
  database: Database;
  messageWatch: Watch;
}

/**
 * Reads how many seconds the caller would wait for the outcome (RFC 7240): 30 at most, and 0 when the header does not
 * ask.
 */
export function secondsPreferred(header: string | undefined): number {
  const [, seconds] = header?.match(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[,;]|$)/i) ?? [];
  return Math.min(Number(seconds ?? 0), MAX_SECONDS);
}

/**
 * Holds the answer to a send until each of its messages has been sent or has ended, and then answers 200. When the time
 * is over first, the 202 stands. A repeated request gets the 202, too, because that was stored before the wait.
 */
export async function awaitPreferred<Body extends SendAccepted>(
  { scope, request, database, messageWatch }: Waiting,
  accepted: Answer<Body>,
): Promise<Answer<Body>> {
  const seconds = secondsPreferred(request.header('prefer'));
  if (seconds === 0 || accepted.body.status === 'scheduled') return accepted;
  const ids = accepted.body.messages.map(({ messageId }) => messageId);
  const look = async () => {
    const found = await database.read((queries) => listStatuses(queries, scope, ids));
    const isOver = found.length === ids.length && found.every(({ status }) => hasEnded(status));
    return isOver ? new Map(found.map((row) => [row.messageId, row])) : undefined;
  };
  const waited = await messageWatch.until(ids, look, { waitMs: seconds * 1_000, signal: request.signal });
  if (waited.outcome !== 'found') return accepted;
  const { body } = accepted;
  const first = waited.value.get(body.messageId);
  return answer(
    200,
    {
      ...body,
      status: first?.status ?? body.status,
      plan: undefined,
      messages: body.messages.map((message) => ({ ...message, ...viewOf(waited.value.get(message.messageId)) })),
    },
    { ...accepted.headers, 'preference-applied': `wait=${seconds}` },
  );
}

function viewOf(found: StatusOf | undefined) {
  if (!found) return {};
  const { status, errorCode, errorDetail } = found;
  return errorCode === null
    ? { status }
    : { status, error: { code: errorCode, message: reasonText(errorCode, errorDetail) } };
}
