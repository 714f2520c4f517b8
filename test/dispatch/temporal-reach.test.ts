import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporalReach } from '../../dispatch/temporal-reach.ts';

describe("the judgement of Temporal's reach", () => {
  let nowMs: number;
  let reach: TemporalReach;
  beforeEach(() => {
    nowMs = 0;
    reach = new TemporalReach({ now: () => nowMs });
  });
  afterEach(() => reach.stop());

  /** More ticks than any silence needs. */
  const tickFor = (lateMs: number) => {
    for (let tick = 0; tick < 1_000; tick += 1) reach.tick(lateMs);
  };

  it('gives a call three times what the slowest recent ones took, between five and twenty seconds', () => {
    expect(reach.deadlineMs).toBe(5_000);
    for (let call = 0; call < 50; call += 1) reach.answered(20);
    expect(reach.deadlineMs).toBe(5_000);
    reach.answered(4_000);
    expect(reach.deadlineMs).toBe(12_000);
    reach.answered(60_000);
    expect(reach.deadlineMs).toBe(20_000);
  });

  it('gives the next call longer after a missed deadline, as no latency is known', () => {
    reach.missed();
    expect(reach.deadlineMs).toBe(10_000);
    reach.missed();
    reach.missed();
    expect(reach.deadlineMs).toBe(20_000);
    reach.answered(10);
    expect(reach.deadlineMs).toBe(5_000);
  });

  it('takes no number of missed deadlines for an outage while this process itself is late', () => {
    for (let call = 0; call < 100; call += 1) reach.missed();
    tickFor(500);
    expect([reach.isDoubtful, reach.isDown]).toEqual([true, false]);
  });

  it('takes silence for an outage while this process is on time', () => {
    reach.missed();
    tickFor(1);
    expect(reach.isDown).toBe(true);
    reach.answered(10);
    expect([reach.isDoubtful, reach.isDown]).toEqual([false, false]);
  });

  it('takes one refusal for a doubt, and refusals that last for an outage', () => {
    reach.refused();
    expect([reach.isDoubtful, reach.isDown]).toEqual([true, false]);
    nowMs += 60_000;
    reach.refused();
    expect(reach.isDown).toBe(true);
  });

  it('forgets refusals when a call is answered in between', () => {
    reach.refused();
    nowMs += 60_000;
    reach.answered(10);
    reach.refused();
    expect(reach.isDown).toBe(false);
  });

  it('takes a denied key for an outage at once', () => {
    reach.denied();
    expect(reach.isDown).toBe(true);
  });
});
