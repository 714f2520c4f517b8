import { describe, expect, it } from '@jest/globals';
import { clocksAgree, clockSkewOf, clockTroubleOf } from '../../../../adapters/backend/calls/clock-skew.ts';
import { startStub } from '../stub-backend.ts';

const DATE = 'Sun, 22 Nov 2026 01:00:00 GMT';
const TOLD_MS = Date.parse(DATE);

describe("the backend's clock", () => {
  it.each([
    // Our time when the backend reported its own, which may lie anywhere within its second.
    [TOLD_MS + 500, true],
    [TOLD_MS - 900, true],
    [TOLD_MS + 1_900, true],
    [TOLD_MS + 2_100, false],
    [TOLD_MS - 1_100, false],
    [TOLD_MS + 30_000, false],
    [TOLD_MS - 30_000, false],
  ])('told at %i is ours for certain: %s', (oursMs, agrees) => {
    const skew = clockSkewOf(DATE, { beforeMs: oursMs, afterMs: oursMs });
    expect(skew && clocksAgree(skew)).toBe(agrees);
  });

  it('is not known where the answer took long, was none, or does not say', async () => {
    const slow = clockSkewOf(DATE, { beforeMs: TOLD_MS - 2_000, afterMs: TOLD_MS + 2_000 });
    expect(slow && clocksAgree(slow)).toBe(false);
    expect(slow && clockTroubleOf(slow)).toBeUndefined();
    expect(clockSkewOf(null, { beforeMs: TOLD_MS, afterMs: TOLD_MS })).toBeNull();
    await using broken = await startStub(() => (response) => response.destroy());
    expect(await broken.backend.readClockSkew(Date.now)).toBeNull();
    await using gateway = await startStub(() => ({ status: 502 }));
    expect(await gateway.backend.readClockSkew(Date.now)).toBeNull();
    await using timeless = await startStub(() => (response) => {
      response.sendDate = false;
      response.end('{}');
    });
    expect(await timeless.backend.readClockSkew(Date.now)).toBeNull();
  });

  it('is read from any answer, and an operator is told how far it is off', async () => {
    await using stub = await startStub(() => ({ json: { message: 'pong' } }));
    const right = await stub.backend.readClockSkew(Date.now);
    expect(right && clockTroubleOf(right)).toBeUndefined();
    const behind = await stub.backend.readClockSkew(() => Date.now() + 30_000);
    expect(behind && clockTroubleOf(behind)).toMatch(/^its clock is (29|30|31|32) s behind the database's/);
    const ahead = await stub.backend.readClockSkew(() => Date.now() - 30_000);
    expect(ahead && clockTroubleOf(ahead)).toMatch(/^its clock is (28|29|30|31|32) s ahead of the database's/);
  });
});
