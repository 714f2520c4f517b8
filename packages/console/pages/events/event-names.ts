import type { StreamedEvent } from '../../../typescript/src/index.ts';

export type EventName = StreamedEvent['type'];

/**
 * True for what has the form of an event's name. The engine alone knows which there are, because a newer one has more
 * than this page was made with, and refuses others.
 */
export const isEventName = (name: string | undefined): name is EventName =>
  name !== undefined && /^[a-z]+(\.[a-z]+)?$/.test(name);
