import { describe, expect, it } from '@jest/globals';
import { doorOf } from '../../../api/sessions/at-backend.ts';
import { enter } from '../../../api/wire/doors.ts';
import { createFairSlots } from '../../../domain/fair-slots.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { slotsPerBackend } from '../../../domain/slots-per-backend.ts';

const slots = slotsPerBackend(() => createFairSlots({ perOwner: 2, inAll: 8, shares: EQUAL_SHARES }));
const entering = (id: string, agencyId: string, backend = 'default') =>
  enter([doorOf(slots, { id, agencyId, backend })], 1).then(
    () => 'in',
    () => 'busy',
  );

describe('the door before a backend that hangs', () => {
  it('keeps places for other sessions, for other agencies and for other backends', async () => {
    const ofOneSession = [await entering('s1', 'many'), await entering('s1', 'many'), await entering('s1', 'many')];
    expect(ofOneSession).toEqual(['in', 'in', 'busy']);
    const ofOneAgency: string[] = [];
    for (const id of ['s2', 's2', 's3', 's3']) ofOneAgency.push(await entering(id, 'many'));
    expect(ofOneAgency).toEqual(['in', 'in', 'busy', 'busy']);
    expect([await entering('t1', 'other'), await entering('t1', 'other')]).toEqual(['in', 'in']);
    expect(await entering('s3', 'many', 'second')).toBe('in');
  });
});
