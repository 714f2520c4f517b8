import { z } from 'zod';

/** The backend of a configuration that names one server only, and of every session that is older than the list. */
export const DEFAULT_BACKEND = 'default';

export const BackendId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must consist of lower-case letters, digits and "-"');

/** A server gets this many times as many new sessions as one of weight 1 at most. */
export const MAX_WEIGHT = 1_000;

/** A server of the messaging backend, as the configuration names it. */
export interface BackendServer {
  id: string;
  /** Without `/api`. */
  url: string;
  apiKey: string | null;
  /** Its share of new sessions beside the other servers; 0 takes none. */
  weight: number;
  /** The engine of its sessions, as `NOWEB`; null where the server says it itself. */
  engine: string | null;
}

/** Why a server is down: it does not answer, or it refuses the engine, whose key is wrong. */
export const BACKEND_TROUBLES = ['backend_unavailable', 'backend_error'] as const;
export type BackendTrouble = (typeof BACKEND_TROUBLES)[number];

interface Candidate extends Pick<BackendServer, 'id' | 'weight'> {
  sessions: number;
  isDown: boolean;
}

/**
 * Chooses the server of a new session: the one that has the fewest sessions for its weight. One that is down is taken
 * only where all are, and one of weight 0 only where nothing else is there.
 */
export function placeOfNewSession(candidates: readonly Candidate[]): string | undefined {
  const weighty = candidates.filter(({ weight }) => weight > 0);
  const up = weighty.filter(({ isDown }) => !isDown);
  const [eligible = []] = [up, weighty, candidates].filter((some) => some.length > 0);
  const load = ({ sessions, weight }: Candidate): number => (sessions + 1) / Math.max(weight, 1);
  return eligible.reduce<Candidate | undefined>(
    (best, each) => (best === undefined || load(each) < load(best) ? each : best),
    undefined,
  )?.id;
}
