import { describe, expect, test } from '@jest/globals';
import { delayText } from '../../../packages/console/shell/delay-words.ts';

const ALL_WELL = [
  { name: 'database', ok: true, reason: null },
  { name: 'temporal', ok: true, reason: null },
];

describe('the line below the menu', () => {
  test('says nothing while the engine keeps up', () => {
    expect(delayText({ delays: [], dependencies: ALL_WELL })).toBeNull();
  });

  test('names each kind of work that is late, with the wait of its oldest', () => {
    const delays = [
      { work: 'messages', minutes: 19 },
      { work: 'answers', minutes: 180 },
    ] as const;
    expect(delayText({ delays: [...delays], dependencies: ALL_WELL })).toBe(
      'Work is delayed: messages wait to be sent (19 min), answers of the agent are late (3 h).',
    );
  });

  test('names what nothing works without, and not what people repair meanwhile', () => {
    const away = (name: string) => ({ name, ok: false, reason: 'It does not work.' });
    expect(delayText({ delays: [], dependencies: [away('temporal')] })).toBe(
      'Temporal is unavailable. Accepted messages wait.',
    );
    expect(delayText({ delays: [], dependencies: [away('repairs'), away('work'), away('backend')] })).toBeNull();
  });
});
