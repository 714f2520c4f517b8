import type { ComponentChildren } from 'preact';
import type { AutomationDryRun } from '../../../sdk/typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { begunBy, detailOf, errorOf, reasonOf, stateOf, stepOf } from './words.ts';

type Step = AutomationDryRun['runs'][number]['steps'][number];

/** Until when a step would wait, and what it would do or find. What it waits for is its name. */
const textOf = ({ name, until, detail: { waitsFor: _waitsFor, ...detail } }: Step): ComponentChildren => {
  const found = detailOf({ name, detail });
  if (until === null) return found || undefined;
  return (
    <>
      Waits until <Time at={until} how="clock" />
      {name !== 'sleep' && ' at the latest'}
      {found && `\n${found}`}
    </>
  );
};

/** What an automation would have done, run by run. */
export const DryRuns = ({ of }: { of: AutomationDryRun }) => (
  <div class="stack" role="status">
    <p>
      {of.runs.length === 0
        ? `None of the ${of.eventsRead} events of this conversation would have started it.`
        : `It would have run ${of.runs.length === 1 ? 'once' : `${of.runs.length} times`}. Nothing was done.`}
      {of.isCut && ' Older events or later runs are left out.'}
    </p>
    {of.runs.map((run, place) => {
      const [tone, text] = stateOf(run.status);
      return (
        <section key={`${run.begun.at} ${place}`} class="panel" aria-label={`Run ${place + 1}`}>
          <p class="spread">
            <span>
              Started by {begunBy(run.begun.event)} <Time at={run.begun.at} how="clock" />
            </span>
            <Badge tone={tone}>{text}</Badge>
          </p>
          {run.reason !== null && <p class="words">{run.error ? errorOf(run.error) : reasonOf(run.reason)}</p>}
          <Timeline
            label={`Steps of run ${place + 1}`}
            entries={run.steps.map((step) => ({
              at: step.at,
              title: stepOf(step.name),
              text: textOf(step),
            }))}
          />
        </section>
      );
    })}
  </div>
);
