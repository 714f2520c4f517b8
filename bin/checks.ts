import type { HealthCheck } from '../api/wire/health.ts';
import type { Backend } from '../backend/client.ts';
import { clockTroubleOf } from '../backend/calls/clock-skew.ts';
import { repairCheck } from '../api/wire/repair-check.ts';
import type { Database } from '../db/database.ts';
import { readRepairState } from '../db/repair.ts';
import { run } from '../db/rows.ts';

/**
 * Checks what the engine depends on. Only the database decides whether the engine is ready. Without the other parts
 * sends are still accepted and kept, so taking the process out of service would help nobody.
 */
export function createChecks(parts: {
  database: Database;
  backend: Backend;
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
      check: async () => {
        if (!(await parts.backend.ping())) return 'the messaging backend does not answer';
        const skew = await parts.backend.readClockSkew(() => parts.database.clock.outside().getTime());
        return skew === null ? 'it does not tell its time' : clockTroubleOf(skew);
      },
    },
    repairCheck(() => parts.database.read(readRepairState)),
  ];
}
