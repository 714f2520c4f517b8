import { describe, expect, it } from '@jest/globals';
import { createFairSlots } from '../../domain/fair-slots.ts';
import { slotsPerBackend } from '../../domain/slots-per-backend.ts';

describe('the places before the backends', () => {
  it('are each backend’s own: calls that hang at one leave those of another free', async () => {
    const slots = slotsPerBackend(() => createFairSlots({ perOwner: 2, inAll: 2 }));
    const hangs = { backend: 'hangs' };
    expect(await slots.of(hangs).acquire('ses_1', 0)).not.toBeNull();
    expect(await slots.of(hangs).acquire('ses_2', 0)).not.toBeNull();
    expect(await slots.of(hangs).acquire('ses_3', 0)).toBeNull();
    expect(await slots.of({ backend: 'well' }).acquire('ses_4', 0)).not.toBeNull();
  });
});
