import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../api/wire/logger.ts';
import { registerHealthGauges } from '../../../api/wire/metrics/health-gauges.ts';
import { serveMetrics } from '../../../api/wire/metrics/listener.ts';
import { eventually } from '../../support/eventually.ts';
import { ask, startDemo } from '../route/framework-app.ts';
import type { Demo, DemoOptions } from '../route/framework-app.ts';

let demo: Demo | undefined;
afterEach(() => demo?.close());

async function start(options: DemoOptions = {}): Promise<Demo> {
  demo = await startDemo(options);
  return demo;
}

const well = { name: 'database', required: true, check: async () => undefined };

describe('/readyz', () => {
  test('says how each dependency is; an optional one that is down does not stop the process', async () => {
    const failing = { name: 'backend', required: false, check: async () => 'the backend does not answer' };
    const { status, body } = await ask(await start({ checks: [well, failing] }), 'GET', '/readyz');
    expect(status).toBe(200);
    expect(body).toEqual({
      ready: true,
      dependencies: [
        { name: 'database', required: true, ok: true, reason: null, ms: expect.any(Number) },
        { name: 'backend', required: false, ok: false, reason: 'the backend does not answer', ms: expect.any(Number) },
      ],
    });
  });

  test('shows the numbers that a judgement rests on', async () => {
    const finding = { reason: 'promises are parked', details: { parkedDispatches: 3 } };
    const repairs = { name: 'repairs', required: false, check: async () => finding };
    const { status, body } = await ask(await start({ checks: [well, repairs] }), 'GET', '/readyz');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ready: true,
      dependencies: [{ ok: true }, { name: 'repairs', ok: false, ...finding }],
    });
  });

  test('is 503 when a required one fails, and does not tell where it is', async () => {
    const check = async () => {
      throw Object.assign(new Error('connect postgres://user:pw@db'), { code: 'ECONNREFUSED' });
    };
    const { status, body } = await ask(await start({ checks: [{ ...well, check }] }), 'GET', '/readyz');
    expect(status).toBe(503);
    expect(body).toMatchObject({ ready: false, dependencies: [{ ok: false, reason: 'failed: ECONNREFUSED' }] });
    expect(JSON.stringify(body)).not.toContain('postgres');
  });

  test('does not wait for a dependency that hangs, and asks it once for all callers', async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      return new Promise<void>(() => undefined);
    };
    const app = await start({ checks: [{ ...well, check }] });
    const answers = await Promise.all([ask(app, 'GET', '/readyz'), ask(app, 'GET', '/readyz')]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { dependencies: [{ reason: 'no answer within 2 s' }] } });
    }
    expect(asked).toBe(1);
    expect((await ask(app, 'GET', '/livez')).status).toBe(200);
  });
});

describe('/metrics', () => {
  test('show what the last report found: no scrape waits for a check that hangs, or logs one that fails', async () => {
    const hangs = Promise.withResolvers<void>();
    let asked = 0;
    const check = async () => {
      asked += 1;
      if (asked > 1) throw new Error('not there');
      return hangs.promise;
    };
    const app = await start({ checks: [{ ...well, check }] });
    const work = () => Promise.reject(new Error('none'));
    registerHealthGauges(app.metrics.registry, { work, health: app.health }, () => undefined);
    const ANSWERED = /^engine_dependency_answer_seconds\{kind="database"\} (?<seconds>\S+)$/m;
    expect((await scraped(app)).text).not.toMatch(ANSWERED);
    expect(asked).toBe(1);
    hangs.resolve();
    await eventually(async () => ANSWERED.test((await scraped(app)).text));
    await eventually(async () => ANSWERED.test((await scraped(app)).text) && asked > 2);
    expect(await app.logs()).not.toContain('health check failed');
  });

  /** Reads the metrics as a scrape does, on their own listener. */
  async function scraped(app: Demo, extraMetrics?: () => Promise<string>): Promise<{ status: number; text: string }> {
    const log = createLogger({ level: 'silent', name: 'test' });
    const at = { host: '127.0.0.1', port: 0, required: true };
    const listener = await serveMetrics(at, { metrics: app.metrics, extraMetrics, log });
    try {
      const response = await fetch(`http://127.0.0.1:${listener.port}/metrics`);
      return { status: response.status, text: await response.text() };
    } finally {
      await listener.close();
    }
  }

  test('counts requests by route template and appends the numbers of others', async () => {
    const app = await start();
    await ask(app, 'GET', '/api/v1/things/thg_1', { key: 'session-of-acme-t1' });
    await ask(app, 'GET', '/somewhere/491700000000');
    const { text } = await scraped(app, async () => 'temporal_requests_total 7\n');
    expect(text).toContain('engine_http_requests_total{method="GET",route="/api/v1/things/:id",status="200"} 1');
    expect(text).toContain('engine_http_requests_total{method="GET",route="unmatched",status="404"} 1');
    expect(text).toContain('engine_http_request_duration_seconds_bucket');
    expect(text).toContain('temporal_requests_total 7');
    expect(text).not.toContain('4917');
  });

  test('goes without the numbers of others when they cannot be read', async () => {
    const { status, text } = await scraped(await start(), async () => {
      throw new Error('not there');
    });
    expect(status).toBe(200);
    expect(text).toContain('# extra metrics could not be read');
  });

  test('are not where clients reach the API', async () => {
    const { status, body } = await ask(await start(), 'GET', '/metrics');
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain('engine_http');
  });

  test('go without a listener whose port is taken, unless a setting asks for that port', async () => {
    const app = await start();
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } });
    const taken = { host: '127.0.0.1', port: app.port };
    const listener = await serveMetrics({ ...taken, required: false }, { metrics: app.metrics, log });
    expect(listener.port).toBe(null);
    await listener.close();
    expect(lines).toEqual([expect.stringContaining('Set METRICS_PORT')]);
    await expect(serveMetrics({ ...taken, required: true }, { metrics: app.metrics, log })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
