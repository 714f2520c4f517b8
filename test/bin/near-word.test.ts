import { describe, expect, it } from '@jest/globals';
import { didYouMean, parseWords } from '../../bin/cli/near-word.ts';
import { unknownCommand } from '../../bin/cli/main.ts';

describe('a misspelt word of the command line', () => {
  it.each([
    ['triger', ' Did you mean "trigger"?'],
    ['staus', ' Did you mean "status"?'],
    ['wroker', ' Did you mean "worker"?'],
    ['parked-event', ' Did you mean "parked-events"?'],
  ])('%s: suggests the command that is near', (given, suggestion) => {
    expect(unknownCommand([given])).toContain(suggestion);
  });

  it('suggests nothing if no command is near', () => {
    expect(unknownCommand(['unknown'])).not.toContain('Did you mean');
    expect(didYouMean('x', ['trigger'])).toBe('');
  });

  it('suggests the option of the same command that is near', () => {
    const options = { from: { type: 'string' }, text: { type: 'string' } } as const;
    expect(() => parseWords({ args: ['--form', '+15550100078'], options })).toThrow(
      'There is no option --form here. Did you mean --from?',
    );
    expect(() => parseWords({ args: ['--elsewhere=1'], options })).toThrow(/^There is no option --elsewhere here\.$/);
    expect(parseWords({ args: ['--from', 'a'], options }).values).toEqual({ from: 'a' });
  });
});
