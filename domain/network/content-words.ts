import type { Call, ContactCard, Location, NetworkContent } from './message-content.ts';

/** Names at most this number of cards in a message, and of numbers on a card. */
const MAX_NAMED = 5;

/** Says what a message holds beside its words and its file, as a model reads it; null when that is nothing. */
export function contentInWords(content: NetworkContent): string | null {
  const { location, contacts, poll, call, viewOnce, contentState } = content;
  if (contentState) return 'message whose content has not arrived yet';
  if (location) return placeOf(location);
  if (contacts && contacts.length > 0) return `contact card: ${contacts.slice(0, MAX_NAMED).map(cardOf).join('; ')}`;
  if (poll) return `poll with the answers ${poll.options.join(' / ')}`;
  if (call) return callOf(call);
  if (viewOnce) return 'file to be seen once, which only the phone shows';
  return null;
}

function placeOf({ latitude, longitude, name, address, live }: Location): string {
  const place = [name, address, `${latitude}, ${longitude}`].filter(Boolean).join(', ');
  return `${live ? 'live location' : 'location'}: ${place}`;
}

function cardOf({ name, phones }: ContactCard): string {
  return [name, ...phones.slice(0, MAX_NAMED).map(({ number }) => number)].filter(Boolean).join(' ');
}

function callOf({ status, isVideo }: Call): string {
  const ends = { received: 'that nobody took', rejected: 'that was declined', accepted: 'that was taken' } as const;
  return `${isVideo ? 'video call' : 'call'} ${ends[status]}`;
}
