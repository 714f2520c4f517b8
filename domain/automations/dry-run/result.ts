import { z } from 'zod';
import { explained } from '../../explained.ts';
import { DefinitionName } from '../automation.ts';
import { Begun, EXECUTION_REASON_TEXTS } from '../execution.ts';

export const UNFINISHED_TEXTS = {
  too_many_steps: 'It takes more steps than a dry run follows.',
  too_long: 'It continues for longer than a year.',
  beyond_context: "It uses Temporal's own functions, which a dry run does not have.",
  waits_for_ever: 'It waits for something that its context does not know.',
  needs_answer: 'It depends on an answer that `answers` does not give.',
  out_of_bounds: 'It used more time or memory than a dry run has.',
} as const;

const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Detail = z.union([Plain, z.array(z.string()), z.record(z.string(), Plain)]);
export type DryStepDetail = Record<string, z.infer<typeof Detail>>;

export const DryStep = z.object({
  number: z.int().meta({ description: 'Its place in the run.' }),
  name: z.string().meta({ description: 'An action that it would take.' }),
  at: z.iso.datetime().meta({ description: 'When it would begin.' }),
  until: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'Until when it would wait, at the latest. Null if it does not wait.' }),
  endedAt: z.iso.datetime().nullable().meta({ description: 'When it would be done. Null if not known.' }),
  detail: z.record(z.string(), Detail).meta({
    description:
      'The result: `says` and `buttons` are the texts that the contact would read, `waitsFor` and `messageId` what ' +
      'it would wait for and find.',
  }),
});
export type DryStep = z.infer<typeof DryStep>;

export const DryRunOfOne = z.object({
  begun: Begun.extend({ at: z.iso.datetime().meta({ description: 'When it would begin.' }) }).meta({
    description: 'The event that would begin it.',
  }),
  status: z.enum(['completed', 'cancelled', 'failed', 'unfinished']).meta({
    description: explained('How it would end.', {
      completed: 'It would reach its end.',
      cancelled: 'Something would stop it; the reason says what.',
      failed: 'Its code would throw an error.',
      unfinished: 'It cannot be followed to its end; the reason says why.',
    }),
  }),
  reason: z
    .string()
    .nullable()
    .meta({
      enum: [...Object.keys(EXECUTION_REASON_TEXTS), ...Object.keys(UNFINISHED_TEXTS), null],
      description: explained(
        'Why it would not reach its end: a reason of a run, or one of these. Null if it would.',
        UNFINISHED_TEXTS,
      ),
    }),
  error: z
    .object({
      message: z.string().meta({ description: 'The error that the code threw.' }),
      at: z.string().nullable().meta({
        description: 'The file of the automation and the line, as `remind-later.ts:42`. Null if that is not known.',
      }),
    })
    .nullable()
    .meta({ description: 'The error that the code threw, if the reason is `code_failed`. Null otherwise.' }),
  endedAt: z.iso.datetime().meta({ description: 'The time to which it was followed.' }),
  steps: z.array(DryStep).meta({ description: 'The actions that it would take, in order.' }),
});
export type DryRunOfOne = z.infer<typeof DryRunOfOne>;

export const DryRunView = z
  .object({
    automation: DefinitionName,
    version: z.int().meta({ description: 'The version of its code.' }),
    params: z.record(z.string(), z.unknown()).meta({ description: 'The parameters with which it would run.' }),
    eventsRead: z.int().meta({ description: 'How many events of the conversation were looked at.' }),
    isCut: z.boolean().meta({
      description: 'True if older events or later runs were omitted: up to 500 events and 20 runs are used.',
    }),
    runs: z.array(DryRunOfOne).meta({ description: 'The runs that would have begun, in order of time.' }),
  })
  .meta({
    id: 'AutomationDryRun',
    description: 'The actions that an automation would have taken. Nothing was actually done.',
  });
export type DryRunView = z.infer<typeof DryRunView>;
