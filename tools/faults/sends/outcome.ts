import type { NetworkSend } from '../../demo/sandbox-control.ts';
import type { Accepted, Ledger } from './ledger.ts';
import { isUnderWay, reasonOf } from './passports.ts';
import type { Passport } from './passports.ts';

/** A broken promise, in a sentence, with the round to which it belongs. */
export interface Violation {
  round: number;
  what: string;
}

/**
 * Counts how often each text reached a contact. A repetition under the same id counts, too, because not every network
 * drops it.
 */
export function arrivals(sends: readonly NetworkSend[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const send of sends) {
    if (!send.reachedNetwork) continue;
    const text = firstLineOf(send);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** Returns the first line of a send's text; the options of buttons and lists stand below it or apart from it. */
function firstLineOf({ body, request }: NetworkSend): string {
  return (body ?? request.message?.title ?? '').split('\n', 1)[0] ?? '';
}

/** Checks that every accepted message is at the network exactly once or is `uncertain`. */
export function checkSends(
  ledger: Ledger,
  passports: ReadonlyMap<string, Passport>,
  arrived: ReadonlyMap<string, number>,
): Violation[] {
  const times = (text: string): number => arrived.get(text) ?? 0;
  const accepted = ledger.accepted.flatMap((message) => {
    const what = whatIsWrong(message, passports.get(message.messageId), times(message.text));
    return what === null ? [] : [{ round: message.round, what }];
  });
  const unanswered = ledger.unanswered
    .filter(({ text }) => times(text) > 1)
    .map(({ round, text }) => ({ round, what: `"${text}" had no answer and arrived ${times(text)} times` }));
  return [...accepted, ...unanswered, ...ledger.wrong];
}

/**
 * Returns what is wrong with a message, or null. None of the faults is a reason to fail, so a message that is not at
 * the network exactly once must be `uncertain` with a reason.
 */
function whatIsWrong({ text, messageId }: Accepted, passport: Passport | undefined, times: number): string | null {
  const name = `"${text}" (${messageId})`;
  if (!passport) return `${name} is unknown to the engine`;
  const { status } = passport;
  if (times > 1) return `${name} arrived ${times} times and is ${status}: ${wayOf(passport)}`;
  if (isUnderWay(passport)) return `${name} is still ${status}, arrived ${times} times: ${wayOf(passport)}`;
  if (status === 'uncertain') return reasonOf(passport) ? null : `${name} is uncertain without a reason`;
  if (status === 'failed' || status === 'cancelled') return `${name} arrived ${times} times: ${wayOf(passport)}`;
  return times === 1 ? null : `${name} is ${status} and never arrived: ${wayOf(passport)}`;
}

function wayOf({ history }: Passport): string {
  return history.map(({ status, reason }) => (reason === null ? status : `${status} (${reason})`)).join(' → ');
}
