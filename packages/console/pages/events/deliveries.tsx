import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../../typescript/src/index.ts';
import { Select } from '../../parts/field.tsx';
import { Count, Duration } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, isGuest, mayChangeEndpoints } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { useEndpointNames } from './endpoint-names.ts';
import { chosenEndpoint, chosenSince, EventFilters } from './filters.tsx';
import { More } from '../../parts/paged-table.tsx';
import { columnsOfEvent } from './of-event.tsx';
import { classIs, deliveryIs, lagsOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

const STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
const LOOK_MS = 5_000;
/** Deliveries of few events are read past all older ones, so they are read less often. */
const DEAR_MS = 60_000;

const RESULTS: readonly Column<WebhookDelivery>[] = [
  {
    head: t('Status'),
    cell: (delivery) => {
      const [tone, text] = deliveryIs(delivery.status);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  {
    head: t('Last attempt'),
    wide: true,
    cell: ({ lastClass, lastStatus }) => (
      <>
        {classIs(lastClass)} {lastStatus !== null && <span class="mono quiet">{lastStatus}</span>}
      </>
    ),
  },
  { head: t('Attempts'), numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
  { head: t('Arrived after'), numeric: true, cell: (delivery) => <Duration ms={lagsOf([delivery])[0]} /> },
  {
    head: t('Next attempt'),
    cell: ({ nextAttemptAt, status }) => (status === 'pending' ? <Time at={nextAttemptAt} how="next" /> : '–'),
  },
];

export const Deliveries = () => {
  const status = STATES.find((name) => name === query.value['status']);
  const endpointId = chosenEndpoint();
  const { eventId } = query.value;
  const since = chosenSince();
  const names = useEndpointNames();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const pages = usePages({
    load: (cursor, signal) =>
      engine.value.webhookDeliveries.list({ status, endpointId, eventId, since, limit: 50, cursor }, { signal }),
    items: (page) => page.deliveries,
    key: ({ id }) => id,
    deps: [status, endpointId, eventId, since],
    keep: true,
    every: since === undefined ? LOOK_MS : DEAR_MS,
  });
  const mayResend = mayChangeEndpoints.value && !isGuest.value;
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  const choice: readonly Column<WebhookDelivery>[] = mayResend
    ? [
        {
          head: t('Select'),
          cell: ({ id, eventType }) => (
            <input
              type="checkbox"
              aria-label={t('Select delivery {0}, {1}', id, eventType ?? t('no longer stored'))}
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
            />
          ),
        },
      ]
    : [];
  const ofEvent = columnsOfEvent<WebhookDelivery>(names, {
    at: ({ eventAt }) => eventAt,
    address: ({ id }) => `/events/deliveries/${encodeURIComponent(id)}`,
  });
  return (
    <Section title={t('Deliveries')}>
      <div class="filters">
        <Select
          label={t('Status')}
          value={status}
          options={[{ value: '', label: t('All') }, ...STATES.map((value) => ({ value, label: deliveryIs(value)[1] }))]}
          onChange={(value) => setQuery({ status: value })}
        />
        <EventFilters names={names} />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {mayResend && <ChosenBar rows={pages.items ?? []} chosen={chosen} choose={choose} changed={pages.reload} />}
      {pages.items && (
        <Table
          caption={t('Deliveries, the newest first')}
          rows={pages.items}
          rowKey={({ id }) => id}
          empty={t('No deliveries match.')}
          columns={[...choice, ...ofEvent, ...RESULTS]}
        />
      )}
      <More of={pages} />
    </Section>
  );
};
