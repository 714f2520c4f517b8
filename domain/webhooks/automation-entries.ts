import type { z } from 'zod';
import { AutomationCompletedPayload, AutomationFailedPayload, AutomationStartedPayload } from './automation-events.ts';
import type { AutomationEvent } from './automation-events.ts';

const execution = {
  executionId: 'exe_019a8f3e-a100-7b32-8c4d-5e6f70819203',
  automation: 'ask-satisfaction',
  sessionId: 'ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061',
  conversationId: 'cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f',
  contactId: 'con_019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50',
};
const timestamp = Date.parse('2026-03-02T09:30:00.000Z') / 1_000;

/** The events about runs of automations, with their examples. */
export const AUTOMATION_ENTRIES = {
  'automation.started': {
    title: 'An automation started',
    when: 'A run of an automation began to work.',
    payload: AutomationStartedPayload,
    example: { event: 'automation.started', payload: { ...execution, timestamp } },
  },
  'automation.completed': {
    title: 'An automation ended',
    when: 'A run of an automation reached its end, or was stopped: a person took over, or it was cancelled or switched off.',
    payload: AutomationCompletedPayload,
    example: {
      event: 'automation.completed',
      payload: { ...execution, status: 'completed', reason: null, timestamp },
    },
  },
  'automation.failed': {
    title: 'An automation failed',
    when: 'A run of an automation could not continue, or could not begin because the agency had too many.',
    payload: AutomationFailedPayload,
    example: { event: 'automation.failed', payload: { ...execution, reason: 'code_failed', timestamp } },
  },
} satisfies Record<string, { title: string; when: string; payload: z.ZodType; example: AutomationEvent }>;
