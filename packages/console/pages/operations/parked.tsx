import { Action } from '../../parts/action.tsx';
import { Select } from '../../parts/field.tsx';
import { Bytes, Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engineOfAll } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { say } from '../../shell/say.tsx';
import { ParkedDispatches } from './parked-dispatches.tsx';
import { PARKED } from './words.ts';

const LOOK_MS = 30_000;
const STATES = ['parked', 'applied', 'ignored'] as const;
const ANSWERS = {
  parked: 'The event still could not be applied',
  applied: 'Applied',
  ignored: 'The event belongs to no account of this engine',
};

/** What waits for the operator: events that could not be applied, and work that Temporal has refused. */
export const Parked = () => (
  <>
    <ParkedEvents />
    <ParkedDispatches />
  </>
);

/** What the messaging backend told and the engine could not apply. */
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
    <Section title="Parked events">
      <p class="quiet">
        Events of the messaging backend that could not be applied for a day. Messages may be missing until they are
        applied.
      </p>
      <div class="filters">
        <Select
          label="Status"
          value={status}
          options={STATES.map((value) => ({ value, label: PARKED[value][1] }))}
          onChange={(value) => setQuery({ status: value })}
        />
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && (
        <Table
          caption="Parked events, the oldest first"
          rows={pages.items}
          rowKey={({ id }) => id}
          empty={status === 'parked' ? 'Nothing is parked.' : 'No events with this status.'}
          columns={[
            { head: 'Number', numeric: true, cell: ({ id }) => id },
            { head: 'Account', cell: ({ sessionName }) => sessionName || 'Unreadable' },
            {
              head: 'Status',
              cell: ({ status: now }) => <Badge tone={PARKED[now][0]}>{PARKED[now][1]}</Badge>,
            },
            { head: 'Error', wide: true, cell: ({ error }) => <span class="words">{error ?? '–'}</span> },
            { head: 'Attempts', numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
            { head: 'Size', numeric: true, cell: ({ sizeBytes }) => <Bytes n={sizeBytes} /> },
            { head: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} how="clock" /> },
            {
              head: 'Actions',
              cell: ({ id, status: now }) =>
                now === 'parked' && (
                  <Action
                    run={async () => {
                      const event = await engineOfAll.adminParkedEvents.apply(id);
                      say(ANSWERS[event.status]);
                      pages.reload();
                    }}
                  >
                    Apply again<span class="visually-hidden"> number {id}</span>
                  </Action>
                ),
            },
          ]}
        />
      )}
      {pages.hasMore && (
        <div>
          <button type="button" onClick={pages.more}>
            Show more
          </button>
        </div>
      )}
    </Section>
  );
};
