import type { Registry } from 'prom-client';
import { waitsOf } from '../../../domain/operations/delays.ts';
import type { EngineWork } from '../../../domain/operations/engine-work.ts';
import type { Health } from '../health.ts';
import { registerGauge } from './registry.ts';

interface HealthNumbers {
  work: () => Promise<EngineWork>;
  health: Pick<Health, 'latest'>;
}

/** Shows by what the engine's health is judged: how late it is, and how fast what it needs answers. */
export function registerHealthGauges(
  registry: Registry,
  { work, health }: HealthNumbers,
  onError: (error: unknown) => void,
): void {
  registerGauge(registry, 'engine_work_wait_seconds', async (gauge) => {
    gauge.reset();
    try {
      for (const [kind, seconds] of Object.entries(waitsOf(await work()))) gauge.set({ kind }, seconds);
    } catch (error) {
      onError(error);
    }
  });
  registerGauge(registry, 'engine_missing_contents', async (gauge) => {
    try {
      gauge.set((await work()).missingContents);
    } catch (error) {
      gauge.remove();
      onError(error);
    }
  });
  registerGauge(registry, 'engine_dependency_answer_seconds', (gauge) => {
    gauge.reset();
    for (const { name, ms } of health.latest()) gauge.set({ kind: name }, ms / 1_000);
  });
}
