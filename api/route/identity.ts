import { hash, timingSafeEqual } from 'node:crypto';
import { findAgency } from '../../db/tenants/agency.ts';
import { touchApiKeys } from '../../db/tenants/api-key.ts';
import { parseKey } from '../../db/tenants/api-key-format.ts';
import { callerOf, findWorkingKeys, listWorkingKeys, renewDigest } from '../../db/tenants/find-caller.ts';
import { findOnlyTenant, findOwners } from '../../db/tenants/implied-tenant.ts';
import type { KeyRow } from '../../db/tenants/find-caller.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Caller } from '../../domain/caller.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import type { OwnLimits } from '../../domain/tenants/limits.ts';
import type { Identity } from './caller.ts';
import { createBriefCache } from '../wire/brief-cache.ts';
import { gathered } from '../wire/gathered.ts';

const CACHE = { maxAgeMs: 1_000, maxEntries: 10_000 };
const MAX_FAMILIAR = 10_000;
const TOUCH_EVERY_MS = 60_000;

/**
 * Looks up keys, agencies and tenants in the database and remembers each answer for a moment. A suspension and the end
 * of a key are also heard of, so that they count at once unless the news of them is lost.
 */
export function createIdentity(
  database: Database,
  onError: (error: unknown) => void,
): Identity & { limitsOf(agencyId: string): Promise<OwnLimits>; close(): Promise<void> } {
  const keys = createBriefCache(
    CACHE,
    gathered((ids) => database.read((queries) => findWorkingKeys(queries, ids))),
  );
  const agencies = createBriefCache({ ...CACHE, remembersMissing: false }, (agencyId) =>
    database.read((queries) => findAgency(queries, agencyId)),
  );
  const tenants = createBriefCache({ ...CACHE, remembersMissing: false }, async (path) => {
    const [agencyId = '', tenantId = ''] = path.split('/');
    return (await database.read((queries) => findTenant(queries, { agencyId, tenantId }))) !== null;
  });
  const stopListening = database.wakeups.on('agency', () => {
    keys.forget();
    agencies.forget();
  });
  /** The secret that was right for a row lately, as a digest: checking it again costs a tenth of the keyed digest. */
  const right = new WeakMap<KeyRow, { secret: Buffer; caller: Caller }>();
  let familiar = new Set<string>();
  /** When each key was used that is not recorded yet. */
  let uses = new Map<string, Date>();

  async function touch(): Promise<void> {
    const recorded = uses;
    uses = new Map();
    if (recorded.size === 0) return;
    await database
      .transaction((tx) => touchApiKeys(tx, recorded))
      .catch((error: unknown) => {
        uses = new Map([...recorded, ...uses]);
        throw error;
      });
  }

  /** A process that has just started knows the keys, too, so that others' failures lock out none of them. */
  async function learnKeys(): Promise<void> {
    familiar = new Set(await database.read((queries) => listWorkingKeys(queries, MAX_FAMILIAR)));
  }

  let learning = learnKeys().catch(onError);
  const timer = setInterval(() => {
    learning = touch().then(learnKeys).catch(onError);
  }, TOUCH_EVERY_MS).unref();

  return {
    idOf: (apiKey) => parseKey(apiKey)?.id,
    isFamiliar: (keyId) => familiar.has(keyId),
    async findCaller(apiKey) {
      const parsed = parseKey(apiKey);
      if (!parsed) return undefined;
      const { id, secret } = parsed;
      const found = await keys(id);
      // A remembered key may have expired a moment ago.
      const row = found?.expiresAt && found.expiresAt <= database.clock.now() ? undefined : found;
      const known = row && right.get(row);
      const given = hash('sha256', secret, 'buffer');
      if (known && timingSafeEqual(given, known.secret)) return known.caller;
      const checked = callerOf(database.secrets, row, secret);
      if (!checked) return undefined;
      if (row && !checked.isOutdated) right.set(row, { secret: given, caller: checked.caller });
      uses.set(id, database.clock.now());
      if (familiar.size < MAX_FAMILIAR) familiar.add(id);
      if (checked.isOutdated) {
        await database.statement((tx) => renewDigest(tx, id, secret)).catch(onError);
        keys.forget(id);
      }
      return checked.caller;
    },
    // Ids hold no slash, so a pair of them has one spelling.
    tenantExists: ({ agencyId, tenantId }) => tenants(`${agencyId}/${tenantId}`),
    agencyStatus: async (agencyId) => (await agencies(agencyId))?.status,
    limitsOf: async (agencyId) => (await agencies(agencyId))?.limits ?? {},
    ownersOf: async (agencyId, objects) =>
      objects.length === 0 ? [] : database.read((queries) => findOwners(queries, agencyId, objects)),
    onlyTenant: (agencyId) => database.read((queries) => findOnlyTenant(queries, agencyId)),
    async close() {
      stopListening();
      clearInterval(timer);
      await learning;
      await touch();
    },
  };
}
