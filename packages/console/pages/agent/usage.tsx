import { Chart } from '../../parts/chart/chart.tsx';
import { Count, Money } from '../../parts/numbers.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Select } from '../../parts/field.tsx';
import { Facts } from '../../parts/small.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { daysOf } from './days.ts';

const SPANS = ['7', '30', '90'];
const LOOK_MS = 60_000;

/** What the agent uses and costs, and how much of its budget of the day is left. */
export const Usage = () => {
  const span = Number(SPANS.find((days) => days === query.value['days']) ?? '30');
  const usage = useLoad({
    load: async (signal) => {
      const { tenantId } = await engine.value.agentPersona.read({}, { signal });
      return engine.value.tenantSettings.readUsage(tenantId, { days: span }, { signal });
    },
    deps: [span],
    keep: true,
    every: LOOK_MS,
  });
  const persona = useLoad({ load: (signal) => engine.value.agentPersona.read({}, { signal }) });
  return (
    <Section title="Usage and cost">
      <div class="filters">
        <Select
          label="Period"
          value={String(span)}
          options={SPANS.map((value) => ({ value, label: `Last ${value} days` }))}
          onChange={(days) => setQuery({ days })}
        />
      </div>
      <Loadable of={usage}>
        {({ agent }) => {
          const days = daysOf(agent, span, new Date());
          const today = days.at(-1);
          const limit = persona.data?.maxTokensPerDay ?? 0;
          const of = days.map(({ day }) => day.slice(5));
          return (
            <div class="stack">
              <Facts
                items={[
                  ['Answers today', <Count n={today?.replies} />],
                  [
                    'Tokens today',
                    <>
                      <Count n={today?.tokens} />{' '}
                      {limit > 0 && (
                        <span class="quiet">
                          of <Count n={limit} />
                        </span>
                      )}
                    </>,
                  ],
                  ['Cost today', <Money micros={today?.costMicros} />],
                  ['Cost in this period', <Money micros={days.reduce((sum, { costMicros }) => sum + costMicros, 0)} />],
                ]}
              />
              {limit > 0 && (
                <label class="stack">
                  <span>Used part of today’s budget</span>
                  <progress max={limit} value={Math.min(today?.tokens ?? 0, limit)} />
                </label>
              )}
              <Chart
                title="Cost per day (UTC), in the currency of the model prices"
                of="Day"
                labels={of}
                series={[{ name: 'Cost', values: days.map(({ costMicros }) => costMicros / 1_000_000) }]}
                isFine
              />
              <Chart
                title="Tokens per day (UTC)"
                of="Day"
                labels={of}
                series={[{ name: 'Tokens', values: days.map(({ tokens }) => tokens) }]}
              />
              <Chart
                title="Answers per day (UTC)"
                of="Day"
                labels={of}
                series={[{ name: 'Answers', values: days.map(({ replies }) => replies) }]}
              />
            </div>
          );
        }}
      </Loadable>
    </Section>
  );
};
