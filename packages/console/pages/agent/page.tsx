import type { PageProps } from '../../shell/page.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Tabs } from '../../parts/small.tsx';
import { TenantFirst } from '../../parts/first/tenant-first.tsx';
import { href } from '../../shell/location.ts';
import { Memories } from './memories.tsx';
import { Persona } from './persona.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { State } from './state.tsx';
import { Usage } from './usage.tsx';
import { t } from '../../parts/words/t.ts';

const TABS = [
  ['persona', t('Persona')],
  ['rehearse', t('Rehearse')],
  ['memories', t('Memories')],
  ['usage', t('Usage and cost')],
] as const;

const VIEWS = { persona: Persona, rehearse: Rehearsal, memories: Memories, usage: Usage };

export default function AgentPage({ params }: PageProps) {
  const tab = TABS.find(([value]) => value === params['tab'])?.[0] ?? 'persona';
  const View = VIEWS[tab];
  return (
    <>
      <PageHead title={t('Agent')} text={t('The AI agent that answers customers when no person does.')} />
      <TenantFirst>
        <State />
        <Tabs
          label={t('Views')}
          value={tab}
          options={TABS.map(([value, label]) => ({ value, label, href: href(`/agent/${value}`) }))}
        />
        <View key={tab} />
      </TenantFirst>
    </>
  );
}
