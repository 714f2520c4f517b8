import { describe, expect, it } from '@jest/globals';
import { typingMs } from '../../../activities/sending/prepare.ts';

describe('a person who types', () => {
  it('takes the longer the more they write, within limits, and the same time for the same message', () => {
    const text = 'x'.repeat(60);
    const times = Array.from({ length: 20 }, (_, index) => typingMs(`msg_${index}`, text));
    expect(times).toEqual(Array.from({ length: 20 }, (_, index) => typingMs(`msg_${index}`, text)));
    expect(new Set(times).size).toBeGreaterThan(10);
    for (const ms of times) {
      expect(ms).toBeGreaterThan(typingMs('msg_0', 'yes'));
      expect(ms).toBeLessThan(typingMs('msg_0', 'x'.repeat(500)));
    }
    expect(typingMs('msg_0', '')).toBe(600);
    expect(typingMs('msg_0', 'x'.repeat(5_000))).toBe(5_000);
  });
});
