import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId, ContactId, EventId, MessageId, SessionId } from '../ids.ts';

const EXECUTION_STATUS_TEXTS = {
  running: 'It is working, or waits for something.',
  completed: 'It reached its end.',
  failed: 'It could not continue; the reason says why.',
  cancelled: 'It was stopped; the reason says why.',
} as const;

export const EXECUTION_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
export const ExecutionStatus = z.enum(EXECUTION_STATUSES).meta({
  description: explained('How far it is.', EXECUTION_STATUS_TEXTS),
});

export const EXECUTION_REASON_TEXTS = {
  requested: 'It was cancelled by request.',
  replaced: 'Another run was requested with the same key.',
  switched_off: 'Its automation was switched off.',
  stopped: 'The operator has stopped automations, for the agency or for all.',
  suspended: 'The dashboard is suspended.',
  taken_over: 'A person took the conversation over, or did something in it.',
  no_longer_so: 'Its cause was over before it acted: a person answered, or the message was read.',
  opted_out: 'The contact wants no more messages.',
  conversation_gone: 'Its conversation no longer exists, or it began without one and its code needs one.',
  unknown_definition: 'This release has no such automation.',
  code_changed:
    'It was begun again with other code: a step has another name than the step that it took before at that place.',
  code_failed: 'Its code threw an error; the execution in Temporal shows which.',
  label_unknown: 'The account has no label with the name that it adds or removes.',
  not_supported_by_engine: "The session's engine does not support what a step needs.",
  session_not_ready: 'The account was not connected for minutes when a step needed it.',
  backend_unavailable: 'The messaging backend did not do what a step needs, however often it was asked.',
  endpoint_unusable: 'The endpoint that it calls is paused, disabled or deleted.',
  webhook_failed: 'The endpoint that it calls refused or did not respond, however often it was asked.',
  answer_unfit: "The endpoint's response is not what the automation reads.",
  budget_spent: "The agent's tokens of the day were used up when it asked the model.",
  model_failed: 'No model gave an answer that the automation could read, however often one was asked.',
  step_failed: 'A step failed however often it was tried; the execution in Temporal shows how.',
  too_many_running: 'The agency had reached its limit of runs at a time, so this run did not begin.',
  too_many_started: 'The agency had reached its limit of runs begun within a minute, so this run did not begin.',
  http_failed: 'An HTTP request of the workflow failed, however often it was sent.',
  secret_missing: 'The agency has no secret with this name for the host that the workflow calls.',
  workflow_raised: 'A task of the workflow raised an error that nothing caught.',
  workflow_too_long: 'It took more steps than a run of a workflow may.',
  workflow_too_large: 'Its data grew larger than a run of a workflow may hold.',
  expression_failed: 'An expression of the workflow failed, or needed too much time or memory.',
  too_many_calls: 'It, or its tenant in an hour, made more calls to other systems than workflows may.',
  lost: 'Its workflow no longer exists. Run it again if you still need it.',
} as const;
export type ExecutionReason = keyof typeof EXECUTION_REASON_TEXTS;

export const ExecutionReasonField = z
  .string()
  .nullable()
  .meta({
    enum: [...Object.keys(EXECUTION_REASON_TEXTS), null],
    description: explained('Why it failed or was cancelled. Null otherwise.', EXECUTION_REASON_TEXTS),
  });

/** The reasons for which a step is not done, and the execution ends. */
export type StopReason = Extract<
  ExecutionReason,
  | 'requested'
  | 'switched_off'
  | 'stopped'
  | 'suspended'
  | 'taken_over'
  | 'no_longer_so'
  | 'opted_out'
  | 'conversation_gone'
>;

/** The reasons for which a step cannot be done, so that the execution fails unless its code goes on without. */
export type StepFailure = Extract<
  ExecutionReason,
  | 'label_unknown'
  | 'not_supported_by_engine'
  | 'session_not_ready'
  | 'backend_unavailable'
  | 'endpoint_unusable'
  | 'webhook_failed'
  | 'answer_unfit'
  | 'http_failed'
  | 'secret_missing'
  | 'budget_spent'
  | 'model_failed'
  | 'step_failed'
>;

/** The cause of an execution: an event or a request. */
export const Begun = z.object({
  event: z.string().meta({ description: 'The type of the event that began it; `request` if a request did.' }),
  eventId: EventId.optional(),
  messageId: MessageId.optional(),
  optOut: z
    .enum(['out', 'in'])
    .optional()
    .meta({ description: 'Whether the message opted its contact out, or in again. Missing otherwise.' }),
});
export type Begun = z.infer<typeof Begun>;

/** Everything that an execution's code is told. */
export interface ExecutionFacts {
  executionId: string;
  definition: string;
  /** The version of the code that began it; null where this release has no such automation. */
  version: number | null;
  params: Record<string, unknown>;
  /** The times, numbers and flags of what the request said; what a person may read never goes to Temporal. */
  input?: Readonly<Record<string, string | number | boolean>>;
  conversationId: string | null;
  contactId: string | null;
  sessionId: string | null;
  begun: Begun;
}

const StepView = z.object({
  name: z.string().meta({ description: 'The action that it took.' }),
  path: z.string().nullable().meta({
    description: "The task of the workflow's definition, as a JSON pointer. Null for an automation in code.",
  }),
  detail: z.record(z.string(), z.unknown()).meta({ description: 'The ids of the results.' }),
  startedAt: z.iso.datetime().meta({ description: 'When it began.' }),
  endedAt: z.iso.datetime().nullable().meta({ description: 'When it was done. Null until then.' }),
});

export const ExecutionId = z
  .string()
  .min(1)
  .max(128)
  .meta({ description: 'The id of an execution.', examples: ['exe_019b76da-a800-7c3e-9d52-5f0c1b7a64e1'] });

export const ExecutionView = z
  .object({
    id: ExecutionId,
    automation: z.string().meta({ description: 'The name of the automation.' }),
    version: z.int().nullable().meta({
      description: 'The version of the workflow, or of the code that began it. Null until the code has begun.',
    }),
    sessionId: SessionId.nullable().meta({ description: 'The account that it acts for. Null if it has none.' }),
    conversationId: ConversationId.nullable().meta({ description: 'Its conversation. Null if it has none.' }),
    contactId: ContactId.nullable().meta({ description: 'Its contact. Null if it has none.' }),
    begun: Begun.meta({ description: 'The event that began it.' }),
    status: ExecutionStatus,
    reason: ExecutionReasonField,
    failedPath: z.string().nullable().meta({
      description: "The task of the workflow's definition at which it failed, as a JSON pointer. Otherwise null.",
    }),
    waitsFor: z
      .string()
      .nullable()
      .meta({
        description:
          'The reason for the wait: `reply`, `ack` or `time`; `turn` if the agency has many runs at work. ' +
          'Otherwise null.',
      }),
    waitsUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Until when it waits, at the latest. Null while it does not wait.' }),
    retryOf: ExecutionId.nullable().meta({
      description: 'The run that it repeats from the start. Null if there is none.',
    }),
    workflowId: z.string().nullable().meta({
      description:
        'Its id in Temporal. Null if it has no execution there: it waits for its turn, or ended while it did.',
    }),
    temporalUrl: z.url().nullable().meta({
      description: "Its address in Temporal's web UI. Null if it has no execution, or the engine no `TEMPORAL_UI_URL`.",
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was requested.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null while it runs.' }),
  })
  .meta({ id: 'Execution', description: 'One run of an automation.' });
export type ExecutionView = z.infer<typeof ExecutionView>;

export const ExecutionStory = ExecutionView.extend({
  params: z.record(z.string(), z.unknown()).meta({ description: 'The parameters with which it began.' }),
  retriedBy: ExecutionId.nullable().meta({ description: 'The run that repeats it. Null if there is none.' }),
  steps: z.array(StepView).meta({ description: 'Its steps so far, in order.' }),
}).meta({ id: 'ExecutionStory', description: 'One run of an automation, with its steps.' });
