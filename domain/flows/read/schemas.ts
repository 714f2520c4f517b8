import { z } from 'zod';
import { TextFilter } from '../../automations/text-filter.ts';
import { Duration } from '../duration.ts';

/** Names of tasks and of cases of a `switch`. */
export const TASK_NAME = /^[a-z][\w-]{0,63}$/i;
const VARIABLE = /^[a-z]\w{0,31}$/i;
const RESERVED = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while int uint double bool string bytes list map null_type type dyn timestamp duration has size output'
  ).split(' '),
);

const expression = z.string().min(1).max(2_100);
const from = z.strictObject({ from: z.unknown() }).optional();
const as = z.strictObject({ as: z.unknown() }).optional();

/** The properties that every task has. */
const COMMON = {
  if: expression.optional(),
  input: from,
  output: as,
  export: as,
  then: z.string().min(1).max(64).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
};

const variable = z
  .string()
  .regex(VARIABLE, 'must be a name: a letter, then at most 31 letters, digits and `_`')
  .refine((name) => !RESERVED.has(name), 'must be no word of CEL');
const list = z.array(z.unknown());

const policy = z.strictObject({
  delay: Duration.optional(),
  backoff: z
    .union(
      [
        z.strictObject({ constant: z.strictObject({}) }),
        z.strictObject({ linear: z.strictObject({}) }),
        z.strictObject({ exponential: z.strictObject({}) }),
      ],
      { error: 'must be `constant: {}`, `linear: {}` or `exponential: {}`' },
    )
    .optional(),
  limit: z.strictObject({ attempt: z.strictObject({ count: z.int().min(1).max(10) }) }),
});

const error = z.strictObject({
  type: z.string().min(1).max(200),
  status: z.union([z.int().min(100).max(599), z.string().max(2_000)]),
  title: z.string().min(1).max(500),
  detail: z.string().max(2_000).optional(),
});

const filter = z.strictObject({
  with: z.strictObject({
    type: z.literal('message', {
      error: 'must be `message`: a run ends when a person takes over, and other events do not reach it',
    }),
    text: TextFilter.optional(),
  }),
});
const filters = z.array(filter).min(1).max(10);

/**
 * The schemas of the tasks, by the property that tells their kind. Values that may hold anything are unknown here: the
 * source is JSON already, and a second look at a large one would cost more than everything else.
 */
export const TASKS = {
  set: z.strictObject({ ...COMMON, set: z.record(z.string().min(1).max(128), z.unknown()) }),
  switch: z.strictObject({
    ...COMMON,
    switch: z
      .array(
        z.record(
          z.string().regex(TASK_NAME, 'is no name of a case'),
          z.strictObject({ when: expression.optional(), then: z.string().min(1).max(64).optional() }),
        ),
      )
      .min(1)
      .max(50),
  }),
  for: z.strictObject({
    ...COMMON,
    for: z.strictObject({ each: variable.optional(), in: expression, at: variable.optional() }),
    while: expression.optional(),
    do: list,
  }),
  wait: z.strictObject({ ...COMMON, wait: z.unknown() }),
  call: z.strictObject({ ...COMMON, call: z.string().max(100), with: z.unknown().optional() }),
  try: z.strictObject({
    ...COMMON,
    try: list,
    catch: z.strictObject({
      errors: z
        .strictObject({
          with: z.strictObject({
            type: z.string().max(200).optional(),
            status: z.int().min(100).max(599).optional(),
            title: z.string().max(500).optional(),
          }),
        })
        .optional(),
      as: variable.optional(),
      when: expression.optional(),
      exceptWhen: expression.optional(),
      retry: policy.optional(),
      do: list.optional(),
    }),
  }),
  raise: z.strictObject({ ...COMMON, raise: z.strictObject({ error }) }),
  listen: z.strictObject({
    ...COMMON,
    listen: z.strictObject({
      to: z.union(
        [z.strictObject({ one: filter }), z.strictObject({ any: filters }), z.strictObject({ all: filters })],
        { error: 'must have `one`, `any` or `all`' },
      ),
    }),
    timeout: z.strictObject({ after: Duration }).optional(),
  }),
  do: z.strictObject({ ...COMMON, do: list }),
} as const;

export type TaskKind = keyof typeof TASKS;
/** The order in which a property tells the kind: a `for` has a `do` too. */
export const TASK_KINDS = [
  'set',
  'switch',
  'for',
  'wait',
  'call',
  'try',
  'raise',
  'listen',
  'do',
] as const satisfies readonly TaskKind[];
