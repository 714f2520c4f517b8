import { Action } from '../../parts/action.tsx';
import { Select } from '../../parts/field.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Section } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { engine, mayChangeEndpoints, who } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { More } from './more.tsx';
import { classIs, deliveryIs } from './words.ts';

const STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
const LOOK_MS = 5_000;

export const Deliveries = () => {
  const status = STATES.find((name) => name === query.value['status']);
  const endpointId = who.value?.endpointId ?? query.value['endpointId'];
  const eventId = query.value['eventId'];
  const pages = usePages({
    load: (cursor, signal) =>
      engine.value.webhookDeliveries.list({ status, endpointId, eventId, limit: 50, cursor }, { signal }),
    items: (page) => page.deliveries,
    key: ({ id }) => id,
    deps: [status, endpointId, eventId],
    keep: true,
    every: LOOK_MS,
  });
  return (
    <Section title="Deliveries">
      <div class="filters">
        <Select
          label="Status"
          value={status}
          options={[{ value: '', label: 'All' }, ...STATES.map((value) => ({ value, label: deliveryIs(value)[1] }))]}
          onChange={(value) => setQuery({ status: value })}
        />
        {(query.value['endpointId'] ?? eventId) !== undefined && (
          <a class="button" href={href('/events/deliveries')}>
            Show all endpoints
          </a>
        )}
      </div>
      {pages.problem && <Problem problem={pages.problem} retry={pages.reload} />}
      {pages.items && (
        <Table
          caption="Deliveries, the newest first"
          rows={pages.items}
          rowKey={({ id }) => id}
          empty="No deliveries match."
          columns={[
            {
              head: 'Event',
              cell: ({ id, eventAt }) => (
                <a href={href(`/events/deliveries/${encodeURIComponent(id)}`)}>
                  <Time at={eventAt} how="clock" />
                </a>
              ),
            },
            {
              head: 'Status',
              cell: (delivery) => {
                const [tone, text] = deliveryIs(delivery.status);
                return <Badge tone={tone}>{text}</Badge>;
              },
            },
            { head: 'Attempts', numeric: true, cell: ({ attempts }) => <Count n={attempts} /> },
            {
              head: 'Last attempt',
              wide: true,
              cell: ({ lastClass, lastStatus }) => (
                <>
                  {classIs(lastClass)} {lastStatus !== null && <span class="mono quiet">{lastStatus}</span>}
                </>
              ),
            },
            {
              head: 'Next attempt',
              cell: ({ nextAttemptAt, status: now }) =>
                now === 'pending' ? <Time at={nextAttemptAt} how="next" /> : '–',
            },
            {
              head: 'Actions',
              cell: ({ id, status: now }) =>
                mayChangeEndpoints.value && (
                  <div class="row">
                    <Action
                      run={async () => {
                        await engine.value.webhookDeliveries.resend(id);
                        pages.reload();
                      }}
                      done="The delivery is being resent"
                    >
                      Resend
                    </Action>
                    {now === 'pending' && (
                      <Action
                        run={async () => {
                          await engine.value.webhookDeliveries.cancel(id);
                          pages.reload();
                        }}
                        confirm={{
                          title: 'Cancel this delivery?',
                          text: 'The endpoint does not get this event.',
                          yes: 'Cancel delivery',
                          danger: true,
                        }}
                        done="Cancelled"
                      >
                        Cancel …
                      </Action>
                    )}
                  </div>
                ),
            },
          ]}
        />
      )}
      <More of={pages} />
    </Section>
  );
};
