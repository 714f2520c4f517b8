import { describe, expect, it } from '@jest/globals';
import { createAttemptSlots } from '../../../activities/webhooks/attempt-slots.ts';

describe('the slots of attempts', () => {
  it('leave three quarters to the others, whatever one owner asks for', () => {
    const slots = createAttemptSlots(20);
    expect(slots.take('greedy', 100)).toBe(5);
    expect(slots.take('greedy', 1)).toBe(0);
    expect(['b', 'c', 'd', 'e'].map((owner) => slots.take(owner, 5))).toEqual([5, 5, 5, 0]);
    expect(slots.inUse).toBe(20);
  });

  it('leave half of all to the other agencies, however many tenants one has', () => {
    const slots = createAttemptSlots(20);
    expect(['bad/1', 'bad/2', 'bad/3', 'bad'].map((owner) => slots.take(owner, 100))).toEqual([5, 5, 0, 0]);
    let granted = '';
    slots.wait('bad/3', () => (granted += 'bad'));
    slots.wait('good', () => (granted += 'good'));
    expect(slots.take('good', 5)).toBe(5);
    slots.giveBack('good', 1);
    expect(granted).toBe('good');
    slots.giveBack('bad/1', 1);
    expect(granted).toBe('goodbad');
  });

  it('go to who has waited longest and may have one', () => {
    const slots = createAttemptSlots(8);
    const given: string[] = [];
    expect(slots.take('a', 2) + slots.take('b', 2)).toBe(4);
    slots.wait('a', () => given.push('a'));
    slots.wait('b', () => given.push('b, first'));
    const leave = slots.wait('b', () => given.push('b, second'));
    slots.giveBack('b', 1);
    expect(given).toEqual(['b, first']);
    leave();
    slots.giveBack('b', 1);
    expect(given).toEqual(['b, first']);
    slots.giveBack('a', 1);
    expect(given).toEqual(['b, first', 'a']);
    expect(slots.inUse).toBe(3);
  });
});
