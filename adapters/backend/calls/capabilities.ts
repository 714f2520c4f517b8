import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { canDo } from '../../../domain/network/capabilities.ts';
import type { Http } from '../http/http.ts';
import { read } from '../http/read.ts';
import { Text } from '../events/raw.ts';

export interface BackendCapabilities {
  version: string | null;
  /** The engine behind the sessions, as `NOWEB`. */
  platform: string | null;
  /** True when the caller may choose the id under which a message is sent (`docs/extend/backend.md#sending`, 3). */
  callerChosenIds: boolean;
  /** True when a message can be found by its bare id alone, whatever address its chat has at the backend. */
  findsByBareId: boolean;
}

const BARE_ID_ENGINES = ['NOWEB', 'GOWS'];
const VALID_FOR_MS = 60_000;

/**
 * The form of ids that the network's own web clients use: a fixed beginning and 18 upper-case hex digits
 * (`docs/extend/backend.md#ids`, 5).
 */
const BEGINNING = '3EB0';
const RANDOM_BYTES = 9;

const RawVersion = z.object({ version: Text, engine: Text });

/** Tells what this backend can do. The backend is asked at most every minute; a failure is not remembered. */
export function createCapabilities(
  http: Http,
  { timeoutMs, engine: usual, now }: { timeoutMs: number; engine: string | null; now: () => number },
) {
  let known: { until: number; version: Promise<z.output<typeof RawVersion>> } | null = null;

  function version(isAskedAgain: boolean) {
    if (known !== null && known.until > now() && !isAskedAgain) return known.version;
    const path = '/api/server/version';
    const asked = read(http, RawVersion, { method: 'GET', path, timeoutMs, doing: 'tell its version' });
    const entry = { until: now() + VALID_FOR_MS, version: asked };
    known = entry;
    asked.catch(() => {
      if (known === entry) known = null;
    });
    return asked;
  }

  /**
   * `platform` is the session's engine; without it the engine counts that the operator or the backend names. Whoever
   * refuses something because of the version has the backend asked again: it may have been upgraded meanwhile.
   */
  return async function capabilities(
    platform?: string | null,
    { isAskedAgain = false } = {},
  ): Promise<BackendCapabilities> {
    const server = await version(isAskedAgain);
    const engine = (platform ?? usual ?? server.engine)?.toUpperCase() ?? null;
    const findsByBareId = engine !== null && BARE_ID_ENGINES.includes(engine);
    return {
      version: server.version,
      platform: engine,
      callerChosenIds: canDo('callerChosenIds', engine, server.version),
      findsByBareId,
    };
  };
}

/**
 * Chooses an id to send under, so that an uncertain send can be found again; null when the backend would ignore it. The
 * engine makes the id itself, because the backend's own route for it would cost every send a second round trip.
 */
export function createChooseMessageId(capabilities: ReturnType<typeof createCapabilities>) {
  return async function chooseMessageId(platform?: string | null): Promise<string | null> {
    if (!(await capabilities(platform)).callerChosenIds) return null;
    return BEGINNING + randomBytes(RANDOM_BYTES).toString('hex').toUpperCase();
  };
}
