import { Action } from '../../parts/action.tsx';
import { Select } from '../../parts/field.tsx';
import { Bytes, Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { ParkedDispatches } from './parked-dispatches.tsx';
import { PARKED } from './words.ts';
import { t } from '../../parts/words/t.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

const LOOK_MS = 30_000;
const STATES = ['parked', 'applied', 'ignored'] as const;
const ANSWERS = {
  parked: t('The event still could not be applied'),
  applied: t('Applied'),
  ignored: t('The event belongs to no account of this engine'),
};

/** Lists the operator's open work: events that could not be applied, and work that Temporal has refused. */
export const Parked = () => (
  <>
    <ParkedEvents />
    <ParkedDispatches />
  </>
);

/** Lists reports of the messaging backend that the engine could not apply. */
const ParkedEvents = () => {
  const status = STATES.find((name) => name === query.value['status']) ?? 'parked';
  const pages = usePages({
    load: (cursor, signal) => engineOfAll.adminParkedEvents.list({ status, limit: 50, cursor }, { signal }),
    items: (page) => page.events,
    key: ({ id }) => id,
    deps: [status],
    keep: true,
    every: LOOK_MS,
  });
  return (
    <Section title={t('Parked events')}>
      <p class="quiet">
        {t('Events that the engine could not apply for a day. Messages may be missing until it applies them.')}
      </p>
      <div class="filters">
        <Select
          label={t('Status')}
          value={status}
          options={STATES.map((value) => ({ value, label: PARKED[value][1] }))}
          onChange={(value) => setQuery({ status: value })}
        />
      </div>
      <PagedTable
        of={pages}
        caption={t('Parked events, the oldest first')}
        rowKey={({ id }) => id}
        empty={status === 'parked' ? t('Nothing is parked.') : t('No events with this status.')}
        columns={[
          { head: t('Number'), numeric: true, cell: ({ id }) => id },
          { head: t('Account'), cell: ({ sessionName }) => sessionName || t('Unreadable') },
          {
            head: t('Status'),
            cell: ({ status: now }) => <Badge tone={PARKED[now][0]}>{PARKED[now][1]}</Badge>,
          },
          { head: t('Error'), wide: true, cell: ({ error }) => <span class="words">{error ?? '–'}</span> },
          { head: t('Attempts'), numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
          { head: t('Size'), numeric: true, cell: ({ sizeBytes }) => <Bytes n={sizeBytes} /> },
          { head: t('Received'), cell: ({ receivedAt }) => <Time at={receivedAt} how="clock" /> },
          {
            head: t('Actions'),
            cell: ({ id, status: now }) =>
              now === 'parked' && (
                <Action
                  run={async () => {
                    const event = await engineOfAll.adminParkedEvents.apply(id);
                    say(ANSWERS[event.status]);
                    pages.reload();
                  }}
                >
                  {t('Apply again')}
                  <span class="visually-hidden">
                    {' '}
                    {t('number')} {id}
                  </span>
                </Action>
              ),
          },
        ]}
      />
    </Section>
  );
};
