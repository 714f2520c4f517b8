import { z } from 'zod';
import { ConversationId } from '../../ids.ts';
import { Target } from '../../scope.ts';
import { SessionState } from '../../sessions/session.ts';
import { InboundKind } from '../../sending/message-kind.ts';
import { ASSUMED_ACKS, DRY_RUN_BOUNDS } from './task.ts';

const MAX_TEXT_LENGTH = 4_000;
const MAX_WORD_LENGTH = 128;
const MAX_DEFINITION_LENGTH = 1_048_576;
const at = z.iso.datetime({ offset: true }).meta({ description: 'When.', examples: ['2026-03-02T09:30:00Z'] });
const text = z.string().max(MAX_TEXT_LENGTH).default('').meta({ description: 'The text.' });

const GivenEvent = z
  .discriminatedUnion('event', [
    z.strictObject({
      event: z.literal('message').meta({ description: 'A message.' }),
      from: z.enum(['contact', 'us']).meta({ description: 'The author.' }),
      at,
      text,
      kind: InboundKind.default('text'),
      button: z.string().max(MAX_WORD_LENGTH).optional().meta({
        description: 'The name of the text whose button the contact pressed.',
      }),
      readAt: z.iso.datetime({ offset: true }).optional().meta({
        description: 'When the contact read it; only for our own messages. If omitted, never.',
      }),
    }),
    z.strictObject({
      event: z.enum(['conversation.assigned', 'conversation.released']).meta({
        description: 'A person took the conversation over, or released it.',
      }),
      at,
    }),
    z.strictObject({
      event: z.literal('conversation.labelled').meta({ description: 'A label was added to the chat.' }),
      at,
      label: z.string().min(1).max(MAX_WORD_LENGTH).meta({ description: 'The name of the label.' }),
    }),
    z.strictObject({
      event: z.literal('session.status').meta({ description: 'The account changed its status.' }),
      at,
      status: SessionState,
    }),
  ])
  .meta({ description: 'An event that happened.' });
export type GivenEvent = z.output<typeof GivenEvent>;

export const DryRun = z
  .strictObject({
    ...Target,
    conversationId: ConversationId.optional().meta({
      description: 'The conversation whose history is used: its latest 500 messages, and who had it when.',
    }),
    events: z
      .array(GivenEvent)
      .max(DRY_RUN_BOUNDS.events)
      .optional()
      .meta({ description: 'The events that happen, in any order, instead of the history of a conversation.' }),
    contactName: z.string().max(MAX_WORD_LENGTH).optional().meta({
      description: 'With `events`: the name of the contact. If omitted, the name is not known.',
    }),
    params: z.record(z.string(), z.unknown()).optional().meta({
      description: "The parameters to try, by the schema of the definition. If omitted, the tenant's own.",
    }),
    begin: z
      .strictObject({
        at: z.iso.datetime({ offset: true }).optional().meta({
          description: 'When the run begins. If omitted, at the first event; without events, now.',
        }),
        input: z.record(z.string(), z.unknown()).optional().meta({
          description: 'The input, by the `input` schema of the definition.',
        }),
      })
      .optional()
      .meta({
        description:
          'Begins one run as a request would, instead of the runs that events begin. It needs neither ' +
          '`conversationId` nor `events`: without them, nobody writes.',
      }),
    answers: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "The answers that models and endpoints are assumed to give, by the names and forms of the definition's " +
          'answers. Nobody is asked: a run that depends on an answer missing here is `unfinished`.',
      }),
    definition: z
      .union([z.record(z.string(), z.unknown()), z.string().min(1).max(MAX_DEFINITION_LENGTH)])
      .optional()
      .meta({
        description: 'For a workflow: a definition to try instead of the stored one, as an object or as its text.',
      }),
    form: z.enum(['json', 'yaml']).optional().meta({
      description: 'For a `definition` that is a text: whether it is JSON or YAML. If omitted, JSON.',
    }),
    acked: z.enum(ASSUMED_ACKS).default('delivered').meta({
      description: 'How far the network is assumed to deliver, at once, what would be sent.',
    }),
  })
  .refine((body) => body.conversationId === undefined || body.events === undefined, {
    path: ['conversationId'],
    message: 'cannot be combined with `events`: give one of the two',
  })
  .meta({ id: 'DryRunAutomation', description: 'The conversation or events for a dry run, and the parameters.' });
export type DryRun = z.output<typeof DryRun>;
