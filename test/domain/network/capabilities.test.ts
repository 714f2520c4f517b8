import { describe, expect, it } from '@jest/globals';
import { canDo, CAPABILITY_NAMES, notSupported, requireCapability } from '../../../domain/network/capabilities.ts';

describe('what a session can', () => {
  it('depends on the engine behind it, however the backend writes its name', () => {
    expect(['NOWEB', 'noweb', 'GOWS', 'WEBJS'].map((platform) => canDo('buttons', platform))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(canDo('block', 'WEBJS')).toBe(true);
  });

  it('is what all engines can where its own is not known', () => {
    for (const platform of [null, 'NEWEST']) {
      expect(canDo('buttons', platform)).toBe(false);
      expect(canDo('profileName', platform)).toBe(true);
    }
  });

  it('is refused only where it would fail for sure', () => {
    expect(() => requireCapability('block', null)).not.toThrow();
    expect(() => requireCapability('block', 'NEWEST')).not.toThrow();
    expect(() => requireCapability('block', 'WEBJS')).not.toThrow();
    expect(() => requireCapability('block', 'gows')).toThrow('gows cannot block contacts.');
  });

  it.each(CAPABILITY_NAMES)('is refused with the way out that there is: %s', (name) => {
    const { code, message } = notSupported(name, 'NOWEB');
    expect(code).toBe('not_supported_by_engine');
    expect(message).toMatch(/^NOWEB cannot [a-z][^.]+\. [A-Z][^\n]+\.$/);
  });
});
