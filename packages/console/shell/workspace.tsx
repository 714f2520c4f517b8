import { useLayoutEffect } from 'preact/hooks';
import { allOf } from '../parts/all-of.ts';
import { Problem } from '../parts/problem.tsx';
import { Select } from '../parts/field.tsx';
import { useLoad } from '../parts/use-load.ts';
import { hasAgencies, hasTenants } from './choices.ts';
import { engineOfAgency, engineOfAll, place, who } from './engine.ts';
import { query, setQuery } from './location.ts';
import { t } from '../parts/words/t.ts';

const AGENCIES_AT_ONCE = 100;
const SESSIONS_AT_ONCE = 500;
/** No event reports the first agency, so the console asks for it this often. */
const FIRST_EVERY_MS = 3_000;

/** The choice of an agency, for a key that reaches several. */
const AgencyChoice = () => {
  const agencies = useLoad({
    load: async (signal) => {
      const list = await allOf(engineOfAll.adminDashboards.list({ limit: AGENCIES_AT_ONCE }, { signal }));
      hasAgencies.value = list.length > 0;
      return list;
    },
    every: hasAgencies.value === false ? FIRST_EVERY_MS : undefined,
  });
  if (agencies.problem) return <Problem problem={agencies.problem} retry={agencies.reload} />;
  const options = (agencies.data ?? []).map(({ agencyId, dashboardName }) => ({
    value: agencyId,
    label: dashboardName === agencyId ? agencyId : `${dashboardName} (${agencyId})`,
  }));
  const only = options.length === 1 ? options[0]?.value : undefined;
  if (only !== undefined && query.value['agency'] === undefined) queueMicrotask(() => setQuery({ agency: only }));
  return (
    <Select
      label={t('Agency')}
      value={query.value['agency']}
      options={[{ value: '', label: t('Choose …') }, ...options]}
      onChange={(agency) => setQuery({ agency, tenant: undefined })}
    />
  );
};

const TenantChoice = () => {
  const { agencyId } = place.value;
  useLayoutEffect(() => {
    hasTenants.value = null;
  }, [agencyId]);
  const sessions = useLoad({
    load: async (signal) => {
      const list = await allOf(engineOfAgency.value.sessions.list({ limit: SESSIONS_AT_ONCE }, { signal }));
      hasTenants.value = list.length > 0;
      return list;
    },
    // The tenants of another agency are not to choose from, nor is its only one to be chosen by itself.
    deps: [agencyId],
    on: ['session.status'],
  });
  const tenants = [...new Set((sessions.data ?? []).map(({ tenantId }) => tenantId))].toSorted();
  const chosen = query.value['tenant'];
  const only = tenants.length === 1 ? tenants[0] : undefined;
  if (only !== undefined && chosen === undefined) queueMicrotask(() => setQuery({ tenant: only }));
  if (sessions.problem) return <Problem problem={sessions.problem} retry={sessions.reload} />;
  const listed = chosen !== undefined && !tenants.includes(chosen) ? [...tenants, chosen] : tenants;
  return (
    <Select
      label={t('Tenant')}
      value={chosen}
      options={[{ value: '', label: t('All tenants') }, ...listed.map((tenant) => ({ value: tenant, label: tenant }))]}
      onChange={(tenant) => setQuery({ tenant })}
    />
  );
};

/** The choice of the place, where the key leaves one. */
export const Workspace = () => {
  if (!who.value || who.value.kind === 'session' || who.value.kind === 'link') return null;
  return (
    <div class="workspace">
      {who.value.kind === 'master' && <AgencyChoice />}
      {(who.value.kind === 'dashboard' || place.value.agencyId !== undefined) && <TenantChoice />}
    </div>
  );
};
