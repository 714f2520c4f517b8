import type { Past, PastEvent } from './past.ts';
import type { GivenEvent } from './request.ts';

/** Makes a past of what a request gives: our own messages have arrived at once, and a person has sent them. */
export function givenPast(events: readonly GivenEvent[], contactName: string | null): Past {
  return {
    events: events.map((event, index) => givenEvent(event, `event-${index + 1}`)).toSorted((a, b) => a.atMs - b.atMs),
    isCut: false,
    hasWritten: false,
    isWithPerson: false,
    contactName,
    isOptedOut: false,
    labels: [],
    session: null,
  };
}

function givenEvent(given: GivenEvent, id: string): PastEvent {
  const atMs = Date.parse(given.at);
  switch (given.event) {
    case 'message': {
      const { event, from, text: body, kind, button = null, readAt } = given;
      if (from === 'contact') return { event, atMs, id, body, from, kind, pressed: button };
      const read = readAt === undefined ? [] : [{ status: 'read', atMs: Date.parse(readAt) }];
      const acks = [{ status: 'sent', atMs }, { status: 'delivered', atMs }, ...read];
      return { event, atMs, id, body, from, byAutomation: false, acks };
    }
    case 'conversation.labelled':
      return { event: given.event, atMs, label: given.label };
    case 'session.status':
      return { event: given.event, atMs, status: given.status };
    default:
      return { event: given.event, atMs, byAutomation: false };
  }
}
