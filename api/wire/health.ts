import { setTimeout as sleep } from 'node:timers/promises';
import type Router from '@koa/router';
import type { Delay } from '../../domain/operations/delays.ts';
import type { Logger } from './logger.ts';
import type { RequestState } from './request-state.ts';

/** One thing that the process needs. `check` throws or returns what is wrong, and returns nothing when all is well. */
export interface HealthCheck {
  name: string;
  /** True when the process cannot do its work without this. */
  required: boolean;
  check(): Promise<void | string | Finding>;
}

/** A judgement with the numbers that it rests on. */
export interface Finding {
  reason: string | null;
  details: Record<string, unknown>;
  /** The work that is late, where the check judges work. */
  delays?: readonly Delay[];
}

interface DependencyHealth {
  name: string;
  required: boolean;
  ok: boolean;
  reason: string | null;
  details?: Record<string, unknown>;
  delays?: readonly Delay[];
  /** The response time. */
  ms: number;
}

export interface Health {
  report(): Promise<{ ready: boolean; dependencies: DependencyHealth[] }>;
  /**
   * Returns what the last report found, or nothing before the first. The next report begins meanwhile, so a scrape
   * neither waits for a dependency that hangs nor logs one that fails at each turn.
   */
  latest(): readonly DependencyHealth[];
}

const CHECK_TIMEOUT_MS = 2_000;

/** Asks all dependencies at once; callers that come meanwhile share the answer. */
export function createHealth(checks: readonly HealthCheck[], log: Logger): Health {
  let asking: ReturnType<Health['report']> | undefined;
  let found: readonly DependencyHealth[] = [];
  const askAll = async (logs: Logger | null) => {
    const dependencies = await Promise.all(checks.map((check) => ask(check, logs)));
    found = dependencies;
    return { ready: dependencies.every(({ required, ok }) => ok || !required), dependencies };
  };
  const begin = (logs: Logger | null): ReturnType<Health['report']> => {
    asking ??= askAll(logs).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    report: () => begin(log),
    latest() {
      void begin(null);
      return found;
    },
  };
}

/** Without a log, a check that fails is only reported. */
async function ask(dependency: HealthCheck, log: Logger | null): Promise<DependencyHealth> {
  const { name, required } = dependency;
  const startedAt = performance.now();
  const timer = new AbortController();
  const late = sleep(CHECK_TIMEOUT_MS, `no answer within ${CHECK_TIMEOUT_MS / 1_000} s`, { signal: timer.signal });
  // The timer is aborted when the race is over, so its rejection means nothing then.
  late.catch(() => undefined);
  const checked = (async () => dependency.check())().catch((error: unknown) => {
    log?.warn({ err: error, dependency: name }, 'health check failed');
    return reasonOf(error);
  });
  const found = (await Promise.race([checked, late])) ?? null;
  timer.abort();
  const { reason, ...more } = typeof found === 'string' || found === null ? { reason: found } : found;
  return { name, required, ok: reason === null, reason, ...more, ms: Math.round(performance.now() - startedAt) };
}

/** Returns no more than an error's code, because the page is public and messages may hold addresses and credentials. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? `failed: ${error.code}` : `failed: ${error.name}`;
}

/** `/livez` says that the process runs, `/readyz` whether it can do its work. */
export function mountHealth(router: Router<RequestState>, health: Health): void {
  router.get('/livez', (context) => {
    context.state.route = '/livez';
    context.body = { ok: true };
  });
  router.get('/readyz', async (context) => {
    context.state.route = '/readyz';
    const report = await health.report();
    context.status = report.ready ? 200 : 503;
    context.set('cache-control', 'no-store');
    context.body = report;
  });
}
