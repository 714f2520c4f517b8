import type { Begun } from '../execution.ts';
import { chosen } from '../text-filter.ts';
import { matches, optOutOf, sessionOf } from '../trigger.ts';
import type { Trigger } from '../trigger.ts';
import type { PastEvent } from './past.ts';
import type { DryStart } from './task.ts';

export interface Conditions {
  /** The contact had opted out before. */
  isOptedOut: boolean;
  /** The labels that the chat had before. */
  labels: readonly string[];
  /** There are messages of the contact from before. */
  hasWritten: boolean;
  /** The id and the name of the session; null when the past fits any. */
  session: readonly string[] | null;
}

/**
 * Answers what of a conversation's past would have begun an automation, in the order of time. Working hours are for the
 * caller to look up: they are the tenant's.
 */
export function startsOfPast(trigger: Trigger, past: readonly PastEvent[], before: Conditions): DryStart[] {
  const wanted = sessionOf(trigger);
  if (wanted !== undefined && before.session?.includes(wanted) === false) return [];
  const starts: DryStart[] = [];
  const labels = [...before.labels];
  let { isOptedOut, hasWritten } = before;
  for (const [index, event] of past.entries()) {
    const wasOut = isOptedOut;
    const said = event.event === 'message' && event.from === 'contact' ? optOutOf(trigger, event.body) : undefined;
    if (said) isOptedOut = said === 'out';
    if (event.event === 'conversation.labelled') labels.push(event.label);
    const begins = beginningsOf(trigger, event, {
      nextMs: past.slice(index + 1).find((each) => each.event === 'message')?.atMs,
      labels,
      hasWritten,
    });
    // A word that changes nothing begins nothing.
    if (!said || wasOut !== isOptedOut) {
      const optOut = said ? { optOut: said } : {};
      starts.push(...begins.map(({ atMs, begun }) => ({ atMs, begun: { ...begun, ...optOut }, isOptedOut })));
    }
    if (event.event === 'message' && event.from === 'contact') hasWritten = true;
  }
  return starts.toSorted((a, b) => a.atMs - b.atMs);
}

interface Around {
  /** When the next message is. */
  nextMs: number | undefined;
  labels: readonly string[];
  hasWritten: boolean;
}

interface Beginning {
  atMs: number;
  begun: Begun;
}

/** Returns the runs that one event starts: at once, or after a quiet time. */
function beginningsOf(trigger: Trigger, event: PastEvent, { nextMs, labels, hasWritten }: Around): Beginning[] {
  const { atMs } = event;
  if (trigger.event === 'unanswered' || trigger.event === 'unread') {
    const dueMs = atMs + trigger.forMinutes * 60_000;
    const isDue = event.event === 'message' && isSilent(trigger.event, event, dueMs) && (nextMs ?? dueMs) >= dueMs;
    return isDue ? [{ atMs: dueMs, begun: { event: trigger.event, messageId: event.id } }] : [];
  }
  if (event.event !== 'message') {
    const { event: name } = event;
    const happening = {
      event: name,
      ...('status' in event ? { status: event.status } : {}),
      ...('label' in event ? { labelsAdded: [event.label] } : {}),
    };
    const isOwn = 'byAutomation' in event && event.byAutomation;
    return !isOwn && matches(trigger, happening) ? [{ atMs, begun: { event: name } }] : [];
  }
  if (event.from === 'us') {
    if (event.byAutomation) return [];
    return event.acks
      .filter(({ status }) => matches(trigger, { event: 'message.ack', status }))
      .map((ack) => ({ atMs: ack.atMs, begun: { event: 'message.ack', messageId: event.id } }));
  }
  if (!matches(trigger, { event: 'message', body: event.body, kind: event.kind })) return [];
  if (trigger.event === 'message') {
    if (trigger.isFirst === true && hasWritten) return [];
    if (trigger.label !== undefined && chosen(labels, trigger.label) === null) return [];
  }
  return [{ atMs, begun: { event: 'message', messageId: event.id } }];
}

function isSilent(event: 'unanswered' | 'unread', message: PastEvent & { event: 'message' }, dueMs: number): boolean {
  if (event === 'unanswered') return message.from === 'contact';
  if (message.from === 'contact' || message.byAutomation) return false;
  return !message.acks.some(({ status, atMs }) => ['read', 'played', 'failed'].includes(status) && atMs <= dueMs);
}
