import { newestEvents } from '../../live/newest-events.ts';
import type { EventReader } from '../../live/newest-events.ts';
import type { Told } from './history.ts';

/** The newest changes of an account's status, oldest first. */
export const newestChanges = (
  engine: EventReader,
  { sessionId, since }: { sessionId: string; since: string },
  signal?: AbortSignal,
): Promise<Told[]> => newestEvents(engine, { type: 'session.status', sessionId, since }, signal);
