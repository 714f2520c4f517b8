import { findAgency } from '../../db/tenants/agency.ts';
import { findCaller, touchApiKeys } from '../../db/tenants/api-key.ts';
import type { Database } from '../../db/database.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import type { Identity } from './auth.ts';
import { createBriefCache } from '../wire/brief-cache.ts';

const CACHE = { maxAgeMs: 1_000, maxEntries: 10_000 };
const TOUCH_EVERY_MS = 60_000;

/** Looks up keys, agencies and tenants in the database and remembers each answer for a moment. */
export function createIdentity(
  database: Database,
  onError: (error: unknown) => void,
): Identity & { close(): Promise<void> } {
  const callers = createBriefCache(CACHE, (apiKey) => database.read((queries) => findCaller(queries, apiKey)));
  const statuses = createBriefCache(CACHE, (agencyId) =>
    database.read(async (queries) => (await findAgency(queries, agencyId))?.status),
  );
  const tenants = createBriefCache(CACHE, async (path) => {
    const [agencyId = '', tenantId = ''] = path.split('/');
    return (await database.read((queries) => findTenant(queries, { agencyId, tenantId }))) !== null;
  });
  const used = new Set<string>();

  async function touch(): Promise<void> {
    const keyIds = [...used];
    used.clear();
    if (keyIds.length > 0) await database.transaction((tx) => touchApiKeys(tx, keyIds));
  }

  const timer = setInterval(() => {
    touch().catch(onError);
  }, TOUCH_EVERY_MS).unref();

  return {
    async findCaller(apiKey) {
      const caller = await callers(apiKey);
      if (caller) used.add(caller.keyId);
      return caller;
    },
    // Ids hold no slash, so a pair of them has one spelling.
    tenantExists: ({ agencyId, tenantId }) => tenants(`${agencyId}/${tenantId}`),
    agencyStatus: (agencyId) => statuses(agencyId),
    async close() {
      clearInterval(timer);
      await touch();
    },
  };
}
