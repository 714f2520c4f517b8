import { Chart } from '../../parts/chart/chart.tsx';
import { Count, Duration } from '../../parts/numbers.tsx';
import { Panel } from '../../parts/panel.tsx';
import { durationOf, hour, unitOf } from '../../parts/times.ts';
import { engine } from '../../shell/engine.ts';
import { successText } from './words.ts';

/** Counting a day costs the engine more than other reads. */
const LOOK_MS = 60_000;

/** Successes, failures and latency of an endpoint in the last 24 hours. */
export const LastDay = ({ id }: { id: string }) => (
  <Panel
    title="Last 24 hours"
    deps={[id]}
    every={LOOK_MS}
    load={(signal) => engine.value.webhookEndpoints.readStatistics(id, {}, { signal })}
  >
    {(day) => {
      const labels = day.hours.map(({ at }) => hour(new Date(at), 'en-GB'));
      if (day.delivered + day.failed === 0) return <p class="quiet">No attempts in the last 24 hours.</p>;
      return (
        <div class="stack">
          <p>
            <strong>{successText(day)}</strong>: <Count n={day.delivered} /> accepted, <Count n={day.failed} /> failed
            {day.isCut && ', of the newest attempts'}.
            {day.medianMs !== null && (
              <>
                {' '}
                Half were accepted within <Duration ms={day.medianMs} />, 95 % within <Duration ms={day.p95Ms} />.
              </>
            )}
          </p>
          <Chart
            title="Attempts by the hour"
            of="Hour"
            labels={labels}
            series={[
              { name: 'Accepted', values: day.hours.map(({ delivered }) => delivered) },
              { name: 'Failed', values: day.hours.map(({ failed }) => failed) },
            ]}
          />
          {day.delivered > 0 && (
            <Chart
              title="Latency by the hour, 95 % within"
              of="Hour"
              labels={labels}
              series={[{ name: 'Latency', values: day.hours.map(({ p95Ms }) => p95Ms) }]}
              show={durationOf}
              unit={unitOf}
            />
          )}
        </div>
      );
    }}
  </Panel>
);
