import { describe, expect, it } from '@jest/globals';
import { presenceText } from '../../../packages/console/pages/inbox/about/presence-words.ts';

const reads = (viewerId: string, name: string | null = viewerId) => ({ viewerId, name, state: 'reading' as const });
const writes = (viewerId: string, name: string | null = viewerId) => ({ viewerId, name, state: 'writing' as const });

describe('the line about colleagues in a chat', () => {
  it('names those who have it open, each once, whichever of their tabs it is', () => {
    expect(presenceText([])).toBeNull();
    expect(presenceText([reads('Ada')])).toBe('Ada has this chat open');
    expect(presenceText([reads('a', 'Ada'), reads('b', 'Ada')])).toBe('Ada has this chat open');
    expect(presenceText([reads('Ada'), reads('Bo'), reads('Cy')])).toBe('Ada, Bo and Cy have this chat open');
    expect(presenceText([reads('x', null)])).toBe('A colleague has this chat open');
  });

  it('says first who writes, because two answers would reach the customer', () => {
    expect(presenceText([reads('Ada'), writes('Bo')])).toBe('Bo is writing …');
    expect(presenceText([writes('Ada'), writes('Bo')])).toBe('Ada and Bo are writing …');
  });
});
