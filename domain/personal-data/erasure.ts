import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId, ErasureId } from '../ids.ts';
import { AgencyField } from '../scope.ts';

/** The steps of an erasure, in their order. */
export const ERASURE_STEP_TEXTS = {
  messages: 'The messages of the person are deleted, batch by batch, with everything that belongs to them.',
  person:
    'The person is deleted at one moment: addresses, conversations, memories, turns and what is left of messages.',
  files: 'The files are deleted from the store.',
  records: 'Other records of the person are deleted or blanked: raw events, events, stored responses.',
  done: 'Nothing is left to do.',
} as const;

export type ErasureStep = keyof typeof ERASURE_STEP_TEXTS;
export const ERASURE_STEPS = Object.keys(ERASURE_STEP_TEXTS) as [ErasureStep, ...ErasureStep[]];

/** Reasons why an erasure waits. */
export const ERASURE_WAIT_TEXTS = {
  send_under_way: 'A message to the person is being sent; its outcome must be known first.',
  just_said:
    'A message was sent or received in the last two seconds. The network reports whole seconds, so the erasure waits until that message is clearly older.',
  event_unapplied: 'An event of the backend that names the person is not applied yet.',
  transaction_under_way:
    'A transaction that began before the person was deleted has not ended, or an event is posted that was read before it was blanked.',
  rows_left: 'Rows of the person were found after the last step. They are deleted before it ends.',
} as const;
export type ErasureWait = keyof typeof ERASURE_WAIT_TEXTS;

export const EraseContact = z
  .strictObject({
    agencyId: AgencyField,
    actor: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'The person who requests it, 1 to 128 characters.' }),
  })
  .meta({ id: 'EraseContact', description: 'The person who requests the erasure.' });

/** Deleted or blanked rows of an erasure, by table; `files` counts files of the store. */
export const ErasureCounts = z.record(z.string(), z.int());
export type ErasureCounts = z.output<typeof ErasureCounts>;

export const ErasureView = z
  .object({
    id: ErasureId,
    contactId: ContactId.meta({ description: 'The contact that is erased. No contact has this id afterwards.' }),
    status: z.enum(['running', 'done']).meta({ description: 'Whether it has ended.' }),
    step: z.string().meta({
      enum: [...ERASURE_STEPS],
      description: explained('How far it is.', ERASURE_STEP_TEXTS),
    }),
    waitsFor: z
      .string()
      .nullable()
      .meta({
        enum: [...Object.keys(ERASURE_WAIT_TEXTS), null],
        description: explained('The reason for the wait. Null while it continues.', ERASURE_WAIT_TEXTS),
      }),
    erased: ErasureCounts.meta({
      description:
        'Rows deleted or blanked so far, by table. `files` counts stored files, including those of withdrawn ' +
        'exports.\n\nA row that was first blanked and then deleted counts twice.',
    }),
    kept: z
      .array(z.string())
      .meta({ description: 'Data that remains after an erasure, and for how long: backups, and texts of others.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was requested.' }),
    erasedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'From then on, the person is unknown. Null before that moment.' }),
    endedAt: z.iso.datetime().nullable().meta({ description: 'When it ended. Null before that.' }),
  })
  .meta({ id: 'Erasure', description: 'The erasure of one person: its progress, and what was erased where.' });
export type ErasureView = z.infer<typeof ErasureView>;

/** Data that an erasure does not reach, in the words of its report. */
export const ERASURE_KEEPS: readonly string[] = [
  'Backups of the database and of the store keep what they held until they are deleted; if you restore one, repeat the erasures made since.',
  'The bytes of deleted rows in the files of PostgreSQL, until it cleans them up by itself (autovacuum), and in its log.',
  'Texts of other people about the person, in their messages and in memories of other contacts.',
  'Events delivered to webhook endpoints before; contact.erased asks their owners to delete them.',
  'Prompts sent to the provider of the model before, and their copies in its cache.',
  "Excerpts of receivers' responses to events that are older than the events themselves are kept, for up to 98 days.",
  'Files that were uploaded and that no message has named, for up to 25 hours.',
  'Requests for rehearsals that were written without naming a conversation, for up to 7 days.',
  "The person's membership of groups, once the network lists them again, and their entry in the " +
    "account's address book.",
  'Idempotency-Key and X-Request-Id values that clients chose, for 48 hours and up to 38 days.',
  'This report: ids, numbers and times. Keyed digests of the addresses, so that late reports from before the erasure are recognized and ignored.',
];
