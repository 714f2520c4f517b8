import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, Empty } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, mayChangeEndpoints } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { More } from '../../parts/paged-table.tsx';
import { healthOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

const CHANGES = ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'];
const LOOK_MS = 15_000;

export const Endpoints = () => {
  const pages = usePages({
    load: (cursor, signal) => engine.value.webhookEndpoints.list({ limit: 50, cursor }, { signal }),
    items: (page) => page.endpoints,
    key: ({ id }) => id,
    on: CHANGES,
    every: LOOK_MS,
  });
  const add = mayChangeEndpoints.value && (
    <a class="button primary" href={href('/events/endpoints/new')}>
      {t('New endpoint')}
    </a>
  );
  return (
    <Section title={t('Endpoints')} actions={add}>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items?.length === 0 && (
        <Empty text={t('No endpoints yet. An endpoint is a URL of yours that the engine sends events to.')} />
      )}
      {pages.items && pages.items.length > 0 && (
        <Table
          caption={t('Endpoints')}
          rows={pages.items}
          rowKey={({ id }) => id}
          empty=""
          columns={[
            {
              head: t('URL'),
              wide: true,
              cell: ({ id, url, description }) => (
                <>
                  <a class="words" href={href(`/events/endpoints/${encodeURIComponent(id)}`)}>
                    {url}
                  </a>
                  {description && (
                    <div class="small quiet words" dir="auto">
                      {description}
                    </div>
                  )}
                </>
              ),
            },
            {
              head: t('Health'),
              cell: (endpoint) => {
                const [tone, text] = healthOf(endpoint);
                return <Badge tone={tone}>{text}</Badge>;
              },
            },
            { head: t('Waiting'), numeric: true, cell: ({ health }) => <Count n={health.pending} /> },
            { head: t('Failing since'), cell: ({ health }) => <Time at={health.failingSince} /> },
            {
              head: t('Events'),
              cell: ({ events }) => (
                <span class="small">{events.length > 3 ? t('{0} types', events.length) : events.join(', ')}</span>
              ),
            },
          ]}
        />
      )}
      <More of={pages} />
    </Section>
  );
};
