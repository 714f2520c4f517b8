import type { PageProps } from '../../shell/page.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/small.tsx';
import { TenantFirst } from '../../parts/first/tenant-first.tsx';
import { href } from '../../shell/location.ts';
import { DefinitionPage } from './definition.tsx';
import { Definitions } from './definitions.tsx';
import { ExecutionPage } from './execution.tsx';
import { Executions } from './executions.tsx';
import { t } from '../../parts/words/t.ts';

const View = ({ tab, id }: { tab: string; id: string | undefined }) => {
  if (tab === 'runs') return id === undefined ? <Executions /> : <ExecutionPage id={id} />;
  return id === undefined ? <Definitions /> : <DefinitionPage name={id} />;
};

export default function AutomationsPage({ params }: PageProps) {
  const tab = params['tab'] === 'runs' ? 'runs' : 'all';
  const id = params['id'];
  return (
    <>
      <PageHead title={t('Automations')} text={t('Automatic welcomes, reminders and questions.')} />
      <TenantFirst>
        <Tabs
          label={t('Views')}
          value={tab}
          options={[
            { value: 'all', label: t('Automations'), href: href('/automations/all') },
            { value: 'runs', label: t('Runs'), href: href('/automations/runs') },
          ]}
        />
        <View key={`${tab} ${id ?? ''}`} tab={tab} id={id} />
      </TenantFirst>
    </>
  );
}
