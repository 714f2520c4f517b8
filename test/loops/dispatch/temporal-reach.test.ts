import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TemporalReach } from '../../../loops/dispatch/temporal-reach.ts';

describe("the judgement of Temporal's reach", () => {
  let nowMs: number;
  let reach: TemporalReach;
  beforeEach(() => {
    nowMs = 0;
    reach = new TemporalReach({ now: () => nowMs });
  });
  afterEach(() => reach.stop());

  /** The silence of a minute and a half, which is more than any needs while timers are on time. */
  const tickFor = (lateMs: number, ticks = Math.ceil(90_000 / (250 + lateMs))) => {
    for (let tick = 0; tick < ticks; tick += 1) reach.tick(lateMs);
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
    // The other calls of the batch say nothing more.
    reach.missed();
    expect(reach.deadlineMs).toBe(10_000);
    reach.probed();
    reach.missed();
    expect(reach.deadlineMs).toBe(20_000);
    reach.answered(10);
    expect(reach.deadlineMs).toBe(5_000);
  });

  it('takes no number of missed deadlines for an outage while this process itself is late', () => {
    for (let call = 0; call < 100; call += 1) reach.missed();
    tickFor(500);
    expect([reach.isDoubtful, reach.isDown]).toEqual([true, false]);
    tickFor(500);
    expect(reach.isDown).toBe(true);
  });

  it('takes timers that a quota of the CPU makes late for late ones', () => {
    reach.missed();
    tickFor(60);
    expect(reach.isDown).toBe(false);
  });

  it('takes no silence for an outage before the deadline of a probe has passed', () => {
    reach.missed();
    reach.missed();
    tickFor(1, reach.deadlineMs / 250);
    expect(reach.isDown).toBe(false);
  });

  it('takes calls that stay silent beside answered probes for an outage, until a call is answered', () => {
    reach.missed();
    reach.probed();
    expect([reach.isDoubtful, reach.isDown]).toEqual([false, false]);
    expect(reach.deadlineMs).toBe(10_000);
    // Nobody waits, so nothing is silent.
    tickFor(1);
    expect(reach.isDown).toBe(false);
    const ends = reach.callBegins();
    tickFor(1);
    ends();
    expect(reach.isDown).toBe(true);
    reach.probed();
    expect([reach.isDoubtful, reach.isDown]).toEqual([false, true]);
    reach.answered(10);
    expect(reach.isDown).toBe(false);
  });

  it('takes the answer of a probe for the end of an outage in which probes were silent, too', () => {
    reach.missed();
    reach.probeMissed();
    tickFor(1);
    expect(reach.isDown).toBe(true);
    reach.probed();
    expect([reach.isDoubtful, reach.isDown]).toEqual([false, false]);
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
