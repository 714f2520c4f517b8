import { describe, expect, it } from '@jest/globals';
import { Places } from '../../domain/places.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';

describe('places', () => {
  const holder = (owner: string, agencyId = owner) => ({ owner, agencyId });

  /** Takes as many as there are for the owner. */
  function takeAll(places: Places, of: ReturnType<typeof holder>): number {
    let taken = 0;
    for (; places.hasRoom(of); taken += 1) places.take(of);
    return taken;
  }

  it('leave some for the next agency, whatever the number of owners of one is', () => {
    const places = new Places({ inAll: () => 12, perOwner: 4, shares: EQUAL_SHARES });
    expect(takeAll(places, holder('a/1', 'a'))).toBe(4);
    expect(takeAll(places, holder('a/2', 'a'))).toBe(2);
    expect(takeAll(places, holder('b'))).toBe(3);
    expect(places.used).toBe(9);
    expect(places.owners).toBe(3);
  });

  it('bound owners alone without shares, and all of them by a number that may change', () => {
    let inAll = 3;
    const places = new Places({ inAll: () => inAll, perOwner: 2 });
    expect(takeAll(places, holder('a'))).toBe(2);
    expect(takeAll(places, holder('b'))).toBe(1);
    expect(places.isFull).toBe(true);
    inAll = 4;
    expect(takeAll(places, holder('b'))).toBe(1);
    places.giveBack(holder('a'), 2);
    expect(places.owners).toBe(1);
    expect(takeAll(places, holder('c'))).toBe(2);
  });
});
