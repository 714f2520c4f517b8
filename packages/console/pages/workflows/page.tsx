import type { FunctionComponent } from 'preact';
import { AgencyFirst } from '../../parts/first/agency-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { t } from '../../parts/words/t.ts';
import { place } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import type { PageProps } from '../../shell/page.ts';
import { WorkflowList } from './list.tsx';

interface Loaded {
  Editor: FunctionComponent<{ id: string }>;
}

/** The editor is larger than the list, and loads when a workflow is opened. */
const LazyEditor = ({ id }: { id: string }) => {
  const loaded = useLoad({
    load: async (): Promise<Loaded> => ({ Editor: (await import('./edit/editor.tsx')).default }),
  });
  return <Loadable of={loaded}>{({ Editor }) => <Editor id={id} />}</Loadable>;
};

export default function WorkflowsPage({ params }: PageProps) {
  const id = params['id'];
  return (
    <>
      <PageHead title={t('Workflows')} text={t('Automations that you build yourself, step by step.')} />
      <AgencyFirst>
        {id === undefined ? (
          <WorkflowList />
        ) : (
          <>
            <p>
              <a href={href('/workflows')}>{t('All workflows')}</a>
            </p>
            <LazyEditor key={`${place.value.agencyId} ${id}`} id={id} />
          </>
        )}
      </AgencyFirst>
    </>
  );
}
