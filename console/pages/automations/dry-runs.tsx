import type { AutomationDryRun } from '../../../sdk/typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { detailOf, reasonOf, stateOf, stepOf } from './words.ts';

/** What an automation would have done, run by run. */
export const DryRuns = ({ of }: { of: AutomationDryRun }) => (
  <div class="stack" role="status">
    <p>
      {of.runs.length === 0
        ? `Of ${of.eventsRead} events of the chat none would have begun it.`
        : `It would have run ${of.runs.length === 1 ? 'once' : `${of.runs.length} times`}. Nothing was done.`}
      {of.isCut && ' Older events or later runs are left out.'}
    </p>
    {of.runs.map((run, place) => {
      const [tone, text] = stateOf(run.status);
      return (
        <section key={`${run.begun.at} ${place}`} class="panel" aria-label={`Run ${place + 1}`}>
          <p class="spread">
            <span>
              Begun by {run.begun.event} <Time at={run.begun.at} how="clock" />
            </span>
            <Badge tone={tone}>{text}</Badge>
          </p>
          {run.reason !== null && <p class="words">{reasonOf(run.reason)}</p>}
          <Timeline
            label={`Steps of run ${place + 1}`}
            entries={run.steps.map((step) => ({
              at: step.at,
              title: stepOf(step.name),
              text: detailOf(step.detail) || undefined,
            }))}
          />
        </section>
      );
    })}
  </div>
);
