import type { ComponentChildren } from 'preact';
import type { AutomationDryRun } from '../../../typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Picture } from './picture.tsx';
import { isSend, restOf, sentenceOf } from './sentences.ts';
import { begunBy, errorOf, reasonOf, stateOf, timesOf } from './words.ts';

type Step = AutomationDryRun['runs'][number]['steps'][number];

/** The words that the customer would read. A memory has words, too, which only the agent reads. */
const wordsOf = (step: Step): string | null => {
  const { says } = step.detail;
  return isSend(step) && typeof says === 'string' ? says : null;
};

/** The end of a wait, and the details that the sentence does not say. */
const moreOf = ({ name, until, detail }: Step): ComponentChildren => {
  const found = restOf({ name, detail });
  return (
    <>
      {until !== null && (
        <p>
          Waits until <Time at={until} how="clock" />
          {name !== 'sleep' && ' at the latest'}
        </p>
      )}
      {found && <p class="small quiet words">{found}</p>}
    </>
  );
};

interface RunTriedProps {
  run: AutomationDryRun['runs'][number];
  name: string;
}

/** One run that would have been, step by step. */
export const RunTried = ({ run, name }: RunTriedProps) => {
  const [tone, text] = stateOf(run.status);
  return (
    <section class="panel" aria-label={name}>
      <p class="spread">
        <span>
          Started by {begunBy(run.begun.event)} <Time at={run.begun.at} how="clock" />
        </span>
        <Badge tone={tone}>{text}</Badge>
      </p>
      {run.reason !== null && <p class="words">{run.error ? errorOf(run.error) : reasonOf(run.reason)}</p>}
      <Picture
        label={`Steps of ${name.toLowerCase()}`}
        steps={run.steps.map((step) => ({
          at: step.at,
          sentence: sentenceOf(step, 'would'),
          words: wordsOf(step),
          more: moreOf(step),
        }))}
      />
    </section>
  );
};

/** What an automation would have done, run by run. */
export const DryRuns = ({ of }: { of: AutomationDryRun }) => (
  <div class="stack">
    <p>
      {of.runs.length === 0
        ? `None of the ${of.eventsRead} events of this conversation would have started it.`
        : `It would have run ${timesOf({ ...of, isCut: false })}. Nothing was done.`}
      {of.isCut && ' Older events or later runs are left out.'}
    </p>
    {of.runs.map((run, place) => (
      <RunTried key={`${run.begun.at} ${place}`} run={run} name={`Run ${place + 1}`} />
    ))}
  </div>
);
