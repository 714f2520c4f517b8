import { expect, it } from '@jest/globals';
import { HookRates } from '../../../api/flows/hook-rates.ts';

it('an address of a workflow takes a burst, and refuses more until time has passed; others are not affected', () => {
  let nowMs = 0;
  const rates = new HookRates({ perMinute: 60, burst: 2 }, () => nowMs);
  rates.admit('hok_1');
  rates.admit('hok_1');
  const refused = { code: 'rate_limited', headers: { 'retry-after': '1' } };
  expect(() => rates.admit('hok_1')).toThrow(expect.objectContaining(refused));
  rates.admit('hok_2');
  nowMs += 1_000;
  rates.admit('hok_1');
  expect(() => rates.admit('hok_1')).toThrow(expect.objectContaining(refused));
});
