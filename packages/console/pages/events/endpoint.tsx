import { Chart } from '../../parts/chart/chart.tsx';
import { Count, Duration } from '../../parts/numbers.tsx';
import { useKeyNames } from '../../parts/key-names.ts';
import { Panel, Section, Loadable } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { clock, durationOf, spreadOf, unitOf } from '../../parts/times.ts';
import { Timeline } from '../../parts/timeline.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { whoDid } from '../../parts/who-did.ts';
import { engine, mayChangeEndpoints } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { LastDay } from './last-day.tsx';
import { Replay } from './replay.tsx';
import { actionIs, classIs, disabledIs, ORDERINGS, healthOf, lagsOf } from './words.ts';
import { locale, t } from '../../parts/words/t.ts';
import { zone } from '../../parts/zone.ts';

const CHANGES = ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'];
const LOOK_MS = 5_000;
const LAST = 50;

/** One endpoint: how it does, what can be done, and what was done. It is also all that a link to it shows. */
export const EndpointPage = ({ id }: { id: string }) => {
  const names = useKeyNames();
  const loading = useLoad({
    load: (signal) => engine.value.webhookEndpoints.read(id, {}, { signal }),
    deps: [id],
    on: CHANGES,
    every: LOOK_MS,
  });
  return (
    <div class="stack">
      <Section title={t('Overview')}>
        <Loadable of={loading}>
          {(endpoint) => {
            const [tone, text] = healthOf(endpoint);
            const { health } = endpoint;
            return (
              <div class="stack">
                <Facts
                  items={[
                    [t('URL'), <span class="words">{endpoint.url}</span>],
                    [t('Health'), <Badge tone={tone}>{text}</Badge>],
                    ...(endpoint.disabledReason === null
                      ? []
                      : [[t('Reason for the pause'), disabledIs(endpoint.disabledReason)] as const]),
                    [
                      t('Last error'),
                      health.lastError === null ? t('None') : <span class="words">{classIs(health.lastError)}</span>,
                    ],
                    [t('Failing since'), <Time at={health.failingSince} />],
                    [t('Waiting events'), <Count n={health.pending} />],
                    [
                      // Once it fails too often, single attempts test whether it works again.
                      health.state === 'open' ? t('Next probe') : t('Next attempt'),
                      <Time at={health.nextAttemptAt} how="next" />,
                    ],
                    [t('Events'), <span class="small words">{endpoint.events.join(', ')}</span>],
                    [t('Tenants'), endpoint.tenantIds === null ? t('All') : endpoint.tenantIds.join(', ')],
                    [t('Order'), ORDERINGS[endpoint.ordering]],
                  ]}
                />
                {mayChangeEndpoints.value && <EndpointActions endpoint={endpoint} changed={loading.reload} />}
              </div>
            );
          }}
        </Loadable>
      </Section>
      <div class="row">
        <a href={href('/events/deliveries', { endpointId: id })}>{t('Deliveries')}</a>
        <a href={href('/events/deliveries', { endpointId: id, status: 'failed' })}>{t('Dead-lettered')}</a>
        <a href={href('/events/attempts', { endpointId: id })}>{t('Attempts')}</a>
      </div>
      <LastDay id={id} />
      <Lag id={id} />
      {mayChangeEndpoints.value && <Replay id={id} changed={loading.reload} />}
      <Section title={t('History')}>
        <Loadable of={loading}>
          {({ history }) => (
            <Timeline
              label={t('History of the endpoint')}
              entries={history.map(({ reason, ...deed }) => ({
                at: deed.at,
                title: actionIs(deed.action),
                text: [whoDid(deed, names), reason].filter(Boolean).join(': '),
              }))}
            />
          )}
        </Loadable>
      </Section>
    </div>
  );
};

/** Shows the duration of the last deliveries, from the event to its receipt. */
const Lag = ({ id }: { id: string }) => (
  <Panel
    title={t('Delivery time')}
    deps={[id]}
    every={LOOK_MS}
    load={(signal) =>
      engine.value.webhookDeliveries.list({ endpointId: id, status: 'delivered', limit: LAST }, { signal })
    }
  >
    {({ deliveries }) => {
      const delivered = deliveries.filter(({ endedAt }) => endedAt !== null).toReversed();
      const spread = spreadOf(lagsOf(delivered));
      if (!spread) return <p class="quiet">{t('No deliveries yet.')}</p>;
      return (
        <div class="stack">
          <p>
            {t('Half of the last {0} deliveries arrived within', delivered.length)} <Duration ms={spread.middle} />{' '}
            {t('and 95 % within')} <Duration ms={spread.high} />.
          </p>
          <Chart
            title={t("Time from the event to the receiver's response")}
            of={t('Event')}
            labels={delivered.map(({ eventAt }) => clock(new Date(eventAt), locale, zone.value))}
            series={[{ name: t('Time'), values: lagsOf(delivered) }]}
            show={durationOf}
            unit={unitOf}
          />
        </div>
      );
    }}
  </Panel>
);
