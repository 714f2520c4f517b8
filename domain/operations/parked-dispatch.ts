import { z } from 'zod';

const ACTION_TEXTS = {
  start: 'A workflow was to be started.',
  signal: 'A workflow was to be told something.',
  signal_with_start: 'A workflow was to be told something, and started where it did not run.',
} as const;

export const DISPATCH_ACTIONS = ['start', 'signal', 'signal_with_start'] as const;

export const ParkedDispatchView = z
  .object({
    id: z.string().meta({ description: 'Its number.', examples: ['4711'] }),
    agencyId: z.string().meta({ description: 'The agency whose work it is; empty for work of the engine itself.' }),
    action: z.enum(DISPATCH_ACTIONS).meta({
      description: Object.entries(ACTION_TEXTS)
        .map(([action, text]) => `\`${action}\`: ${text}`)
        .join(' '),
    }),
    workflowType: z.string().meta({ description: 'The type of the workflow.' }),
    workflowId: z.string().meta({ description: "The workflow's id in Temporal." }),
    temporalUrl: z.url().nullable().meta({
      description: "Where Temporal's web UI shows it, if it runs. Null where the engine has no `TEMPORAL_UI_URL`.",
    }),
    error: z.string().nullable().meta({ description: 'What Temporal, or the engine, said when it was tried last.' }),
    attempts: z.int().meta({ description: 'How often it was tried.' }),
    createdAt: z.iso.datetime().meta({ description: 'When the work was promised.' }),
    parkedAt: z.iso.datetime().nullable().meta({ description: 'When it was given up. Null once it is tried again.' }),
  })
  .meta({
    id: 'ParkedDispatch',
    description: 'A promise to Temporal that was refused for good, and waits for somebody.',
  });
export type ParkedDispatchView = z.infer<typeof ParkedDispatchView>;
