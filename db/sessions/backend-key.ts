import { z } from 'zod';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** A key of the backend that opens one session. */
export interface BackendKey {
  id: string;
  key: string;
}

/** The key of a session as it is kept; `key` is null when no encryption key of the engine opens it. */
export interface KeptKey {
  id: string;
  key: string | null;
  /** Sealed with the former encryption key, which will be gone. */
  isOutdated: boolean;
}

const SealedKey = z.object({ id: z.string(), secret: z.instanceof(Buffer) });

export async function readBackendKey(queries: Queries, sessionId: string): Promise<KeptKey | null> {
  const found = await row(queries, SealedKey)`
    select key_id as id, secret from session_backend_key where session_id = ${sessionId}`;
  if (!found) return null;
  const { id, secret } = found;
  const { secrets } = queries;
  try {
    return { id, key: secrets.open(secret, sessionId), isOutdated: secrets.sealAgain(secret, sessionId) !== null };
  } catch {
    return { id, key: null, isOutdated: false };
  }
}

/**
 * Keeps the session's key in the place of the former one, which is null when there was none. Returns false when another
 * process was faster, or the session is gone.
 */
export async function keepBackendKey(
  tx: Tx,
  sessionId: string,
  { made: { id, key }, formerId }: { made: BackendKey; formerId: string | null },
): Promise<boolean> {
  const kept = await run(tx)`
    insert into session_backend_key as kept (session_id, key_id, secret)
    select id, ${id}, ${tx.secrets.seal(key, sessionId)} from session where id = ${sessionId}
    on conflict (session_id) do update set key_id = excluded.key_id, secret = excluded.secret, made_at = now()
    where kept.key_id = ${formerId}`;
  return kept > 0;
}

/** Forgets a key that the backend does not know any more, unless another one has taken its place. */
export async function forgetBackendKey(tx: Tx, sessionId: string, id: string): Promise<void> {
  await run(tx)`delete from session_backend_key where session_id = ${sessionId} and key_id = ${id}`;
}
