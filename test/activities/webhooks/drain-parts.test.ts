import { describe, expect, it } from '@jest/globals';
import { createDrainLeases, createDrainSteps, DRAIN_LEASE_MS } from '../../../activities/webhooks/drain-steps.ts';
import type { Database } from '../../../db/database.ts';
import type { Step } from '../../../db/webhooks/delivery.ts';

/** A database whose statements all end in one way. */
function aDatabaseThat(ends: () => Promise<never>) {
  let statements = 0;
  const statement: Database['statement'] = () => {
    statements += 1;
    return ends();
  };
  return {
    database: { statement },
    get statements() {
      return statements;
    },
  };
}

describe('the parts that the drains of a process share', () => {
  const stepOf = (endpointId: string): Step => ({
    endpointId,
    token: endpointId,
    results: [],
    inFlight: 0,
    room: 1,
    ends: true,
  });

  it.each([
    ['go alone after a lock that took too long', { code: '55P03' }, 3],
    ['are not repeated after a connection that broke: they may have been done', { code: 'ECONNRESET' }, 1],
    ['are not repeated after a server that was stopped', { code: '57P01' }, 1],
  ])('the steps of one statement %s', async (_what, error, statements) => {
    const world = aDatabaseThat(() => Promise.reject(Object.assign(new Error('failed'), error)));
    const steps = createDrainSteps(world.database, createDrainLeases(world.database));
    const ends = await Promise.allSettled([steps(stepOf('one')), steps(stepOf('other'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(world.statements).toBe(statements);
  });

  it('nothing is posted under a lease that was taken too long ago, nor under none', () => {
    const leases = createDrainLeases(aDatabaseThat(() => Promise.reject(new Error('down'))).database);
    const now = performance.now();
    leases.note('fresh', true, now);
    leases.note('old', true, now - DRAIN_LEASE_MS + 500);
    leases.note('none', false, now);
    expect(['fresh', 'old', 'none'].map((token) => leases.isSure(token))).toEqual([true, false, false]);
    // What ends stops the renewal.
    leases.note('fresh', false, now);
    leases.note('old', false, now);
  });
});
