import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import {
  definitionOf,
  EVENT_TRIGGERS,
  FLOW_FUNCTIONS,
  parseFlow,
  READY_FLOWS,
  readyFlow,
} from '../../../../domain/flows/index.ts';
import { controlFor, fieldsOf, readTyped, shownOf } from '../../../../packages/console/pages/workflows/model/forms.ts';
import type { FormField } from '../../../../packages/console/pages/workflows/model/forms.ts';
import {
  asJson,
  objectOf,
  textOf,
  valueAt,
  withValue,
} from '../../../../packages/console/pages/workflows/model/json.ts';
import type { Json } from '../../../../packages/console/pages/workflows/model/json.ts';
import { spanOf, spanValue } from '../../../../packages/console/pages/workflows/model/duration.ts';
import { startOf, withStart } from '../../../../packages/console/pages/workflows/model/start.ts';
import {
  allSteps,
  duplicateStep,
  moveStep,
  removeStep,
  renameStep,
} from '../../../../packages/console/pages/workflows/model/steps.ts';

const formOf = (schema: z.ZodType): FormField[] => fieldsOf(objectOf(asJson(z.toJSONSchema(schema, { io: 'input' }))));

const FUNCTION_FIELDS = new Map(Object.entries(FLOW_FUNCTIONS).map(([name, { input }]) => [name, formOf(input)]));
const READY = READY_FLOWS.map((name): [string, Json] => [name, asJson(definitionOf(readyFlow(name), 'yaml'))]);

interface Field {
  field: FormField;
  pointer: string;
}

/** Every field that the form shows for the definition. */
const fieldsShown = (definition: Json): Field[] => {
  const start = startOf(definition);
  const trigger = start.by === 'event' ? EVENT_TRIGGERS.find(({ type }) => type === start.type) : undefined;
  const filters = (trigger ? formOf(trigger.filters) : []).map((field) => ({
    field,
    pointer: `/schedule/on/one/with/${field.name}`,
  }));
  const called = allSteps(definition).flatMap(({ pointer, task }) =>
    (FUNCTION_FIELDS.get(textOf(task['call'])) ?? []).map((field) => ({
      field,
      pointer: `${pointer}/with/${field.name}`,
    })),
  );
  return [...filters, ...called];
};

/** Writes a value as the control of its field does, without a change by the person. */
const rewritten = (definition: Json, { field, pointer }: Field): Json => {
  const value = valueAt(definition, pointer);
  if (value === undefined) return definition;
  const control = controlFor(field, value);
  if (control === 'group')
    return field.fields.reduce(
      (before, each) => rewritten(before, { field: each, pointer: `${pointer}/${each.name}` }),
      definition,
    );
  if (control === 'always') return withValue(definition, pointer, field.only);
  const span = control === 'duration' ? spanOf(value) : null;
  if (span) return withValue(definition, pointer, spanValue(span, value));
  const read = readTyped(control, shownOf(control, value), value);
  if (read === null) throw new Error(`The form cannot read what it shows at ${pointer}.`);
  return withValue(definition, pointer, read.value);
};

const throughTheForm = (definition: Json): Json =>
  withStart(fieldsShown(definition).reduce(rewritten, definition), startOf(definition));

const word = fc.constantFrom('a', 'ask', 'line\nline', ' spaced ', '${ input.text }', '', 'ü "quoted" ~/x');
const anything = fc.jsonValue({ maxDepth: 2 }).map(asJson);
const given = fc.dictionary(
  fc.constantFrom('text', 'within', 'choices', 'ownsFor', 'assignee', 'among', 'reason', 'days', 'mode', 'unknown'),
  fc.oneof(
    word,
    anything,
    fc.boolean(),
    fc.integer(),
    fc.constantFrom<Json>('PT1H', 'P2W', { days: 1 }, { hours: 1, minutes: 2 }, { days: '${ params.days }' }, [
      { id: 'yes', text: 'Yes' },
    ]),
  ),
  { maxKeys: 5 },
);
const { list } = fc.letrec<{ list: Json[]; task: Json }>((tie) => ({
  task: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ call: fc.constantFrom(...Object.keys(FLOW_FUNCTIONS), 'other'), with: given }).map(asJson),
    anything,
    fc.record({ if: word, do: tie('list') }).map(asJson),
    fc.record({ try: tie('list'), catch: fc.record({ do: tie('list') }) }).map(asJson),
    fc.record({ for: fc.record({ in: word }), do: tie('list') }).map(asJson),
  ),
  list: fc.array(
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc
          .tuple(fc.constantFrom('a', 'b', 'c', 'x/y'), tie('task'))
          .map(([name, task]) => asJson({ [name]: task })),
      },
      { weight: 1, arbitrary: anything },
    ),
    { maxLength: 3 },
  ),
}));
const filter = fc.record(
  {
    type: fc.constantFrom('message', 'conversation.labelled', 'unread', 'new.event'),
    isFirst: fc.oneof(fc.boolean(), word),
    isReply: fc.constant(false),
    text: fc.oneof(anything, fc.constant({ is: 'equal', words: ['a', ' b '] })),
    label: word,
    kinds: fc.array(fc.constantFrom('text', 'image'), { maxLength: 2 }),
    forMinutes: fc.oneof(fc.integer(), word),
  },
  { requiredKeys: ['type'] },
);
const schedule = fc.oneof(
  anything,
  fc.record({ cron: fc.constantFrom('0 9 * * 1-5', '00 09 * * 7', '5 25 * * *', '0 9 1 * *', '0 9 * * 1-') }),
  fc.constant({ every: { days: 1 } }),
  filter.map((with_) => ({ on: { one: { with: with_ } } })),
);
const definitions = fc.record({ document: anything, schedule, extra: anything, do: list }).map(asJson);

describe('a definition that goes through the form', () => {
  it.each(READY)('stays as it is: %s', (_name, definition) => {
    expect(fieldsShown(definition).length).toBeGreaterThan(0);
    expect(JSON.stringify(throughTheForm(definition))).toBe(JSON.stringify(definition));
  });

  it('stays as it is, whatever is written in it', () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        expect(JSON.stringify(throughTheForm(definition))).toBe(JSON.stringify(definition));
      }),
    );
  });
});

const tasksOf = (definition: Json): string[] =>
  allSteps(definition)
    .filter(({ kind }) => kind !== null)
    .map(({ task }) => JSON.stringify(Object.keys(task)))
    .toSorted();

describe('an edit of the steps', () => {
  it.each(READY)('moves a step through the whole page without loss: %s', (_name, definition) => {
    for (const step of allSteps(definition)) {
      let now = definition;
      let { pointer } = step;
      for (let moves = 0; moves < 50; moves += 1) {
        const found = allSteps(now).find((each) => each.pointer === pointer);
        expect(found?.task).toEqual(step.task);
        const moved = found ? moveStep(now, found, 1) : null;
        if (moved === null) break;
        ({ definition: now, pointer } = moved);
        expect(tasksOf(now)).toEqual(tasksOf(definition));
      }
      for (let moves = 0; moves < 50; moves += 1) {
        const found = allSteps(now).find((each) => each.pointer === pointer);
        const moved = found ? moveStep(now, found, -1) : null;
        if (moved === null) break;
        ({ definition: now, pointer } = moved);
        expect(tasksOf(now)).toEqual(tasksOf(definition));
      }
      expect(allSteps(now).findIndex((each) => each.pointer === pointer)).toBe(0);
    }
  });

  it.each(READY)('leaves a definition valid that duplicates, renames and removes: %s', (_name, definition) => {
    for (const step of allSteps(definition)) {
      const twice = duplicateStep(definition, step);
      const copy = allSteps(twice.definition).find(({ pointer }) => pointer === twice.pointer);
      if (!copy) throw new Error('The copy is missing.');
      expect(copy.task).toEqual(step.task);
      expect(removeStep(twice.definition, copy)).toEqual(definition);
      const renamed = renameStep(definition, step, 'renamed');
      expect(valueAt(renamed.definition, renamed.pointer)).toBeDefined();
      expect(parseFlow(renamed.definition, 'json')).toHaveProperty('flow');
    }
  });
});
