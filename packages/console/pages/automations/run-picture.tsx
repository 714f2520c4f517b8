import { useRef } from 'preact/hooks';
import type { ExecutionStory } from '../../../typescript/src/index.ts';
import { Time } from '../../parts/time.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine, isGuest } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { readInstead, readWords } from './others.ts';
import { Picture } from './picture.tsx';
import type { Drawn } from './picture.tsx';
import { isSend, openSentenceOf, restOf, sentenceOf, templateOf, toneOf } from './sentences.ts';
import { begunBy, reasonOf, stateOf, waitOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

type Step = ExecutionStory['steps'][number];

const messageOf = ({ detail }: Step): string | null => {
  const { messageId } = detail;
  return typeof messageId === 'string' ? messageId : null;
};

const Links = ({ step }: { step: Step }) => {
  const message = messageOf(step);
  const rest = restOf(step);
  const isShown = message !== null && isSend(step) && !isGuest.value;
  return (
    <>
      {rest !== '' && <p class="small quiet words">{rest}</p>}
      {isShown && (
        <p class="small">
          <a href={href(`/message/${encodeURIComponent(message)}`)}>{t('Show the message')}</a>
        </p>
      )}
    </>
  );
};

/** The last place: how the run ended, or what it waits for. */
const endOf = (run: ExecutionStory): Drawn => {
  const [tone, text] = stateOf(run.status);
  if (run.status !== 'running') {
    const reason = reasonOf(run.reason);
    return { at: run.endedAt, sentence: reason === null ? text : `${text}: ${reason}`, tone };
  }
  const until = run.waitsUntil && (
    <p>
      {t('Continues at the latest')} <Time at={run.waitsUntil} how="next" />
    </p>
  );
  return { at: null, sentence: waitOf(run.waitsFor) ?? text, more: until, tone, isOpen: true };
};

/** A run as a picture, from its cause to its end or to what it waits for. */
export const RunPicture = ({ run }: { run: ExecutionStory }) => {
  const read = useRef(new Map<string, string>());
  const words = useLoad({
    load: async (signal) =>
      isGuest.value ? new Map<string, string>() : readWords(engine.value, run.steps, { read: read.current, signal }),
    deps: [run.id, run.steps.length, run.status],
    keep: true,
    isBeside: true,
  });
  // A further step does not change the ways of others, which cost a request each.
  const instead = useLoad({
    load: (signal) => readInstead(engine.value, run, signal),
    deps: [run.id, run.status],
    keep: true,
    isBeside: true,
  });
  const insteadAt = (place: number) => instead.data?.get(place);
  const isOver = run.status !== 'running';
  const steps = run.steps.map((step, place): Drawn => {
    const message = messageOf(step);
    const said = message === null || !isSend(step) ? undefined : words.data?.get(message);
    return {
      at: step.startedAt,
      sentence: step.endedAt === null ? openSentenceOf(step, isOver) : sentenceOf(step),
      words: said ?? templateOf(step, run.params),
      more: <Links step={step} />,
      tone: step.endedAt !== null ? toneOf(step) : isOver ? 'quiet' : 'info',
      isOpen: step.endedAt === null && !isOver,
      instead: insteadAt(place),
    };
  });
  return (
    <Picture
      label={t('Steps')}
      steps={[
        { at: run.createdAt, sentence: t('Started by {0}', begunBy(run.begun.event)), tone: 'info' },
        ...steps,
        { ...endOf(run), instead: insteadAt(run.steps.length) },
      ]}
    />
  );
};
