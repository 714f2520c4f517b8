import { z } from 'zod';
import { rows, run } from '../engine/rows.ts';
import type { SecretBox } from '../engine/secret-box.ts';
import type { Tx } from '../engine/tx.ts';
import { OldSecret } from '../webhooks/endpoint-secrets.ts';

const SealedRow = z.object({
  id: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  headers: z.instanceof(Buffer).nullable(),
});
type SealedRow = z.output<typeof SealedRow>;

/** The result of one batch; `last` is null when no endpoint follows. */
export interface Resealed {
  last: string | null;
  resealed: number;
  /** Endpoints whose secrets no key of the engine opens. */
  unreadable: string[];
}

/**
 * Seals the secrets of the next endpoints with the current encryption key. Secrets under the current key stay as they
 * are, so it may be repeated and interrupted.
 */
export async function resealEndpoints(tx: Tx, after: string | null, limit: number): Promise<Resealed> {
  const found = await rows(tx, SealedRow)`
    select id, secret, old_secrets as "oldSecrets", headers from endpoint
    where ${after}::text is null or id > ${after} order by id limit ${limit} for no key update`;
  const done: Resealed = {
    last: found.length < limit ? null : (found.at(-1)?.id ?? null),
    resealed: 0,
    unreadable: [],
  };
  for (const endpoint of found) {
    const anew = tryReseal(tx.secrets, endpoint);
    if (anew === 'unreadable') done.unreadable.push(endpoint.id);
    if (anew === null || anew === 'unreadable') continue;
    await run(tx)`
      update endpoint set secret = ${anew.secret}, old_secrets = ${JSON.stringify(anew.oldSecrets)}::jsonb,
        headers = ${anew.headers} where id = ${endpoint.id}`;
    done.resealed += 1;
  }
  return done;
}

/** Null when everything is sealed with the current key. */
function tryReseal(box: SecretBox, endpoint: SealedRow): Omit<SealedRow, 'id'> | null | 'unreadable' {
  const { id, secret, oldSecrets, headers } = endpoint;
  try {
    const olds = oldSecrets.map(({ sealed, until }) => {
      const again = box.sealAgain(Buffer.from(sealed, 'base64'), id);
      return { sealed: again?.toString('base64') ?? sealed, until };
    });
    const anew = { secret: box.sealAgain(secret, id), headers: headers && box.sealAgain(headers, id) };
    const isSame =
      anew.secret === null && anew.headers === null && olds.every((old, i) => old.sealed === oldSecrets[i]?.sealed);
    return isSame ? null : { secret: anew.secret ?? secret, oldSecrets: olds, headers: anew.headers ?? headers };
  } catch {
    return 'unreadable';
  }
}
