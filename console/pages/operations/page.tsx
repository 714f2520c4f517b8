import type { PageProps } from '../../shell/page.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/small.tsx';
import { TenantFirst } from '../../parts/tenant-first.tsx';
import { href } from '../../shell/location.ts';
import { who } from '../../shell/engine.ts';
import { Audit } from './audit.tsx';
import { Dashboards } from './dashboards.tsx';
import { Gaps } from './gaps.tsx';
import { Keys } from './keys.tsx';
import { Load } from './load.tsx';
import { Servers } from './servers.tsx';
import { Settings } from './settings.tsx';

/** The views, and whose keys they are for: a view of others would only show refusals. */
const TABS = [
  { value: 'load', label: 'Load', View: Load, isOfTenant: true, kinds: ['master', 'dashboard', 'session'] },
  { value: 'gaps', label: 'Gaps', View: Gaps, isOfTenant: true, kinds: ['master', 'dashboard', 'session'] },
  { value: 'settings', label: 'Settings', View: Settings, isOfTenant: true, kinds: ['master', 'dashboard', 'session'] },
  { value: 'keys', label: 'Keys', View: Keys, isOfTenant: false, kinds: ['master', 'dashboard'] },
  { value: 'audit', label: 'Who did what', View: Audit, isOfTenant: false, kinds: ['master', 'dashboard'] },
  { value: 'dashboards', label: 'Dashboards', View: Dashboards, isOfTenant: false, kinds: ['master'] },
  { value: 'servers', label: 'Servers', View: Servers, isOfTenant: false, kinds: ['master'] },
] as const;

export default function OperationsPage({ params }: PageProps) {
  const kind = who.value?.kind;
  const tabs = TABS.filter(({ kinds }) => kinds.some((one) => one === kind));
  const tab = tabs.find(({ value }) => value === params['tab']) ?? TABS[0];
  const { View, isOfTenant } = tab;
  return (
    <>
      <PageHead title="Operations" text="Whether everything keeps up, and who changed what." />
      <Tabs
        label="Views"
        value={tab.value}
        options={tabs.map(({ value, label }) => ({ value, label, href: href(`/operations/${value}`) }))}
      />
      {isOfTenant ? (
        <TenantFirst>
          <View key={tab.value} />
        </TenantFirst>
      ) : (
        <View key={tab.value} />
      )}
    </>
  );
}
