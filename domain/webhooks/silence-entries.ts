import type { z } from 'zod';
import type { EventPayload } from './event.ts';
import { RecoveredEventPayload, SilentEventPayload } from './silence-events.ts';

const session = { sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061', name: 'wa_agency_acme_tenant_shop' };
const SINCE = '2026-03-02T07:41:10.000Z';
const timestamp = Date.parse('2026-03-02T09:30:00.000Z') / 1_000;

/** The events about sessions that say that they work and tell of nothing, with their examples. */
export const SILENCE_ENTRIES = {
  'session.silent': {
    title: 'A session says that it works, and tells of nothing',
    when: 'A session is WORKING, but its backend shows messages that it has not told of, or it has heard nothing for far longer than is usual for it. The engine fetches what was missed and restarts it.',
    payload: SilentEventPayload,
    example: {
      event: 'session.silent',
      payload: { ...session, reason: 'messages_missed', since: SINCE, missed: 3, timestamp },
    },
  },
  'session.recovered': {
    title: 'A silent session hears again',
    when: 'A session that was told as silent has heard a contact, or nothing of it was missed for a while.',
    payload: RecoveredEventPayload,
    example: {
      event: 'session.recovered',
      payload: { ...session, reason: 'heard', silentSince: SINCE, restarts: 1, timestamp },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
