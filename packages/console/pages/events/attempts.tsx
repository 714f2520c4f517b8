import type { WebhookAttempt } from '../../../typescript/src/index.ts';
import { Select } from '../../parts/field.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { AttemptList } from './attempt-list.tsx';
import { useEndpointNames } from './endpoint-names.ts';
import { aDayAgo, chosenEndpoint, chosenSince, EventFilters } from './filters.tsx';
import { More } from '../../parts/paged-table.tsx';
import { columnsOfEvent } from './of-event.tsx';
import { CLASS_NAMES, classIs } from './words.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 5_000;
/** Attempts of one result are read past all others, so they are read less often. */
const DEAR_MS = 60_000;

export const Attempts = () => {
  const endpointId = chosenEndpoint();
  const since = chosenSince();
  const { eventId } = query.value;
  const result = CLASS_NAMES.find((name) => name === query.value['result']);
  const names = useEndpointNames();
  const pages = usePages({
    load: (cursor, signal) =>
      engine.value.webhookAttempts.list({ endpointId, eventId, class: result, since, limit: 25, cursor }, { signal }),
    items: (page) => page.attempts,
    key: ({ deliveryId, number, at }) => `${deliveryId} ${number} ${at}`,
    deps: [endpointId, eventId, result, since],
    keep: true,
    every: result === undefined ? LOOK_MS : DEAR_MS,
  });
  const columns = columnsOfEvent<WebhookAttempt>(names, {
    at: ({ at }) => at,
    address: ({ deliveryId }) => `/events/deliveries/${encodeURIComponent(deliveryId)}`,
  });
  return (
    <Section title={t('Attempts')}>
      <div class="filters">
        <Select
          label={t('Result')}
          value={result}
          options={[{ value: '', label: t('All') }, ...CLASS_NAMES.map((value) => ({ value, label: classIs(value) }))]}
          onChange={(value) =>
            setQuery(value === '' ? { result: value } : { result: value, since: since ?? aDayAgo() })
          }
        />
        <EventFilters names={names} />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && <AttemptList attempts={pages.items} columns={columns} />}
      <More of={pages} />
    </Section>
  );
};
