import { describe, expect, it } from '@jest/globals';
import { thrownAt } from '../../../workflows/automations/run-automation.ts';

describe('what the code of an automation has thrown', () => {
  it('tells its author the innermost line of the own file', () => {
    const error = new TypeError('x is undefined');
    error.stack = `TypeError: x is undefined
    at JSON.parse (<anonymous>)
    at requireValues (/engine/workflows/automations/template.ts:30:11)
    at rest (/engine/workflows/automations/remind-later.ts:40:3)
    at async Object.run (/engine/workflows/automations/remind-later.ts:27:13)
    at async runAutomation (/engine/workflows/automations/run-automation.ts:61:5)`;
    expect(thrownAt(error, 'remind-later')).toBe('workflows/automations/remind-later.ts:40:3');
    expect(thrownAt(error, 'welcome-contact')).toBeNull();
    expect(thrownAt('no error', 'remind-later')).toBeNull();
  });
});
