import type { Registry } from 'prom-client';
import type { BackendState } from '../../../db/sessions/backend-state.ts';
import { registerLabelledGauges } from './labelled-gauges.ts';
import type { LabelledNumber } from './labelled-gauges.ts';

const NUMBERS: LabelledNumber<BackendState>[] = [
  {
    name: 'engine_backend_down_seconds',
    of: ({ downSince }) => (downSince === null ? 0 : Math.max(0, (Date.now() - downSince.getTime()) / 1_000)),
  },
  {
    name: 'engine_backend_sessions',
    of: ({ sessions }) => sessions,
  },
  {
    name: 'engine_backend_working_sessions',
    of: ({ working }) => working,
  },
  {
    name: 'engine_backend_silent_sessions',
    of: ({ silent }) => silent,
  },
  {
    name: 'engine_backend_session_silences',
    of: ({ silences }) => silences,
  },
];

/** Shows how each messaging backend is, by its id, so that an alarm can be set on it. */
export function registerBackendGauges(
  registry: Registry,
  read: () => Promise<readonly BackendState[]>,
  onError: (error: unknown) => void,
): void {
  registerLabelledGauges({ registry, onError }, { label: 'backend', valueOf: ({ id }) => id, numbers: NUMBERS, read });
}
