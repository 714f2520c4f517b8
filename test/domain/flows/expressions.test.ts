import { spawnSync } from 'node:child_process';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createEvaluator, ExpressionError } from '../../../domain/flows/index.ts';
import type { Json, Scope } from '../../../domain/flows/index.ts';

const evaluator = createEvaluator({ timeoutMs: 500, memoryMb: 64 });
afterAll(evaluator.close);

const valueOf = async (expression: string, scope: Scope = {}): Promise<Json | undefined> =>
  (await evaluator.evaluate([expression], scope))[0];

describe('the numbers of JSON', () => {
  it.each<[string, Json]>([
    ['1 + 2', 3],
    ['n + 1', 8],
    ['n * 1.5', 10.5],
    ['rate * n', 3.5],
    ['n / 2', 3],
    ['n / 2.0', 3.5],
    ['n % 4', 3],
    ['n > rate', true],
    ['n == 7', true],
    ['n == 7.0', true],
    ['[n, rate]', [7, 0.5]],
    ['size("hello")', 5],
    ['int("42") + n', 49],
    ['string(n)', '7'],
    ['{"n": n}', { n: 7 }],
  ])('work in %s', async (expression, expected) => {
    expect(await valueOf(expression, { n: 7, rate: 0.5 })).toEqual(expected);
  });

  it('that JSON lacks are an error', async () => {
    await expect(valueOf('9007199254740993')).rejects.toThrow(/too large/);
    await expect(valueOf('1.0 / 0.0')).rejects.toThrow(ExpressionError);
    await expect(valueOf('b"abc"')).rejects.toThrow(ExpressionError);
  });
});

describe('times', () => {
  const now = '2026-03-29T01:30:00.000Z';

  it.each<[string, Json]>([
    ['now', '2026-03-29T01:30:00.000Z'],
    ['now + duration("24h")', '2026-03-30T01:30:00.000Z'],
    ['timestamp("2026-03-29T02:00:00Z") - now', 'PT1800S'],
    ['duration("90m")', 'PT5400S'],
    ['now - timestamp("2026-03-29T02:00:00Z")', 'PT0S'],
    ['now.getHours()', 1],
    ['now.getHours("Europe/Berlin")', 3],
    ['now.getHours("America/New_York")', 21],
    ['now.getDayOfWeek("UTC")', 0],
  ])('%s', async (expression, expected) => {
    expect(await valueOf(expression, { now })).toEqual(expected);
  });

  it('do not follow the zone of the host', () => {
    // The hour from two to three does not exist in New York on this day.
    const program = `
      import { createEvaluator } from '${new URL('../../../domain/flows/index.ts', import.meta.url).href}';
      const { evaluate, close } = createEvaluator();
      const expressions = ['now.getHours("UTC")', 'now.getDayOfYear()', 'now.getHours("Europe/Berlin")'];
      console.log(JSON.stringify(await evaluate(expressions, { now: '2026-03-08T02:30:00.000Z' })));
      await close();
    `;
    const env = { PATH: process.env['PATH'], TZ: 'America/New_York' };
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
    expect([child.stdout.trim(), child.stderr]).toEqual(['[2,66,3]', '']);
  });
});

describe('an evaluator', () => {
  it('answers expressions in order, and names the one that fails', async () => {
    expect(await evaluator.evaluate(['x.a', '1 + 1', 'x.b'], { x: { a: 1, b: 'two' } })).toEqual([1, 2, 'two']);
    await expect(evaluator.evaluate(['1', 'x.none.deep', '2'], { x: {} })).rejects.toMatchObject({
      expression: 'x.none.deep',
      isFinal: false,
    });
  });

  it('keeps the scopes of runs apart', async () => {
    const scopes = Array.from({ length: 50 }, (_, n) => n);
    const values = await Promise.all(scopes.map((n) => valueOf('n + 0', { n })));
    expect(values).toEqual(scopes);
  });

  const list = { items: Array.from({ length: 2_000 }, (_, n) => n) };

  it('ends an expression that takes too long, and works on', async () => {
    const endless = 'items.all(a, items.all(b, items.all(c, a + b + c >= 0)))';
    await expect(valueOf(endless, list)).rejects.toMatchObject({
      isFinal: true,
      message: expect.stringMatching(/deadline/),
    });
    expect(await valueOf('1 + 1')).toBe(2);
  });

  it('ends an expression that grows without bound, and works on', async () => {
    const growing = 'items.map(a, items.map(b, items.map(c, string(a) + string(b) + string(c))))';
    await expect(valueOf(growing, list)).rejects.toMatchObject({ isFinal: true });
    expect(await valueOf('1 + 1')).toBe(2);
  });

  it('refuses a value that is too large to keep', async () => {
    await expect(valueOf('items.map(a, items)', list)).rejects.toMatchObject({
      message: expect.stringMatching(/too large/),
    });
  });

  it('reaches nothing of JavaScript', async () => {
    for (const expression of ['x.constructor', 'x.__proto__', '"a".constructor', 'globalThis', 'process', 'this'])
      await expect(valueOf(expression, { x: {} })).rejects.toThrow(ExpressionError);
    expect(await valueOf('{"__proto__": 1, "constructor": 2}')).not.toHaveProperty('constructor', 2);
  });

  it('answers a name without a thread as with one', async () => {
    for (const expression of ['x', 'x.y', 'x.y.z', 'x.none', 'none', 'x.y.z.deep', 'true', 'null']) {
      const scope = { x: { y: { z: null } } };
      const plain = await valueOf(expression, scope).catch(() => 'fails');
      const inThread = await valueOf(`(${expression})`, scope).catch(() => 'fails');
      expect([expression, plain]).toEqual([expression, inThread]);
    }
  });

  it('rejects what waits when it closes', async () => {
    const other = createEvaluator();
    const waiting = other.evaluate(['1 + 1'], {});
    await Promise.all([expect(waiting).rejects.toThrow(/closed/), other.close()]);
    await expect(other.evaluate(['1 + 1'], {})).rejects.toThrow(/closed/);
  });
});
