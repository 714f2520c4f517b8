import { z } from 'zod';

const ACTION_TEXTS = {
  start: 'A workflow was to be started.',
  signal: 'A workflow was to receive a signal.',
  signal_with_start: 'A workflow was to receive a signal, and to be started if it did not run.',
} as const;

export const DISPATCH_ACTIONS = ['start', 'signal', 'signal_with_start'] as const;

export const ParkedDispatchView = z
  .object({
    id: z.string().meta({ description: 'Its number.', examples: ['4711'] }),
    agencyId: z.string().meta({ description: 'The agency whose work it is. Empty for work of the engine itself.' }),
    action: z.enum(DISPATCH_ACTIONS).meta({
      description: Object.entries(ACTION_TEXTS)
        .map(([action, text]) => `\`${action}\`: ${text}`)
        .join(' '),
    }),
    workflowType: z.string().meta({ description: 'The type of the workflow.' }),
    workflowId: z.string().meta({ description: "The workflow's id in Temporal." }),
    temporalUrl: z.url().nullable().meta({
      description: "Its address in Temporal's web UI, if it runs. Null if the engine has no `TEMPORAL_UI_URL`.",
    }),
    error: z.string().nullable().meta({ description: 'The report of Temporal or the engine at the last attempt.' }),
    attempts: z.int().meta({ description: 'The number of attempts.' }),
    createdAt: z.iso.datetime().meta({ description: 'When the work was promised.' }),
    parkedAt: z.iso.datetime().nullable().meta({ description: 'When the attempts ended. Null once it is retried.' }),
  })
  .meta({
    id: 'ParkedDispatch',
    description: 'Work promised to Temporal that was refused permanently and waits for a person.',
  });
export type ParkedDispatchView = z.infer<typeof ParkedDispatchView>;
