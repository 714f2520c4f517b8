import type { Registry } from 'prom-client';
import type { AgencySpending } from '../../../db/tenants/limits.ts';
import { registerLabelledGauges } from './labelled-gauges.ts';
import type { LabelledNumber } from './labelled-gauges.ts';

const MICROS = 1_000_000;
const NUMBERS: LabelledNumber<AgencySpending>[] = [
  {
    name: 'engine_ai_tokens_today',
    of: ({ tokens }) => tokens,
  },
  {
    name: 'engine_ai_cost_today',
    of: ({ costMicros }) => costMicros / MICROS,
  },
];

/** Shows what models have used and cost today for each agency, so that an alarm can be set on it. */
export function registerSpendingGauges(
  registry: Registry,
  read: () => Promise<readonly AgencySpending[]>,
  onError: (error: unknown) => void,
): void {
  registerLabelledGauges(
    { registry, onError },
    { label: 'agency', valueOf: ({ agencyId }) => agencyId, numbers: NUMBERS, read },
  );
}
