import type { LostCursor } from '../../db/webhooks/events/event-list.ts';
import { EngineError } from '../../domain/error.ts';

const LOST_CURSOR: Readonly<Record<LostCursor, string>> = {
  cursor_invalid:
    'The database was restored from an earlier time. Begin again with after=start; recognize by their event ids the events that you already have.',
  cursor_expired:
    'Events after this cursor were deleted when they were 30 days old. Begin again with after=start, which returns all events that are kept, and read in the inbox what happened before them.',
};

const RETRY_AFTER_SECONDS = 5;

export function lostCursor(lost: LostCursor): EngineError {
  return new EngineError(lost, LOST_CURSOR[lost]);
}

export function tooManyWaiting(detail: string): EngineError {
  return new EngineError('too_many_waiting', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
