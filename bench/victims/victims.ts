import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { eventsFlood } from './events-flood.ts';
import { fiveConnections } from './five-connections.ts';
import { stoppedProcess } from './stopped-process.ts';
import { thousandEndpoints } from './thousand-endpoints.ts';

/** Measures what others notice of somebody who floods, has too much, or stands still. */
export async function victims(machine: Machine): Promise<Result[]> {
  const results: Result[] = [];
  for (const path of [eventsFlood, thousandEndpoints, stoppedProcess, fiveConnections]) {
    results.push(...(await path(machine)));
  }
  return results;
}
