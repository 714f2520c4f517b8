import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { FLOW_FUNCTIONS } from '../../../../domain/flows/index.ts';
import { readSpan, spanOf, spanValue } from '../../../../packages/console/pages/workflows/model/duration.ts';
import { controlFor, fieldsOf, readTyped } from '../../../../packages/console/pages/workflows/model/forms.ts';
import { beginHistory, changed, redone, undone } from '../../../../packages/console/pages/workflows/model/history.ts';
import {
  asJson,
  objectOf,
  valueAt,
  without,
  withValue,
} from '../../../../packages/console/pages/workflows/model/json.ts';
import { lineOf, placeOf } from '../../../../packages/console/pages/workflows/model/places.ts';
import {
  paramsOf,
  startOf,
  withoutParam,
  withParam,
  withRequired,
  withStart,
} from '../../../../packages/console/pages/workflows/model/start.ts';
import {
  allSteps,
  insertStep,
  moveStep,
  renameStep,
} from '../../../../packages/console/pages/workflows/model/steps.ts';
import { conditionWords, startSentence, stepSentence } from '../../../../packages/console/pages/workflows/words.ts';

const schemaOf = (name: keyof typeof FLOW_FUNCTIONS) =>
  fieldsOf(objectOf(asJson(z.toJSONSchema(FLOW_FUNCTIONS[name].input, { io: 'input' }))));
const controlsOf = (name: keyof typeof FLOW_FUNCTIONS) =>
  Object.fromEntries(schemaOf(name).map((field) => [field.name, field.control]));

describe('the form of a function', () => {
  it('comes from its schema', () => {
    expect(controlsOf('ask')).toEqual({ text: 'text', within: 'duration', choices: 'choices', ownsFor: 'duration' });
    expect(controlsOf('assignHuman')).toEqual({ assignee: 'line', among: 'lines', reason: 'text' });
    expect(controlsOf('label')).toEqual({ name: 'line', mode: 'option' });
    expect(controlsOf('http')).toMatchObject({ endpoint: 'text', headers: 'json', output: 'option' });
  });

  it('shows as JSON what its control cannot express', () => {
    const field = (name: string) => {
      const found = schemaOf('ask').find((each) => each.name === name);
      if (!found) throw new Error(`ask has no ${name}.`);
      return found;
    };
    expect(controlFor(field('within'), { hours: 1, minutes: 30 })).toBe('json');
    expect(controlFor(field('choices'), [{ id: 'a', text: 'A', more: 1 }])).toBe('json');
    expect(controlFor(field('text'), '${ params.offer }')).toBe('text');
  });

  it('keeps the id of a button while its words change, and makes one for a new button', () => {
    const before = [
      { id: 'buy', text: 'I want to buy' },
      { id: 'help', text: 'Help me' },
    ];
    expect(readTyped('choices', 'I want to buy\nPlease help', before)).toEqual({
      value: [
        { id: 'buy', text: 'I want to buy' },
        { id: 'help', text: 'Please help' },
      ],
    });
    expect(readTyped('choices', 'Help me\nBuy!\n', undefined)).toEqual({
      value: [
        { id: 'help-me', text: 'Help me' },
        { id: 'buy', text: 'Buy!' },
      ],
    });
  });
});

describe('a duration', () => {
  it.each([
    ['PT2H', { count: 2, unit: 'hours' }],
    ['P1W', { count: 7, unit: 'days' }],
    [{ minutes: 5 }, { count: 5, unit: 'minutes' }],
    [{ hours: 1, minutes: 5 }, null],
    ['soon', null],
  ])('%j is shown as %j', (value, span) => {
    expect(spanOf(asJson(value))).toEqual(span);
  });

  it('stays as it is written while it means the same', () => {
    expect(spanValue({ count: 7, unit: 'days' }, 'P1W')).toBe('P1W');
    expect(spanValue({ count: 3, unit: 'days' }, 'P1W')).toEqual({ days: 3 });
  });

  it('keeps its unit and its step while its number is typed anew', () => {
    expect(readSpan('', 'hours', { hours: 2 }, false)).toEqual({ value: undefined });
    expect(readSpan('3', 'hours', undefined, false)).toEqual({ value: { hours: 3 } });
    expect(readSpan('', 'days', { days: 1 }, true)).toBeNull();
    expect(readSpan('1', 'days', 'P1D', true)).toEqual({ value: 'P1D' });
  });
});

describe('the start', () => {
  const bare = asJson({ document: {}, do: [] });

  it('is a sentence, and becomes the schedule of the language', () => {
    const daily = withStart(bare, { by: 'time', at: '09:30', days: [1, 5] });
    expect(daily).toEqual({ document: {}, schedule: { cron: '30 9 * * 1,5' }, do: [] });
    expect(startSentence(startOf(daily))).toBe('At 09:30 on Mon, Fri');
    const written = withStart(daily, { by: 'event', type: 'message' });
    expect(valueAt(written, '/schedule')).toEqual({ on: { one: { with: { type: 'message' } } } });
    expect(withStart(written, { by: 'request' })).toEqual(bare);
    expect(startSentence(startOf(bare))).toBe('Only a request starts it');
  });

  it('removes the contacts of a time with it', () => {
    const daily = withStart(bare, { by: 'time', at: '09:00', days: [] });
    const chosen = withValue(daily, '/document/metadata/audience/label', 'VIP');
    expect(withStart(chosen, { by: 'event', type: 'unread' })).not.toHaveProperty('document.metadata');
  });

  it('has parameters, and loses them without a rest', () => {
    const one = withRequired(withParam(bare, 'person'), 'person', true);
    expect(paramsOf(one)).toEqual([{ name: 'person', of: { type: 'string', default: '' }, isRequired: true }]);
    expect(withoutParam(one, 'person')).toEqual(bare);
  });
});

describe('the steps', () => {
  const nested = asJson({
    do: [
      { a: { call: 'send' } },
      { group: { if: '${ !input.answered }', do: [{ b: { call: 'send' } }] } },
      { route: { switch: [{ yes: { when: 'x', then: 'end2' } }, { no: { then: 'end' } }], then: 'end2' } },
      { end2: { call: 'release' } },
    ],
  });
  const stepAt = (pointer: string) => {
    const found = allSteps(nested).find((each) => each.pointer === pointer);
    if (!found) throw new Error(`There is no step at ${pointer}.`);
    return found;
  };

  it('move into a branch and out of it', () => {
    const inside = moveStep(nested, stepAt('/do/0/a'), 1);
    expect(inside?.pointer).toBe('/do/0/group/do/0/a');
    expect(allSteps(inside?.definition ?? null).map(({ pointer }) => pointer)).toEqual([
      '/do/0/group',
      '/do/0/group/do/0/a',
      '/do/0/group/do/1/b',
      '/do/1/route',
      '/do/2/end2',
    ]);
    const outside = moveStep(nested, stepAt('/do/1/group/do/0/b'), -1);
    expect(outside?.pointer).toBe('/do/1/b');
    expect(valueAt(outside?.definition ?? null, '/do/2/group/do')).toEqual([]);
  });

  it('keep what leads to one that is renamed', () => {
    const { definition } = renameStep(nested, stepAt('/do/3/end2'), 'last');
    expect(valueAt(definition, '/do/2/route')).toEqual({
      switch: [{ yes: { when: 'x', then: 'last' } }, { no: { then: 'end' } }],
      then: 'last',
    });
  });

  it('have names of their own', () => {
    expect(insertStep(nested, '/do', 0, 'a', { call: 'send' }).pointer).toBe('/do/0/a2');
    expect(insertStep(nested, '/do', 4, '<img src=x>', {}).pointer).toBe('/do/4/step');
  });

  it('are sentences', () => {
    const sentence = (task: object) => {
      const [step] = allSteps(asJson({ do: [{ it: task }] }));
      if (!step) throw new Error('no step');
      return stepSentence(step, () => undefined);
    };
    expect(sentence({ call: 'ask', with: { text: 'Your name?', within: { days: 1 } } })).toBe(
      'Ask “Your name?” and wait 1 day for the answer',
    );
    expect(sentence({ wait: 'PT2H' })).toBe('Wait 2 hours');
    expect(sentence({ call: 'assignHuman', with: { assignee: 'Maria' } })).toBe('Hand over to Maria');
    expect(sentence({ emit: {} })).toBe('Edited as JSON');
    expect(conditionWords('${ !input.answered }', [])).toBe('If nobody answered');
    expect(conditionWords('input.choice == "buy"', [{ id: 'buy', text: 'I buy' }])).toBe('If the answer is “I buy”');
    expect(conditionWords('size(input.text) > 3', [])).toBe('If size(input.text) > 3');
  });
});

describe('undo', () => {
  it('takes typing in one field as one change, and can be undone itself', () => {
    const typed = changed(changed(changed(beginHistory('a'), 'b', '/x'), 'bc', '/x'), 'd', '/y');
    expect(undone(typed).now).toBe('bc');
    expect(undone(undone(typed)).now).toBe('a');
    expect(undone(undone(undone(typed))).now).toBe('a');
    expect(redone(undone(typed)).now).toBe('d');
    expect(changed(undone(typed), 'e', null).future).toEqual([]);
  });
});

describe('a problem', () => {
  const text = '{\n  "do": [\n    { "a": { "call": "x}" } },\n    { "b~/": [1, "]", {}] }\n  ]\n}';

  it('has a place in the text of the JSON', () => {
    const shown = (pointer: string): string => {
      const { from, to } = placeOf(text, pointer);
      return text.slice(from, to);
    };
    expect(shown('/do/0/a/call')).toBe('"x}"');
    expect(shown('/do/1/b~0~1/1')).toBe('"]"');
    expect(shown('/do/0/a/missing')).toBe('{ "call": "x}" }');
    expect(shown('')).toBe(text);
    expect(lineOf(text, placeOf(text, '/do/1').from)).toBe(4);
    expect(placeOf('{', '/do')).toEqual({ from: 0, to: 0 });
  });
});

describe('an empty object', () => {
  it('leaves with its last value, but not the arguments of a call', () => {
    const task = asJson({ with: { text: { is: 'equal' } }, export: { as: 1 } });
    expect(without(task, '/with/text/is', '/with')).toEqual({ with: {}, export: { as: 1 } });
    expect(without(task, '/export/as', '')).toEqual({ with: { text: { is: 'equal' } } });
  });
});
