import { describe, expect, it, jest } from '@jest/globals';
import { createAttemptSlots, Grant } from '../../../activities/webhooks/attempt-slots.ts';

describe('the slots of attempts', () => {
  it('leave three quarters to the others, whatever one owner asks for', () => {
    const slots = createAttemptSlots(20);
    expect(slots.take('greedy', 100)).toBe(5);
    expect(slots.take('greedy', 1)).toBe(0);
    expect(['b', 'c', 'd', 'e', 'f'].map((owner) => slots.take(owner, 5))).toEqual([5, 5, 3, 1, 1]);
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
    slots.giveBack('bad/1', 3);
    expect(granted).toBe('goodbad');
  });

  it('are there for whoever comes next, when several agencies have slow receivers', () => {
    const slots = createAttemptSlots();
    const slow = ['slow1/a', 'slow1/b', 'slow2/a', 'slow2/b'];
    const taken = slow.map((owner) => slots.take(owner, 500));
    expect(taken).toEqual([125, 125, 125, 0]);
    expect(slots.take('quick', 60)).toBe(60);
    for (const name of ['slow3', 'slow4', 'slow5'])
      for (const tenant of ['a', 'b']) slots.take(`${name}/${tenant}`, 500);
    expect(slots.take('another', 4)).toBe(4);
  });

  it('are twice as many for an agency with twice the share', () => {
    const slots = createAttemptSlots(120, { weightOf: (agency) => (agency === 'large' ? 2 : 1) });
    const of = (agency: string) => [1, 2, 3, 4].reduce((sum, n) => sum + slots.take(`${agency}/${n}`, 100), 0);
    expect(of('large')).toBe(80);
    expect(of('usual')).toBe(20);
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

  it('go to the owners of an agency in turns, however many endpoints of one wait', () => {
    const slots = createAttemptSlots(8);
    const given: string[] = [];
    expect(slots.take('x/1', 2) + slots.take('x/2', 2)).toBe(4);
    for (let each = 1; each <= 3; each += 1) slots.wait('x/3', () => given.push(`x/3, ${each}`));
    slots.wait('x/4', () => given.push('x/4'));
    slots.giveBack('x/1', 2);
    slots.giveBack('x/2', 1);
    expect(given).toEqual(['x/3, 1', 'x/4', 'x/3, 2']);
  });

  it('go from one to the next, however many give theirs back at once', () => {
    const slots = createAttemptSlots(8);
    expect(slots.take('x/1', 2) + slots.take('x/2', 2)).toBe(4);
    let offered = 0;
    for (let each = 0; each < 20_000; each += 1) {
      const grant = new Grant(slots, `x/${each + 3}`);
      grant.wait(() => {
        offered += 1;
        grant.end();
      });
    }
    slots.giveBack('x/1', 1);
    expect(offered).toBe(20_000);
    expect(slots.inUse).toBe(3);
  });

  it.each([10, 1_000])('cost the same to give back while %i endpoints of a full agency wait', (count) => {
    const slots = createAttemptSlots(20);
    const owners = ['bad/1', 'bad/2'];
    for (const owner of owners) slots.take(owner, 5);
    for (let each = 0; each < count; each += 1) slots.wait(`bad/${each + 3}`, () => undefined);
    const looks = jest.spyOn(Map.prototype, 'get');
    slots.giveBack('bad/1', 1);
    expect(looks.mock.calls.length).toBeLessThan(30);
    looks.mockRestore();
    expect(slots.inUse).toBe(10);
  });
});
