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
    title: 'A session is silent',
    when:
      'A working session reported no events for unusually long, or missed messages. The engine fetches ' +
      'them and restarts the session.',
    payload: SilentEventPayload,
    example: {
      event: 'session.silent',
      payload: { ...session, reason: 'messages_missed', since: SINCE, missed: 3, timestamp },
    },
  },
  'session.recovered': {
    title: 'A silent session recovered',
    when: 'A silent session received a message again, or missed none for a while.',
    payload: RecoveredEventPayload,
    example: {
      event: 'session.recovered',
      payload: { ...session, reason: 'heard', silentSince: SINCE, restarts: 1, timestamp },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
