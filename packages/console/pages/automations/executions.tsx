import { Select } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { usePages } from '../../parts/use-pages.ts';
import { engine } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { reasonOf, stateOf, waitOf } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

const STATES = ['running', 'completed', 'failed', 'cancelled'] as const;
const CHANGES = ['automation.started', 'automation.completed', 'automation.failed'];
const LOOK_MS = 10_000;

export const Executions = () => {
  const status = STATES.find((name) => name === query.value['status']);
  const automation = query.value['automation'];
  const definitions = useLoad({ load: (signal) => engine.value.automations.listDefinitions({}, { signal }) });
  const pages = usePages({
    load: (cursor, signal) =>
      engine.value.automations.listExecutions({ status, automation, limit: 50, cursor }, { signal }),
    items: (page) => page.executions,
    key: ({ id }) => id,
    deps: [status, automation],
    keep: true,
    on: CHANGES,
    every: LOOK_MS,
  });
  const names = definitions.data?.definitions ?? [];
  return (
    <Section title={t('Runs')}>
      <div class="filters">
        <Select
          label={t('Automation')}
          value={automation}
          options={[{ value: '', label: t('All') }, ...names.map(({ name, title }) => ({ value: name, label: title }))]}
          onChange={(value) => setQuery({ automation: value })}
        />
        <Select
          label={t('Status')}
          value={status}
          options={[{ value: '', label: t('All') }, ...STATES.map((value) => ({ value, label: stateOf(value)[1] }))]}
          onChange={(value) => setQuery({ status: value })}
        />
      </div>
      <PagedTable
        of={pages}
        caption={t('Runs, the newest first')}
        rowKey={({ id }) => id}
        empty={t('No runs match.')}
        columns={[
          {
            head: t('Started'),
            cell: ({ id, createdAt }) => (
              <a href={href(`/automations/runs/${encodeURIComponent(id)}`)}>
                <Time at={createdAt} how="clock" />
              </a>
            ),
          },
          {
            head: t('Automation'),
            cell: (run) => names.find(({ name }) => name === run.automation)?.title ?? run.automation,
          },
          {
            head: t('Status'),
            cell: (run) => {
              const [tone, text] = stateOf(run.status);
              return <Badge tone={tone}>{text}</Badge>;
            },
          },
          {
            head: t('Reason'),
            wide: true,
            cell: ({ reason, waitsFor }) => <span class="words">{reasonOf(reason) ?? waitOf(waitsFor) ?? '–'}</span>,
          },
          { head: t('Continues'), cell: ({ waitsUntil }) => <Time at={waitsUntil} /> },
        ]}
      />
    </Section>
  );
};
