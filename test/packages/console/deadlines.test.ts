import { describe, expect, test } from '@jest/globals';
import { mayDelete, mayEdit } from '../../../packages/console/pages/inbox/deadlines.ts';
import { aMessage } from './a-message.ts';

const SENT_AT = 1_772_445_600;
const after = (minutes: number): number => (SENT_AT + minutes * 60) * 1_000;
const own = aMessage({ fromMe: true, status: 'sent', timestamp: SENT_AT });

describe('what is offered for a message', () => {
  test('an own text can be edited for a quarter of an hour, and deleted for sixty hours', () => {
    expect([mayEdit(own, after(14)), mayEdit(own, after(15))]).toEqual([true, false]);
    expect([mayDelete(own, after(59 * 60)), mayDelete(own, after(60 * 60))]).toEqual([true, false]);
  });

  test.each([
    ['of somebody else', { fromMe: false, status: 'received' as const }],
    ['that the network does not have', { status: 'queued' as const }],
    ['that was deleted', { revokedAt: '2026-03-02T10:00:30Z' }],
  ])('nothing but a reaction for one %s', (_which, change) => {
    const message = { ...own, ...change };
    expect([mayEdit(message, after(1)), mayDelete(message, after(1))]).toEqual([false, false]);
  });

  test('a picture is not edited', () => {
    expect([mayEdit({ ...own, kind: 'image' }, after(1)), mayDelete({ ...own, kind: 'image' }, after(1))]).toEqual([
      false,
      true,
    ]);
  });
});
