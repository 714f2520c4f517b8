import type { z } from 'zod';
import type { EventPayload } from './event.ts';
import { RecoveredEventPayload, SilentEventPayload } from './silence-events.ts';

// A file of its own, because the catalogue is as long as a file may be.

const session = { sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061', name: 'wa_agency_acme_tenant_shop' };
const SINCE = '2026-03-02T07:41:10.000Z';
const timestamp = Date.parse('2026-03-02T09:30:00.000Z') / 1_000;

/** The events about sessions that say that they work and tell of nothing, with their examples. */
export const SILENCE_ENTRIES = {
  'session.silent': {
    title: 'A session says that it works but reports nothing',
    when: 'A session is WORKING, but its backend shows messages that it has not reported, or it has heard nothing for far longer than is usual for it. The engine fetches what was missed and restarts it.',
    payload: SilentEventPayload,
    example: {
      event: 'session.silent',
      payload: { ...session, reason: 'messages_missed', since: SINCE, missed: 3, timestamp },
    },
  },
  'session.recovered': {
    title: 'A silent session hears again',
    when: 'A session that was reported as silent heard a contact, or none of its messages was missed for a while.',
    payload: RecoveredEventPayload,
    example: {
      event: 'session.recovered',
      payload: { ...session, reason: 'heard', silentSince: SINCE, restarts: 1, timestamp },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
