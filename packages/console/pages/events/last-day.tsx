import { Chart } from '../../parts/chart/chart.tsx';
import { Count, Duration } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { durationOf, hour, unitOf } from '../../parts/times.ts';
import { engine } from '../../shell/engine.ts';
import { successText } from './words.ts';
import { locale, t } from '../../parts/words/t.ts';
import { zone } from '../../parts/zone.ts';

/** Counting a day costs the engine more than other reads. */
const LOOK_MS = 60_000;

/** Successes, failures and latency of an endpoint in the last 24 hours. */
export const LastDay = ({ id }: { id: string }) => (
  <Panel
    title={t('Last 24 hours')}
    deps={[id]}
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEndpoints.readStatistics(id, {}, { signal })}
  >
    {(day) => {
      const labels = day.hours.map(({ at }) => hour(new Date(at), locale, zone.value));
      if (day.delivered + day.failed === 0) return <p class="quiet">{t('No attempts in the last 24 hours.')}</p>;
      return (
        <div class="stack">
          <p>
            <strong>{successText(day)}</strong>: <Count n={day.delivered} /> {t('accepted,')} <Count n={day.failed} />{' '}
            {t('failed')}
            {day.isCut && t(', of the newest attempts')}.
            {day.medianMs !== null && (
              <>
                {' '}
                {t('Half were accepted within')} <Duration ms={day.medianMs} />
                {t(', 95 % within')} <Duration ms={day.p95Ms} />.
              </>
            )}
          </p>
          <Chart
            title={t('Attempts by the hour')}
            of={t('Hour')}
            labels={labels}
            series={[
              { name: t('Accepted'), values: day.hours.map(({ delivered }) => delivered) },
              { name: t('Failed'), values: day.hours.map(({ failed }) => failed) },
            ]}
          />
          {day.delivered > 0 && (
            <Chart
              title={t('Latency by the hour, 95 % within')}
              of={t('Hour')}
              labels={labels}
              series={[{ name: t('Latency'), values: day.hours.map(({ p95Ms }) => p95Ms) }]}
              show={durationOf}
              unit={unitOf}
            />
          )}
        </div>
      );
    }}
  </Panel>
);
