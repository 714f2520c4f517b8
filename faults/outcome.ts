import type { NetworkSend } from '../demo/sandbox-control.ts';
import type { Accepted, Ledger } from './ledger.ts';
import { isUnderWay } from './passports.ts';
import type { Passport } from './passports.ts';

/** What is wrong, in a sentence; with the round it belongs to. */
export interface Violation {
  round: number;
  what: string;
}

/** How often each text reached a person. A repetition under the same id counts too: not every network drops it. */
export function arrivals(sends: readonly NetworkSend[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { body, reachedNetwork } of sends) {
    if (body !== null && reachedNetwork) counts.set(body, (counts.get(body) ?? 0) + 1);
  }
  return counts;
}

/** Every accepted message is at the network exactly once, or has ended in a state that says why it is not. */
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
  const refused = ledger.refused
    .filter(({ text }) => times(text) > 0)
    .map(({ round, text, why }) => ({ round, what: `"${text}" was refused (${why}) and arrived` }));
  return [...accepted, ...unanswered, ...refused];
}

function whatIsWrong({ text, messageId }: Accepted, passport: Passport | undefined, times: number): string | null {
  const name = `"${text}" (${messageId})`;
  if (!passport) return `${name} is unknown to the engine`;
  const { status, history } = passport;
  if (times > 1) return `${name} arrived ${times} times and is ${status}`;
  if (isUnderWay(passport)) return `${name} is still ${status}, arrived ${times} times: ${wayOf(passport)}`;
  if (status === 'failed' || status === 'uncertain' || status === 'cancelled') {
    const reason = history.findLast((entry) => entry.status === status)?.reason;
    if (!reason) return `${name} is ${status} without a reason`;
    return status !== 'uncertain' && times > 0 ? `${name} is ${status} (${reason}) and arrived` : null;
  }
  return times === 1 ? null : `${name} is ${status} and never arrived`;
}

function wayOf({ history }: Passport): string {
  return history.map(({ status, reason }) => (reason === null ? status : `${status} (${reason})`)).join(' → ');
}
