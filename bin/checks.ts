import type { HealthCheck } from '../api/wire/health.ts';
import type { Backends } from '../adapters/backend/backends.ts';
import { workCheck } from '../api/operations/work-health.ts';
import { repairCheck } from '../api/wire/repair-check.ts';
import type { Database } from '../db/engine/database.ts';
import { readRepairState } from '../db/repair.ts';
import { run } from '../db/engine/rows.ts';
import { backendTrouble } from './backend-check.ts';

/**
 * Checks what the engine depends on. Only the database decides whether the engine is ready. Without the other parts
 * sends are still accepted and kept, so taking the process out of service would help nobody.
 */
export function createChecks(parts: {
  database: Database;
  backends: Pick<Backends, 'servers'>;
  probeTemporal: () => Promise<void>;
  /** The command that an operator must run for search attributes; null when nothing is missing. */
  missingSearchAttributes: () => string | null;
}): HealthCheck[] {
  return [
    {
      name: 'database',
      required: true,
      check: async () => {
        await parts.database.read((queries) => run(queries)`select 1`);
      },
    },
    {
      name: 'temporal',
      required: false,
      check: async () => {
        await parts.probeTemporal();
        const command = parts.missingSearchAttributes();
        return command === null ? undefined : `search attributes are missing; run: ${command}`;
      },
    },
    {
      name: 'backend',
      required: false,
      check: () => backendTrouble(parts.backends.servers, () => parts.database.clock.outside().getTime()),
    },
    repairCheck(() => parts.database.read(readRepairState)),
    workCheck(parts.database),
  ];
}
