import { describe, expect, it } from '@jest/globals';
import { localMinute } from '../../../packages/console/parts/times.ts';
import { EngineError } from '../../../packages/typescript/src/index.ts';
import { doneText, oldestFirst, toEach } from '../../../packages/console/pages/events/bulk.ts';
import { successText } from '../../../packages/console/pages/events/words.ts';
import { healthText, partText } from '../../../packages/console/pages/operations/words.ts';
import { coloursOf, contrastOf, inTheDark } from '../../../packages/console/shell/brand-colours.ts';

describe('the colour of an agency', () => {
  it.each(['#0a4f9e', '#000000', '#7a1f5c', '#5a3e00'])('%s can be read in the dark, too', (colour) => {
    expect(contrastOf(inTheDark(colour), '#171e1c')).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(inTheDark(colour), '#0f1413')).toBeGreaterThanOrEqual(4.5);
  });

  it('leaves the console as it is where there is none', () => {
    expect(Object.values(coloursOf(null))).toEqual([null, null, null, null]);
  });
});

describe('what is done to many deliveries', () => {
  it('goes on behind one that fails, and says how many did', async () => {
    const asked: string[] = [];
    const tried: number[] = [];
    const done = await toEach(
      ['1', '2', '3'],
      (id) => {
        asked.push(id);
        return id === '2' ? Promise.reject(new Error('gone')) : Promise.resolve();
      },
      (count) => tried.push(count),
    );
    expect(tried).toEqual([0, 1, 2]);
    expect([asked, done]).toEqual([['1', '2', '3'], { done: 2, failed: ['2'], problem: new Error('gone') }]);
    expect(doneText(done, 'resent')).toBe('2 deliveries are being resent, 1 failed');
    expect(doneText({ done: 1, failed: [] }, 'cancelled')).toBe('1 delivery is cancelled');
  });

  it('ends with the login, and names what was not tried', async () => {
    const asked: string[] = [];
    const done = await toEach(['1', '2', '3'], (id) => {
      asked.push(id);
      const ended = new EngineError('unauthorized', 'The login has ended.', { status: 401 });
      return id === '2' ? Promise.reject(ended) : Promise.resolve();
    });
    expect([asked, done]).toMatchObject([['1', '2'], { done: 1, failed: ['2', '3'] }]);
  });

  it('begins with the oldest, which receivers that asked for order get first', () => {
    expect(oldestFirst([{ id: '3' }, { id: '2' }, { id: '1' }])).toEqual(['1', '2', '3']);
  });

  it('fails where each of them does', async () => {
    await expect(toEach(['1', '2'], () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});

describe('what an endpoint and the engine say of themselves', () => {
  it('never rounds a failure away', () => {
    expect(successText({ delivered: 99_999, failed: 1 })).toBe('99.9 % accepted');
    expect(successText({ delivered: 5, failed: 0 })).toBe('100 % accepted');
    expect(successText({ delivered: 0, failed: 5 })).toBe('0 % accepted');
  });

  it('names late work, which the API reports as a part that fails', () => {
    const parts = (work: boolean, temporal: boolean) => [
      { name: 'database', ok: true },
      { name: 'temporal', ok: temporal },
      { name: 'work', ok: work },
    ];
    expect(healthText(parts(false, true))).toEqual(['warn', 'Work is late']);
    expect(healthText(parts(true, true))).toEqual(['good', 'Everything works']);
    expect(healthText(parts(false, false))).toEqual(['bad', 'A part does not work']);
    expect(parts(false, false).map(partText)).toEqual([
      ['good', 'Works'],
      ['bad', 'Fails'],
      ['warn', 'Late'],
    ]);
  });
});

describe('a time in the address', () => {
  it('is shown in the field as the same moment', () => {
    const iso = '2026-03-04T05:06:00.000Z';
    expect(new Date(localMinute(iso)).toISOString()).toBe(iso);
    expect(localMinute(undefined)).toBe('');
  });
});
