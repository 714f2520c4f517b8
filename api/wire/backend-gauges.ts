import type { Registry } from 'prom-client';
import type { BackendState } from '../../db/sessions/backend-state.ts';
import { registerLabelledGauges } from './labelled-gauges.ts';
import type { LabelledNumber } from './labelled-gauges.ts';

const NUMBERS: LabelledNumber<BackendState>[] = [
  {
    name: 'engine_backend_down_seconds',
    help: 'Since when a messaging backend gives no list of its sessions; 0 while it does.',
    of: ({ downSince }) => (downSince === null ? 0 : Math.max(0, (Date.now() - downSince.getTime()) / 1_000)),
  },
  {
    name: 'engine_backend_sessions',
    help: 'The sessions that a messaging backend holds.',
    of: ({ sessions }) => sessions,
  },
  {
    name: 'engine_backend_silent_sessions',
    help: 'The sessions of a messaging backend that say that they work, and tell of nothing.',
    of: ({ silent }) => silent,
  },
  {
    name: 'engine_backend_session_silences',
    help: 'How often sessions of a messaging backend were found silent, in all; a deleted session counts no more.',
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
