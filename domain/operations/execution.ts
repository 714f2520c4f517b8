import { z } from 'zod';
import { EXECUTION_STATUSES } from '../automations/execution.ts';
import { explained } from '../explained.ts';
import { ContactId, ConversationId, MessageId, SessionId } from '../ids.ts';

const KIND_TEXTS = {
  automation: 'A run of an automation.',
  ai: "A turn of the agent. Its execution in Temporal is the conversation's.",
  actions: 'A requested edit, deletion for everyone or reaction. Its execution in Temporal is that of its message.',
  rehearsal: 'Personas that are rehearsed on a conversation.',
  erasure: 'The erasure of a person.',
  export: "An export of the tenant's data.",
} as const;

/** The kinds of what begins and ends for a tenant, by the first part of the ids in Temporal. */
export const EXECUTION_KINDS = ['automation', 'ai', 'actions', 'rehearsal', 'erasure', 'export'] as const;
export type ExecutionKind = (typeof EXECUTION_KINDS)[number];
export const ExecutionKind = z.enum(EXECUTION_KINDS).meta({ description: explained('The kind of work.', KIND_TEXTS) });

const STATUS_TEXTS = {
  running: 'It is working, or waits for something.',
  completed: 'It reached its end. For a turn of the agent, this includes a decision to stay silent.',
  failed:
    'It could not be done, or it is not known whether it was done. A turn of the agent that no model answered has failed, even if another turn takes up its messages.',
  cancelled: 'It was stopped.',
} as const;

export const EngineExecutionStatus = z
  .enum(EXECUTION_STATUSES)
  .meta({ description: explained('How far it is.', STATUS_TEXTS) });

export const EngineExecutionView = z
  .object({
    id: z.string().meta({
      description: 'The id of the object that is executed.',
      examples: ['trn_019a8f3e-8b10-7f12-9c4d-5e6f70819203'],
    }),
    kind: ExecutionKind,
    status: EngineExecutionStatus,
    reason: z.string().nullable().meta({
      description: 'Why it ended as it did, or what it waits for, in the words of the object at `path`; or null.',
    }),
    sessionId: SessionId.nullable().meta({ description: 'The account that it acts for. Null if it has none.' }),
    conversationId: ConversationId.nullable().meta({ description: 'Its conversation. Null if it has none.' }),
    contactId: ContactId.nullable().meta({ description: 'Its contact. Null if it has none.' }),
    messageId: MessageId.nullable().meta({
      description: 'The message that an action applies to. Null for any other kind.',
    }),
    path: z.string().meta({
      description: 'The address in this API that shows it in full.',
      examples: [
        '/api/v1/conversations/cnv_019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f/turns/trn_019a8f3e-8b10-7f12-9c4d-5e6f70819203',
      ],
    }),
    workflowId: z
      .string()
      .nullable()
      .meta({
        description:
          'The id of its execution in Temporal. Null if it has none: a run that waits for its turn, or a turn in which ' +
          'the agent was known to be silent.',
      }),
    temporalUrl: z.url().nullable().meta({
      description: "Its address in Temporal's web UI. Null if it has no execution, or the engine no `TEMPORAL_UI_URL`.",
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was requested, or began.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null while it runs.' }),
  })
  .meta({
    id: 'EngineExecution',
    description: 'Something that the engine does for a tenant, from its beginning to its end.',
  });
export type EngineExecutionView = z.infer<typeof EngineExecutionView>;
