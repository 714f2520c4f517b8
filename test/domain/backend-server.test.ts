import { describe, expect, it } from '@jest/globals';
import { placeOfNewSession } from '../../domain/backend-server.ts';

describe('the backend of a new session', () => {
  const server = (id: string, more: { sessions?: number; weight?: number; isDown?: boolean } = {}) => ({
    id,
    weight: 1,
    sessions: 0,
    isDown: false,
    ...more,
  });

  it('is the one with the fewest sessions for its weight, the first of equals', () => {
    expect(placeOfNewSession([server('a'), server('b')])).toBe('a');
    expect(placeOfNewSession([server('a', { sessions: 1 }), server('b')])).toBe('b');
    expect(placeOfNewSession([server('a', { sessions: 5, weight: 1 }), server('b', { sessions: 14, weight: 3 })])).toBe(
      'b',
    );
    expect(placeOfNewSession([server('a', { sessions: 5, weight: 1 }), server('b', { sessions: 18, weight: 3 })])).toBe(
      'a',
    );
  });

  it('is one that is down, or takes none, only where nothing else is left', () => {
    const down = server('down', { isDown: true });
    const full = server('full', { weight: 0 });
    expect(placeOfNewSession([down, full, server('up', { sessions: 9 })])).toBe('up');
    expect(placeOfNewSession([full, down])).toBe('down');
    expect(placeOfNewSession([full])).toBe('full');
    expect(placeOfNewSession([])).toBeUndefined();
  });
});
