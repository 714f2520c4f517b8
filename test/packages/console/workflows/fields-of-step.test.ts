import { describe, expect, it } from '@jest/globals';
import { fieldsOfKind, shownPointers } from '../../../../packages/console/pages/workflows/edit/fields-of-step.ts';
import { asJson, without } from '../../../../packages/console/pages/workflows/model/json.ts';
import { NEW_TASKS } from '../../../../packages/console/pages/workflows/model/new-step.ts';
import { stepsOf } from '../../../../packages/console/pages/workflows/model/steps.ts';

const workflowOf = (task: unknown) => asJson({ do: [{ step: task }] });

const firstOf = (task: unknown) => {
  const [step] = stepsOf(workflowOf(task), '/do');
  if (!step) throw new Error('The workflow has no step.');
  return step;
};

describe('the fields of a step', () => {
  it.each(Object.entries(NEW_TASKS))('leave a %s its kind when all are emptied', (_name, task) => {
    const step = firstOf(task);
    const left = fieldsOfKind(step, [])
      .filter(({ field }) => !field.isRequired)
      .reduce(
        (before, { at, keeps = '' }) => without(before, `${step.pointer}${at}`, `${step.pointer}${keeps}`),
        workflowOf(task),
      );
    expect(stepsOf(left, '/do')[0]?.kind).toBe(step.kind);
  });

  it('must not be empty where they are the kind', () => {
    for (const task of [NEW_TASKS.wait, NEW_TASKS.set])
      expect(fieldsOfKind(firstOf(task), []).map(({ field }) => field.isRequired)).toEqual([true]);
  });

  it('show the problems of their own values, and the card shows those around them', () => {
    const shown = shownPointers(firstOf(NEW_TASKS.listen), [], []);
    expect(shown).toEqual(['/do/0/step/listen/to/one/with/text', '/do/0/step/timeout/after']);
    expect(shownPointers(firstOf(NEW_TASKS.raise), [], [])).not.toContain('/do/0/step/raise');
  });

  it('show the parts of a group, and the card shows what is wrong with the whole', () => {
    const input = {
      properties: { to: { type: 'object', properties: { name: { type: 'string' } } }, text: { type: 'string' } },
    };
    const functions = [{ name: 'write', kind: 'visible' as const, title: 'Write', summary: '', input, output: {} }];
    expect(shownPointers(firstOf({ call: 'write' }), functions, [])).toEqual([
      '/do/0/step/with/to/name',
      '/do/0/step/with/text',
    ]);
  });
});
