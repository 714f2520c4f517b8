import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../api/wire/logger.ts';
import { serveWorkerMetrics } from '../../bin/telemetry/worker-metrics.ts';
import { count } from '../../domain/telemetry/meter.ts';

const POOL = { busy: 3, idle: 1, warm: 2, waiting: 2, waitingForShare: 0 };

describe('the port of a worker', () => {
  const temporal = createServer((_request, response) => response.end('temporal_worker_task_slots_available 7\n'));
  let served: Awaited<ReturnType<typeof serveWorkerMetrics>>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => temporal.listen(0, '127.0.0.1', resolve));
    const address = temporal.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const log = createLogger({ level: 'silent', name: 'test' });
    const parts = { database: { pool: POOL }, temporalAddress: `127.0.0.1:${port}`, log };
    served = await serveWorkerMetrics({ host: '127.0.0.1', port: 0, required: true }, parts);
  });
  afterAll(async () => {
    await served.close();
    temporal.close();
  });

  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${served.port}${path}`, { method });

  it("shows Prometheus the worker's own numbers, its pool, and those of Temporal's SDK", async () => {
    count('engine_sends_total', { outcome: 'accepted' });
    const answer = await ask('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toContain('engine_sends_total{outcome="accepted"} 1');
    expect(text).toContain('engine_database_connections{state="busy"} 3');
    expect(text).toContain('engine_database_warm_connections 2');
    expect(text).toContain('engine_database_waiting{for="connection"} 2');
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('temporal_worker_task_slots_available 7');
  });

  it('tells a supervisor that the process runs, and has nothing else', async () => {
    expect((await ask('/livez')).status).toBe(200);
    expect((await ask('/api/v1/status')).status).toBe(404);
    expect((await ask('/metrics', 'POST')).status).toBe(404);
  });
});
