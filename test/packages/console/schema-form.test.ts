import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { fieldsOf, readField, readForm, shownOf, typedFrom } from '../../../packages/console/parts/form/schema.ts';
import { spelledOut } from '../../../packages/console/parts/words/word-of.ts';
import type { FormField } from '../../../packages/console/parts/form/schema.ts';
import * as definitions from '../../../workflows/automations/index.ts';

const ofZod = (schema: z.ZodObject): FormField[] => fieldsOf(z.toJSONSchema(schema, { io: 'input' })) ?? [];
const only = (schema: z.ZodType): FormField => {
  const [field] = ofZod(z.object({ it: schema }));
  if (!field) throw new Error('no field');
  return field;
};

describe('a form from a schema', () => {
  it('has a control of its own for every parameter of the automations that there are', () => {
    const all = Object.values(definitions).flatMap((each) =>
      typeof each === 'object' && 'schema' in each && each.schema instanceof z.ZodObject ? ofZod(each.schema) : [],
    );
    expect(all.length).toBeGreaterThan(8);
    const inGroups = all.flatMap(({ fields }) => [...fields]);
    expect(
      [...all, ...inGroups]
        .filter(({ kind }) => kind === 'json' || kind === 'group')
        .map(({ name, kind }) => `${kind} ${name}`),
    ).toEqual(all.filter(({ kind }) => kind === 'group').map(({ name }) => `group ${name}`));
    expect(inGroups.length).toBeGreaterThan(3);
  });

  it('says what a parameter is, what is usual and what its bounds are', () => {
    const field = only(z.int().min(1).max(24).default(6).meta({ description: 'How long it waits.' }));
    expect(field).toMatchObject({ kind: 'integer', min: 1, max: 24, standard: 6, hint: 'How long it waits.' });
    expect(spelledOut('answerWithinHours')).toBe('Answer within hours');
  });

  it('writes as JSON what it has no control for', () => {
    const field = only(z.array(z.object({ from: z.string() })));
    expect(field.kind).toBe('json');
    expect(JSON.parse(shownOf(field, [{ from: '08:00' }]))).toEqual([{ from: '08:00' }]);
    expect(readField(field, '[{"from":"09:00"}]')).toEqual({ value: [{ from: '09:00' }] });
    expect(readField(field, '{from')).toEqual({ error: expect.stringContaining('not valid JSON') });
  });

  it('gives up on what is no object of names that are known', () => {
    expect(fieldsOf({ type: 'string' })).toBeNull();
    expect(fieldsOf({ type: 'object', additionalProperties: { type: 'string' } })).toBeNull();
    expect(fieldsOf(null)).toBeNull();
    expect(fieldsOf({ type: 'object' })).toEqual([]);
  });
});

describe('what was typed', () => {
  it('becomes a value, or a sentence that says what is wrong', () => {
    const hours = only(z.int().min(1).max(24));
    expect(readField(hours, ' 7 ')).toEqual({ value: 7 });
    expect(readField(hours, '7.5')).toEqual({ error: 'must be a whole number' });
    expect(readField(hours, '0')).toEqual({ error: 'must be 1 or more' });
    expect(readField(hours, '25')).toEqual({ error: 'must be 24 or less' });
    expect(readField(hours, 'seven')).toEqual({ error: 'must be a number' });
    expect(readField(hours, '')).toEqual({ error: 'is required' });
    expect(readField(only(z.boolean()), 'true')).toEqual({ value: true });
    expect(readField(only(z.array(z.string())), ' ann \n\nbob\n')).toEqual({ value: ['ann', 'bob'] });
    expect(readField(only(z.array(z.int().max(9))), '1\n12')).toEqual({ error: 'must be 9 or less' });
    expect(readField(only(z.string().max(3)), 'long')).toEqual({ error: 'is longer than 3 characters' });
  });

  it('leaves alone what it has no control for, and takes away what was emptied', () => {
    const fields = ofZod(z.object({ text: z.string().optional(), hours: z.int() }));
    const read = readForm(fields, { text: '', hours: '3' }, { text: 'Hi', hours: 1, later: true });
    expect(read).toEqual({ value: { hours: 3, later: true }, errors: {} });
    expect(readForm(fields, { text: '<b>x</b>', hours: '' }).errors).toEqual({ hours: 'is required' });
  });

  it('is put together again where fields stand in groups', () => {
    const fields = ofZod(
      z.object({ hours: z.int(), texts: z.object({ hello: z.string().default('Hi'), bye: z.string().optional() }) }),
    );
    const typed = typedFrom(fields, { hours: 2, texts: { bye: 'See you' } });
    expect(typed).toEqual({ hours: '2', 'texts/hello': 'Hi', 'texts/bye': 'See you' });
    const read = readForm(
      fields,
      { ...typed, 'texts/hello': '<i>Hello</i>', 'texts/bye': '' },
      { texts: { bye: 'See you' } },
    );
    expect(read).toEqual({ value: { hours: 2, texts: { hello: '<i>Hello</i>' } }, errors: {} });
  });

  it('is shown again as it was typed', () => {
    for (const field of [
      only(z.array(z.string())),
      only(z.array(z.int())),
      only(z.string()),
      only(z.enum(['a', 'b'])),
    ]) {
      const value = { texts: ['a', 'b'], integers: [1, 2], text: 'a', choice: 'b' }[String(field.kind)];
      expect(readField(field, shownOf(field, value))).toEqual({ value });
    }
  });
});
