import { z } from 'zod';
import { ExecutionId, ExecutionReasonField } from '../automations/execution.ts';
import { ContactId, ConversationId, SessionId } from '../ids.ts';

const execution = {
  executionId: ExecutionId,
  automation: z.string().meta({ description: 'The name of the automation.' }),
  sessionId: SessionId.nullable().meta({ description: 'The account that it acts for. Null if it has none.' }),
  conversationId: ConversationId.nullable().meta({ description: 'Its conversation. Null if it has none.' }),
  contactId: ContactId.nullable().meta({ description: 'Its contact. Null if it has none.' }),
};
const timestamp = z.int().meta({ description: 'When this happened, in Unix seconds.' });

export const AutomationStartedPayload = z.object({ ...execution, timestamp });

export const AutomationCompletedPayload = z.object({
  ...execution,
  status: z.enum(['completed', 'cancelled']).meta({
    description: 'Whether it ran to its end or was stopped; `reason` says why.',
  }),
  reason: ExecutionReasonField,
  timestamp,
});

export const AutomationFailedPayload = z.object({ ...execution, reason: ExecutionReasonField, timestamp });

export type AutomationEvent =
  | { event: 'automation.started'; payload: z.infer<typeof AutomationStartedPayload> }
  | { event: 'automation.completed'; payload: z.infer<typeof AutomationCompletedPayload> }
  | { event: 'automation.failed'; payload: z.infer<typeof AutomationFailedPayload> };
