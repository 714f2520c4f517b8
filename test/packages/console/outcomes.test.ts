import { expect, test } from '@jest/globals';
import { OUTCOMES } from '../../../packages/console/pages/message/outcomes.ts';
import { deedOf } from '../../../packages/console/pages/operations/words.ts';

test('each outcome of an uncertain message states its effect on the customer', () => {
  expect(OUTCOMES.map(({ value }) => value)).toEqual(['sent', 'resend', 'failed']);
  for (const { effect } of OUTCOMES) expect(effect).toMatch(/^The customer .+\.$/);
});

test('the audit says which way an automation was switched', () => {
  const change = { object: 'automation', action: 'changed' };
  expect(deedOf({ ...change, detail: { enabled: true } })).toBe('Automation switched on');
  expect(deedOf({ ...change, detail: { enabled: false } })).toBe('Automation switched off');
  expect(deedOf({ ...change, detail: null })).toBe('Automation changed');
  expect(deedOf({ object: 'note', action: 'deleted' })).toBe('Note deleted');
});
