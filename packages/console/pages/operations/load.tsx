import { Chart } from '../../parts/chart/chart.tsx';
import { Select } from '../../parts/field.tsx';
import { Count } from '../../parts/numbers.tsx';
import { Loadable, Panel, Section } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { durationOf, hour, unitOf } from '../../parts/times.ts';
import { useLoad } from '../../parts/use-load.ts';
import { engine, who } from '../../shell/engine.ts';
import { href, query, setQuery } from '../../shell/location.ts';
import { STATES } from '../connect/words.ts';
import { healthOf } from '../events/words.ts';
import { settingsOf, tenantNow } from './tenant.ts';
import { locale, t } from '../../parts/words/t.ts';
import { zone } from '../../parts/zone.ts';

const SPANS = ['6', '24', '72'];
const LOOK_MS = 10_000;

/** Shows the queues, the reasons of their waits, and the last hours. */
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
      <Section title={t('Messages per hour')}>
        <div class="filters">
          <Select
            label={t('Period')}
            value={String(hours)}
            options={SPANS.map((value) => ({ value, label: t('Last {0} hours', value) }))}
            onChange={(value) => setQuery({ hours: value })}
          />
        </div>
        <Loadable of={load}>
          {(now) => (
            <div class="stack">
              {!now.isComplete && <p>{t('There were too many messages to count the earliest hours completely.')}</p>}
              <Chart
                title={t('Messages sent and received per hour')}
                of={t('Hour')}
                labels={now.hours.map(({ at }) => hour(new Date(at), locale, zone.value))}
                series={[
                  { name: t('Sent'), values: now.hours.map(({ sent }) => sent) },
                  { name: t('Received'), values: now.hours.map(({ received }) => received) },
                ]}
              />
            </div>
          )}
        </Loadable>
      </Section>
      <Section title={t('Webhook delivery time')}>
        <Loadable of={load}>
          {({ hours: list }) =>
            list.every(({ lagMs }) => lagMs === null) ? (
              <p class="quiet">{t('No events were delivered in this period.')}</p>
            ) : (
              <Chart
                title={t("Time from the event to the receiver's response, per hour")}
                of={t('Hour')}
                labels={list.map(({ at }) => hour(new Date(at), locale, zone.value))}
                series={[
                  { name: t('Half within'), values: list.map(({ lagMs }) => lagMs?.p50 ?? null) },
                  { name: t('95 % within'), values: list.map(({ lagMs }) => lagMs?.p95 ?? null) },
                ]}
                show={durationOf}
                unit={unitOf}
              />
            )
          }
        </Loadable>
      </Section>
      <Section title={t('Queues and pace')}>
        <Loadable of={load}>
          {({ sessions }) => (
            <Table
              caption={t('Waiting messages and pace of each account')}
              rows={sessions}
              rowKey={({ sessionId }) => sessionId}
              empty={t('The tenant has no account yet.')}
              columns={[
                {
                  head: t('Account'),
                  cell: ({ sessionId, name }) => <a href={href(`/connect/${encodeURIComponent(sessionId)}`)}>{name}</a>,
                },
                {
                  head: t('Status'),
                  cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].word}</Badge>,
                },
                { head: t('Waiting'), numeric: true, cell: ({ queued }) => <Count n={queued} /> },
                { head: t('Oldest from'), cell: ({ oldestQueuedAt }) => <Time at={oldestQueuedAt} /> },
                { head: t('Scheduled'), numeric: true, cell: ({ scheduled }) => <Count n={scheduled} /> },
                { head: t('Uncertain'), numeric: true, cell: ({ uncertain }) => <Count n={uncertain} /> },
                { head: t('Pace'), wide: true, cell: ({ pace }) => <PaceNow pace={pace} /> },
                {
                  head: t('New people left today'),
                  cell: ({ firstContacts }) =>
                    firstContacts.left === null
                      ? t('No limit')
                      : t('{0} of {1}', firstContacts.left, firstContacts.perDay ?? 0),
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
        {t('Restricted by the network until')} <Time at={pace.restrictedUntil} how="clock" />
      </>
    );
  if (pace.quietUntil !== null)
    return (
      <>
        {t('Quiet hours until')} <Time at={pace.quietUntil} how="clock" />
      </>
    );
  if (!pace.isPaced) return <>{t('No limit')}</>;
  return pace.nextSlotAt === null ? (
    <>{t('Next message: now')}</>
  ) : (
    <>
      {t('Next message:')} <Time at={pace.nextSlotAt} />
    </>
  );
};

const Lag = () => (
  <Panel
    title={t('Webhooks')}
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEndpoints.list({ limit: 50 }, { signal })}
  >
    {({ endpoints }) => (
      <Table
        caption={t('Events that wait for each endpoint')}
        rows={endpoints}
        rowKey={({ id }) => id}
        empty={t('No endpoints yet.')}
        columns={[
          {
            head: t('Endpoint'),
            wide: true,
            cell: ({ id, url }) => (
              <a class="words" href={href(`/events/endpoints/${encodeURIComponent(id)}`)}>
                {url}
              </a>
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
        ]}
      />
    )}
  </Panel>
);
