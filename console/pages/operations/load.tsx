import { Chart } from '../../parts/chart/chart.tsx';
import { Select } from '../../parts/field.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Loadable, Panel, Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine, who } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { healthOf } from '../events/words.ts';
import { settingsOf, tenantNow } from './tenant.ts';
import { hourOf } from './words.ts';

const SPANS = ['6', '24', '72'];
const LOOK_MS = 10_000;

/** What waits, what holds it back, and what the last hours brought. */
export const Load = () => {
  const hours = Number(SPANS.find((span) => span === query.value['hours']) ?? '24');
  const load = useLoad({
    load: (signal) => settingsOf().readLoad(tenantNow(), { hours }, { signal }),
    deps: [hours],
    keep: true,
    every: LOOK_MS,
  });
  return (
    <>
      <Section title="Messages by the hour">
        <div class="filters">
          <Select
            label="Hours"
            value={String(hours)}
            options={SPANS.map((value) => ({ value, label: `The last ${value}` }))}
            onChange={(value) => setQuery({ hours: value })}
          />
        </div>
        <Loadable of={load}>
          {(now) => (
            <div class="stack">
              {!now.isComplete && <p>There were so many that the earliest hours are not counted in full.</p>}
              <Chart
                title="Messages sent and received by the hour, in your time"
                of="Hour"
                labels={now.hours.map(({ at }) => hourOf(at))}
                series={[
                  { name: 'Sent', values: now.hours.map(({ sent }) => sent) },
                  { name: 'Received', values: now.hours.map(({ received }) => received) },
                ]}
              />
            </div>
          )}
        </Loadable>
      </Section>
      <Section title="How fast webhooks are heard">
        <Loadable of={load}>
          {({ hours: list }) =>
            list.every(({ lagMs }) => lagMs === null) ? (
              <p class="quiet">No webhook was delivered in these hours.</p>
            ) : (
              <Chart
                title="Milliseconds from the event to the receiver's answer, by the hour, in your time"
                of="Hour"
                labels={list.map(({ at }) => hourOf(at))}
                series={[
                  { name: 'Half within', values: list.map(({ lagMs }) => lagMs?.p50 ?? null) },
                  { name: '95 of 100 within', values: list.map(({ lagMs }) => lagMs?.p95 ?? null) },
                ]}
              />
            )
          }
        </Loadable>
      </Section>
      <Section title="Queues and pace">
        <Loadable of={load}>
          {({ sessions }) => (
            <Table
              caption="What waits in each account, and what its pace still lets go"
              rows={sessions}
              rowKey={({ sessionId }) => sessionId}
              empty="The tenant has no account yet."
              columns={[
                {
                  head: 'Account',
                  cell: ({ sessionId, name }) => <a href={href(`/connect/${encodeURIComponent(sessionId)}`)}>{name}</a>,
                },
                {
                  head: 'State',
                  cell: ({ status }) => (
                    <Badge tone={status === 'WORKING' ? 'good' : 'warn'}>
                      {status === 'WORKING' ? 'Working' : status.replaceAll('_', ' ').toLowerCase()}
                    </Badge>
                  ),
                },
                { head: 'Waiting', numeric: true, cell: ({ queued }) => <Count n={queued} /> },
                { head: 'Oldest since', cell: ({ oldestQueuedAt }) => <Time at={oldestQueuedAt} /> },
                { head: 'Scheduled', numeric: true, cell: ({ scheduled }) => <Count n={scheduled} /> },
                { head: 'Unclear', numeric: true, cell: ({ uncertain }) => <Count n={uncertain} /> },
                { head: 'Pace', wide: true, cell: ({ pace }) => <PaceNow pace={pace} /> },
                {
                  head: 'New people left today',
                  cell: ({ firstContacts }) =>
                    firstContacts.left === null ? 'any' : `${firstContacts.left} of ${firstContacts.perDay ?? 0}`,
                },
              ]}
            />
          )}
        </Loadable>
      </Section>
      {who.value?.kind !== 'session' && <Lag />}
    </>
  );
};

interface Pace {
  isPaced: boolean;
  nextSlotAt: string | null;
  quietUntil: string | null;
  restrictedUntil: string | null;
}

const PaceNow = ({ pace }: { pace: Pace }) => {
  if (pace.restrictedUntil !== null)
    return (
      <>
        Restricted by the network until <Time at={pace.restrictedUntil} how="clock" />
      </>
    );
  if (pace.quietUntil !== null)
    return (
      <>
        Quiet hours until <Time at={pace.quietUntil} how="clock" />
      </>
    );
  if (!pace.isPaced) return <>As fast as it can</>;
  return pace.nextSlotAt === null ? (
    <>The next goes at once</>
  ) : (
    <>
      The next goes <Time at={pace.nextSlotAt} />
    </>
  );
};

const Lag = () => (
  <Panel
    title="Webhooks"
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEndpoints.list({ limit: 50 }, { signal })}
  >
    {({ endpoints }) => (
      <Table
        caption="What endpoints have yet to hear"
        rows={endpoints}
        rowKey={({ id }) => id}
        empty="There are no endpoints."
        columns={[
          {
            head: 'Endpoint',
            wide: true,
            cell: ({ id, url }) => (
              <a class="words" href={href(`/events/endpoints/${encodeURIComponent(id)}`)}>
                {url}
              </a>
            ),
          },
          {
            head: 'Health',
            cell: (endpoint) => {
              const [tone, text] = healthOf(endpoint);
              return <Badge tone={tone}>{text}</Badge>;
            },
          },
          { head: 'Waiting', numeric: true, cell: ({ health }) => <Count n={health.pending} /> },
          { head: 'Failing since', cell: ({ health }) => <Time at={health.failingSince} /> },
        ]}
      />
    )}
  </Panel>
);
