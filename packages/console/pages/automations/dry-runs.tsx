import type { ComponentChildren } from 'preact';
import type { AutomationDryRun } from '../../../typescript/src/index.ts';
import { Badge } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { Picture } from './picture.tsx';
import { isSend, restOf, sentenceOf } from './sentences.ts';
import { begunBy, errorOf, reasonOf, stateOf, timesOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

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
          {t('Waits until')} <Time at={until} how="clock" />
          {name !== 'sleep' && t(' at the latest')}
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
          {t('Started by')} {begunBy(run.begun.event)} <Time at={run.begun.at} how="clock" />
        </span>
        <Badge tone={tone}>{text}</Badge>
      </p>
      {run.reason !== null && <p class="words">{run.error ? errorOf(run.error) : reasonOf(run.reason)}</p>}
      <Picture
        label={t('Steps of {0}', name.toLowerCase())}
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

/** Shows the simulated runs of an automation, one by one. */
export const DryRuns = ({ of }: { of: AutomationDryRun }) => (
  <div class="stack">
    <p>
      {of.runs.length === 0
        ? t('None of the {0} events of this conversation would have started it.', of.eventsRead)
        : t('It would have run {0}. Nothing was done.', timesOf({ ...of, isCut: false }))}
      {of.isCut && t(' Older events or later runs are omitted.')}
    </p>
    {of.runs.map((run, place) => (
      <RunTried key={`${run.begun.at} ${place}`} run={run} name={`Run ${place + 1}`} />
    ))}
  </div>
);
