import { Select } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { usePages } from '../../parts/use-pages.ts';
import { engine } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { isEventName } from './event-names.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

export const Events = () => {
  const asked = query.value['type'];
  const type = isEventName(asked) ? asked : undefined;
  const kinds = useLoad({ load: (signal) => engine.value.webhookEventTypes.list({ signal }) });
  const pages = usePages({
    load: (cursor, signal, limit = 50) => engine.value.webhookEvents.list({ limit, cursor, type }, { signal }),
    items: (page) => page.events,
    key: ({ id }) => id,
    deps: [type],
    keep: true,
    on: ['*'],
    isBeside: true,
    top: 20,
  });
  const names = kinds.data?.eventTypes ?? [];
  return (
    <Section title={t('Events')}>
      <div class="filters">
        <Select
          label={t('Type')}
          value={type}
          options={[
            { value: '', label: t('All') },
            ...names.map((kind) => ({ value: kind.type, label: `${kind.title} (${kind.type})` })),
          ]}
          onChange={(value) => setQuery({ type: value })}
        />
      </div>
      <PagedTable
        of={pages}
        caption={t('Events, the newest first')}
        rowKey={({ id }) => id}
        empty={t('No events match.')}
        columns={[
          { head: t('When'), cell: ({ createdAt }) => <Time at={createdAt} how="clock" /> },
          {
            head: t('Type'),
            cell: (event) => (
              <>
                <a class="mono" href={href(`/events/events/${encodeURIComponent(event.id)}`)}>
                  {event.type}
                </a>{' '}
                {event.test && <Badge tone="info">{t('Test')}</Badge>}
              </>
            ),
          },
          { head: t('Tenant'), cell: ({ tenantId }) => tenantId ?? '–' },
          { head: t('Sequence'), numeric: true, cell: ({ sequence }) => sequence },
        ]}
      />
    </Section>
  );
};
