import { z } from 'zod';
import { ConversationId } from '../../ids.ts';
import { Target } from '../../scope.ts';
import { SessionState } from '../../session.ts';
import { InboundKind } from '../../sending/message-kind.ts';
import { ASSUMED_ACKS, DRY_RUN_BOUNDS } from './task.ts';

const MAX_TEXT_LENGTH = 4_000;
const MAX_WORD_LENGTH = 128;
const at = z.iso.datetime({ offset: true }).meta({ description: 'When.', examples: ['2026-03-02T09:30:00Z'] });
const text = z.string().max(MAX_TEXT_LENGTH).default('').meta({ description: 'What it says.' });

const GivenEvent = z
  .discriminatedUnion('event', [
    z.strictObject({
      event: z.literal('message').meta({ description: 'A message.' }),
      from: z.enum(['contact', 'us']).meta({ description: 'Who wrote it.' }),
      at,
      text,
      kind: InboundKind.default('text'),
      button: z.string().max(MAX_WORD_LENGTH).optional().meta({
        description: 'The name of the text of the button that the contact pressed.',
      }),
      readAt: z.iso.datetime({ offset: true }).optional().meta({
        description: 'When the contact read it. Never when left out; only of our own messages.',
      }),
    }),
    z.strictObject({
      event: z.enum(['conversation.assigned', 'conversation.released']).meta({
        description: 'A person took the conversation over, or gave it back.',
      }),
      at,
    }),
    z.strictObject({
      event: z.literal('conversation.labelled').meta({ description: 'A label was put on the chat.' }),
      at,
      label: z.string().min(1).max(MAX_WORD_LENGTH).meta({ description: 'The name of the label.' }),
    }),
    z.strictObject({
      event: z.literal('session.status').meta({ description: 'The account changed its state.' }),
      at,
      status: SessionState,
    }),
  ])
  .meta({ description: 'Something that happened.' });
export type GivenEvent = z.output<typeof GivenEvent>;

export const DryRun = z
  .strictObject({
    ...Target,
    conversationId: ConversationId.optional().meta({
      description: 'The conversation whose past is taken: its latest 500 messages, and who had it when.',
    }),
    events: z
      .array(GivenEvent)
      .min(1)
      .max(DRY_RUN_BOUNDS.events)
      .optional()
      .meta({ description: 'What happens, instead of the past of a conversation, in any order.' }),
    contactName: z.string().max(MAX_WORD_LENGTH).optional().meta({
      description: 'The name of the contact, beside `events`. Nobody knows it when left out.',
    }),
    params: z.record(z.string(), z.unknown()).optional().meta({
      description: 'The parameters to try, by the schema of the definition. What the tenant has set when left out.',
    }),
    begin: z
      .strictObject({
        at: z.iso.datetime({ offset: true }).optional().meta({
          description: 'When. At the first event when left out.',
        }),
        input: z.record(z.string(), z.unknown()).optional().meta({
          description: 'What it is about, by the `input` of the definition.',
        }),
      })
      .optional()
      .meta({ description: 'Begins one run as a request would, instead of what the events begin.' }),
    answers: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "What models and endpoints are taken to answer, by the names and forms of the definition's answers. Nobody is asked: a " +
          'run that goes on by an answer that is left out here is `unfinished`.',
      }),
    acked: z.enum(ASSUMED_ACKS).default('delivered').meta({
      description: 'How far the network is taken to bring what would be sent, at once.',
    }),
  })
  .refine((body) => (body.conversationId === undefined) !== (body.events === undefined), {
    path: ['conversationId'],
    message: 'takes either this or `events`',
  })
  .meta({ id: 'DryRunAutomation', description: 'On what an automation is tried, and with what.' });
export type DryRun = z.output<typeof DryRun>;
