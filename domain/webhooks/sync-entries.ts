import type { z } from 'zod';
import { SyncEventPayload } from '../sessions/sync-view.ts';
import type { EventPayload } from './event.ts';

// A file of its own, because the catalogue is as long as a file may be.

/** The event about the reading of an account's past, with its example. */
export const SYNC_ENTRIES = {
  'sync.progress': {
    title: 'A history sync progressed',
    when: "A run that reads an account's history makes progress: at most every five seconds, and once when it has ended.",
    payload: SyncEventPayload,
    example: {
      event: 'sync.progress',
      payload: {
        sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
        name: 'wa_agency_acme_tenant_shop',
        state: 'running',
        cause: 'first',
        startedAt: '2026-03-02T09:29:00.000Z',
        finishedAt: null,
        chats: 214,
        chatsLeft: 31,
        messages: 18_200,
        imported: 18_144,
        missed: 0,
        messagesPerSecond: 303.3,
        importedInAll: 18_144,
        limits: { messagesPerChat: 10_000, messagesPerSession: 500_000, since: null },
        isBounded: false,
        error: null,
        nextAt: null,
        timestamp: Date.parse('2026-03-02T09:30:00.000Z') / 1_000,
      },
    },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: EventPayload }>;
