import { Fragment } from 'preact';
import type { PageProps } from '../../shell/page.ts';
import { AgencyFirst } from '../../parts/first/agency-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/small.tsx';
import { TenantFirst } from '../../parts/first/tenant-first.tsx';
import { href } from '../../shell/location.ts';
import { who } from '../../shell/engine.ts';
import { Audit } from './audit.tsx';
import { Dashboards } from './dashboards.tsx';
import { BrandSettings } from './brand.tsx';
import { Gaps } from './gaps.tsx';
import { Health } from './health.tsx';
import { Keys } from './keys.tsx';
import { Links } from './links.tsx';
import { Load } from './load.tsx';
import { Parked } from './parked.tsx';
import { Servers } from './servers.tsx';
import { Settings } from './settings.tsx';
import { t } from '../../parts/words/t.ts';

/** The views, and whose keys they are for: a view of others would only show refusals. */
const TABS = [
  { value: 'health', label: t('Health'), View: Health, of: 'all', kinds: ['master', 'dashboard', 'session'] },
  { value: 'load', label: t('Load'), View: Load, of: 'tenant', kinds: ['master', 'dashboard', 'session'] },
  { value: 'gaps', label: t('Gaps'), View: Gaps, of: 'tenant', kinds: ['master', 'dashboard', 'session'] },
  { value: 'settings', label: t('Settings'), View: Settings, of: 'tenant', kinds: ['master', 'dashboard', 'session'] },
  { value: 'keys', label: t('Keys'), View: Keys, of: 'agency', kinds: ['master', 'dashboard'] },
  { value: 'links', label: t('Links'), View: Links, of: 'tenant', kinds: ['master', 'dashboard'] },
  { value: 'brand', label: t('Brand'), View: BrandSettings, of: 'agency', kinds: ['master', 'dashboard'] },
  { value: 'audit', label: t('Audit'), View: Audit, of: 'all', kinds: ['master', 'dashboard'] },
  { value: 'dashboards', label: t('Dashboards'), View: Dashboards, of: 'all', kinds: ['master'] },
  { value: 'parked', label: t('Parked'), View: Parked, of: 'all', kinds: ['master'] },
  { value: 'servers', label: t('Servers'), View: Servers, of: 'all', kinds: ['master'] },
] as const;

/** The choice that each page needs first. */
const FIRST = { tenant: TenantFirst, agency: AgencyFirst, all: Fragment };

export default function OperationsPage({ params }: PageProps) {
  const kind = who.value?.kind;
  const tabs = TABS.filter(({ kinds }) => kinds.some((one) => one === kind));
  const tab = tabs.find(({ value }) => value === params['tab']) ?? TABS[0];
  const { View, of } = tab;
  const First = FIRST[of];
  return (
    <>
      <PageHead title={t('Operations')} text={t('Waiting work, settings and the audit log.')} />
      <Tabs
        label={t('Views')}
        value={tab.value}
        options={tabs.map(({ value, label }) => ({ value, label, href: href(`/operations/${value}`) }))}
      />
      <First>
        <View key={tab.value} />
      </First>
    </>
  );
}
