import { t } from '../../../parts/words/t.ts';
import { controlFor, fieldsOf, ownField } from '../model/forms.ts';
import type { EventTrigger, FlowFunction, FormField } from '../model/forms.ts';
import { asJson, objectOf, textOf, valueAt } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import type { Step } from '../model/steps.ts';

interface Placed {
  field: FormField;
  at: string;
  label: string;
  /** The object that stays when it becomes empty: without it, the step would change its kind. */
  keeps?: string;
}

/** The filter of words is one schema of the engine, which the trigger of messages has too. */
const wordsOf = (triggers: readonly EventTrigger[]): FormField => {
  const message = triggers.find(({ type }) => type === 'message');
  const filters = fieldsOf(objectOf(asJson(message?.filters)));
  return filters.find(({ name }) => name === 'text') ?? ownField('text', 'json');
};

/** The fields of the kinds that are no call. */
export const fieldsOfKind = ({ kind, task }: Step, triggers: readonly EventTrigger[]): Placed[] => {
  switch (kind) {
    case 'wait':
      return [{ field: ownField('wait', 'duration', { isRequired: true }), at: '/wait', label: t('How long') }];
    case 'set':
      return [{ field: ownField('set', 'json', { isRequired: true }), at: '/set', label: t('Value') }];
    case 'for':
      return [
        {
          field: ownField('in', 'line', { hint: t('An expression of a list.') }),
          at: '/for/in',
          label: t('List'),
          keeps: '/for',
        },
        { field: ownField('each', 'line'), at: '/for/each', label: t('Name of each value'), keeps: '/for' },
        { field: ownField('while', 'line'), at: '/while', label: t('Only while') },
      ];
    case 'raise':
      return [
        { field: ownField('type', 'line'), at: '/raise/error/type', label: t('Type'), keeps: '/raise' },
        { field: ownField('status', 'number'), at: '/raise/error/status', label: t('Status'), keeps: '/raise' },
        { field: ownField('title', 'line'), at: '/raise/error/title', label: t('Title'), keeps: '/raise' },
      ];
    case 'listen': {
      const isOne = valueAt(task, '/listen/to/one/with') !== undefined;
      const filter = isOne
        ? {
            field: wordsOf(triggers),
            at: '/listen/to/one/with/text',
            label: t('Words'),
            keeps: '/listen/to/one/with',
          }
        : { field: ownField('to', 'json', { isRequired: true }), at: '/listen/to', label: t('Words') };
      return [filter, { field: ownField('after', 'duration'), at: '/timeout/after', label: t('Wait at most') }];
    }
    case 'try':
      return [
        {
          field: ownField('status', 'number'),
          at: '/catch/errors/with/status',
          label: t('Only errors with status'),
          keeps: '/catch',
        },
        {
          field: ownField('count', 'number'),
          at: '/catch/retry/limit/attempt/count',
          label: t('Attempts'),
          keeps: '/catch',
        },
        {
          field: ownField('delay', 'duration'),
          at: '/catch/retry/delay',
          label: t('Delay between attempts'),
          keeps: '/catch',
        },
      ];
    default:
      return [];
  }
};

export const calledBy = ({ task }: Step, functions: readonly FlowFunction[]): FlowFunction | undefined =>
  functions.find(({ name }) => name === textOf(task['call']));

/** A group shows the problems of its parts alone. */
const partsOf = (task: Json, { field, at }: Pick<Placed, 'field' | 'at'>): string[] =>
  controlFor(field, valueAt(task, at)) === 'group'
    ? field.fields.flatMap((each) => partsOf(task, { field: each, at: `${at}/${each.name}` }))
    : [at];

/** The pointers whose problems the fields of an open card show, so that the card does not tell them twice. */
export const shownPointers = (
  step: Step,
  functions: readonly FlowFunction[],
  triggers: readonly EventTrigger[],
): string[] => {
  if (step.kind === null) return [];
  const called = calledBy(step, functions);
  const given = called ? fieldsOf(objectOf(asJson(called.input))) : [];
  return [...given.map((field) => ({ field, at: `/with/${field.name}` })), ...fieldsOfKind(step, triggers)]
    .flatMap((placed) => partsOf(step.task, placed))
    .map((at) => `${step.pointer}${at}`);
};
