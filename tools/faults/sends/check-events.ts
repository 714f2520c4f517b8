import { disorderIn, holesIn } from '../../demo/sequence.ts';
import type { WebhookReceiver } from '../../demo/webhook-receiver.ts';
import type { Ground } from '../ground.ts';
import type { Ledger } from './ledger.ts';
import type { Violation } from './outcome.ts';
import type { Passport } from './passports.ts';

/**
 * A message's status may only go from left to right; an uncertain message may be settled later, so that comes first.
 */
const LEVELS = ['uncertain', 'sent', 'delivered', 'read', 'played', 'failed', 'cancelled'];

/** The number of deliveries that a drain may have claimed at a time: ten that it posts, and as many that go next. */
const CLAIMED_AT_ONCE = 20;

/**
 * Checks that the events at the receiver tell what happened: none is missing, no status goes back, and each
 * conversation is in order.
 */
export function checkTold(
  { receiver, deaths }: Pick<Ground, 'receiver' | 'deaths'>,
  ledger: Ledger,
  passports: ReadonlyMap<string, Passport>,
): Violation[] {
  const events = receiver.events();
  const lastRound = Math.max(0, ...ledger.accepted.map(({ round }) => round));
  const general = [
    ...holesIn(events).map((hole) => `no event came with ${hole}`),
    ...disorderIn(events),
    ...receiver.distrusted.map((reason) => `a request was not believed: ${reason}`),
    ...changedRepetitions(receiver),
    ...needlessRepetitions(receiver, deaths),
  ].map((what) => ({ round: lastRound, what }));

  const told = Map.groupBy(receiver.events('message.ack'), ({ payload }) => String(payload['messageId']));
  const acks = ledger.accepted.flatMap(({ round, messageId, text }) => {
    const levels = (told.get(messageId) ?? []).map(({ payload }) => String(payload['status']));
    const real = passports.get(messageId)?.status;
    const found: string[] = [];
    if (levels.at(-1) !== real) found.push(`"${text}" is ${real}, and ${levels.at(-1) ?? 'nothing'} was told last`);
    if (!rises(levels)) found.push(`"${text}" was told as ${levels.join(', ')}`);
    return found.map((what) => ({ round, what }));
  });

  const heard = Map.groupBy(receiver.events('message'), ({ payload }) => String(payload['body']));
  const inbound = ledger.inbound
    .filter(({ text }) => heard.get(text)?.length !== 1)
    .map(({ round, text }) => ({ round, what: `"${text}" was told ${heard.get(text)?.length ?? 0} times` }));
  return [...general, ...acks, ...inbound];
}

function rises(levels: readonly string[]): boolean {
  return levels.every((level, index) => index === 0 || LEVELS.indexOf(level) > LEVELS.indexOf(levels[index - 1] ?? ''));
}

/** Lists repetitions that differ: a repeated event must carry the same bytes under the same id. */
function changedRepetitions({ deliveries }: WebhookReceiver): string[] {
  const first = new Map<string, string>();
  return deliveries.flatMap(({ event, raw }) => {
    const { eventId } = event.metadata;
    const before = first.get(eventId) ?? raw;
    first.set(eventId, before);
    return before === raw ? [] : [`the repetition of ${eventId} is another event`];
  });
}

/** Checks that no more events came again than can have been on their way when a process died. */
function needlessRepetitions(receiver: WebhookReceiver, deaths: number): string[] {
  const repeated = receiver.deliveries.length - receiver.events().length;
  const most = deaths * CLAIMED_AT_ONCE;
  return repeated <= most ? [] : [`${repeated} events came again, and ${deaths} deaths explain at most ${most}`];
}
