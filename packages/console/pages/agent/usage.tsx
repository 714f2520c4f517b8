import { Chart } from '../../parts/chart/chart.tsx';
import { Count, Money } from '../../parts/numbers.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Select } from '../../parts/field.tsx';
import { Facts } from '../../parts/small.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { query, setQuery } from '../../shell/location.ts';
import { daysOf } from './days.ts';
import { t } from '../../parts/words/t.ts';

const SPANS = ['7', '30', '90'];
const LOOK_MS = 60_000;

/** Shows the agent's usage and cost, and the rest of the day's budget. */
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
    <Section title={t('Usage and cost')}>
      <div class="filters">
        <Select
          label={t('Period')}
          value={String(span)}
          options={SPANS.map((value) => ({ value, label: t('Last {0} days', value) }))}
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
                  [t('Answers today'), <Count n={today?.replies} />],
                  [
                    t('Tokens today'),
                    <>
                      <Count n={today?.tokens} />{' '}
                      {limit > 0 && (
                        <span class="quiet">
                          {t('of')} <Count n={limit} />
                        </span>
                      )}
                    </>,
                  ],
                  [t('Cost today'), <Money micros={today?.costMicros} />],
                  [
                    t('Cost in this period'),
                    <Money micros={days.reduce((sum, { costMicros }) => sum + costMicros, 0)} />,
                  ],
                ]}
              />
              {limit > 0 && (
                <label class="stack">
                  <span>{t('Used part of today’s budget')}</span>
                  <progress max={limit} value={Math.min(today?.tokens ?? 0, limit)} />
                </label>
              )}
              <Chart
                title={t('Cost per day (UTC), in the currency of the model prices')}
                of={t('Day')}
                labels={of}
                series={[{ name: t('Cost'), values: days.map(({ costMicros }) => costMicros / 1_000_000) }]}
                isFine
              />
              <Chart
                title={t('Tokens per day (UTC)')}
                of={t('Day')}
                labels={of}
                series={[{ name: t('Tokens'), values: days.map(({ tokens }) => tokens) }]}
              />
              <Chart
                title={t('Answers per day (UTC)')}
                of={t('Day')}
                labels={of}
                series={[{ name: t('Answers'), values: days.map(({ replies }) => replies) }]}
              />
            </div>
          );
        }}
      </Loadable>
    </Section>
  );
};
