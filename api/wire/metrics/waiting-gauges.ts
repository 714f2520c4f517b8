import type { Registry } from 'prom-client';
import type { PoolState } from '../../../db/engine/database.ts';
import type { GaugeName } from '../../../domain/telemetry/metrics.ts';
import { registerGauge } from './registry.ts';

interface Readers {
  eventWatch: { readonly held: number };
  eventStreams: { current(): { open: number } };
}

/** Registers how many readers this process holds: the streams of events, and with them the pulls that wait. */
export function registerReaderGauges(registry: Registry, { eventWatch, eventStreams }: Readers): void {
  const register = (name: GaugeName, read: () => number): void =>
    registerGauge(registry, name, (gauge) => gauge.set(read()));
  register('engine_event_streams', () => eventStreams.current().open);
  register('engine_event_readers', () => eventWatch.held);
}

/** Registers how the connections of this process are used, and what waits for them. */
export function registerPoolGauges(registry: Registry, read: () => PoolState): void {
  registerGauge(registry, 'engine_database_connections', (gauge) => {
    const { busy, idle } = read();
    gauge.set({ state: 'busy' }, busy);
    gauge.set({ state: 'idle' }, idle);
  });
  registerGauge(registry, 'engine_database_warm_connections', (gauge) => gauge.set(read().warm));
  registerGauge(registry, 'engine_database_waiting', (gauge) => {
    const { waiting, waitingForShare } = read();
    gauge.set({ for: 'connection' }, waiting);
    gauge.set({ for: 'share' }, waitingForShare);
  });
}
