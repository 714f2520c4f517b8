import type { RehearsalResult } from '../../../typescript/src/index.ts';
import { useEffect } from 'preact/hooks';
import { Duration, Money } from '../../parts/numbers.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import type { Tone } from '../../parts/small.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { noteText } from '../inbox/words.ts';
import { engine } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 1_000;

const DECISIONS: Readonly<Record<string, readonly [Tone, string]>> = {
  reply: ['good', t('Answers')],
  silence: ['warn', t('Stays silent')],
  handoff: ['info', t('Hands over to a person')],
};

const TITLES = { persona: t('Current persona'), compareWith: t('Changed persona') };

const Side = ({ result }: { result: RehearsalResult }) => {
  const [tone, text] = DECISIONS[result.decision ?? ''] ?? ['bad', t('Failed')];
  const said = result.parts.length > 0 ? result.parts : [result.reply ?? ''].filter(Boolean);
  return (
    <section class="panel" aria-label={`${TITLES[result.variant]}: ${text}`}>
      <div class="spread">
        <h3>{TITLES[result.variant]}</h3>
        <Badge tone={tone}>{text}</Badge>
      </div>
      {said.map((part, place) => (
        <p key={place} class="words said-part" dir="auto">
          {part}
        </p>
      ))}
      {result.handoffReason !== null && (
        <p class="words">
          {t('Reason:')} {result.handoffReason}
        </p>
      )}
      {result.error && (
        <p class="bad words">
          {result.error.message} <span class="mono">{result.error.code}</span>
        </p>
      )}
      {result.notes.map((note) => (
        <p key={note} class="small quiet words">
          {noteText(note)}
        </p>
      ))}
      <Facts
        items={[
          [t('Persona'), <span class="words">{result.persona.name}</span>],
          [t('Model'), result.model ?? result.persona.model],
          [t('Duration'), <Duration ms={result.ms} />],
          [t('Tokens'), t('{0} in, {1} out', result.tokens.input ?? '–', result.tokens.output ?? '–')],
          [t('Cost'), <Money micros={result.costMicros} />],
        ]}
      />
    </section>
  );
};

export const RehearsalResults = ({ id }: { id: string }) => {
  const rehearsal = useLoad({ load: (signal) => engine.value.agentRehearsals.read(id, {}, { signal }), deps: [id] });
  const isRunning = rehearsal.data?.status === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(rehearsal.reload, LOOK_MS);
    return () => clearTimeout(timer);
  }, [rehearsal.data]);
  return (
    <Section title={t('Side by side')}>
      <Loadable of={rehearsal}>
        {({ status, results, error }) => (
          <div class="stack">
            <p role="status" class="quiet">
              {status === 'running'
                ? t('The agent is thinking …')
                : status === 'done'
                  ? t('Done. Nothing was sent.')
                  : t('The rehearsal failed.')}
            </p>
            {error && <p class="bad words">{error.message}</p>}
            <div class="grid2">
              {results.map((result) => (
                <Side key={`${result.variant} ${result.run}`} result={result} />
              ))}
            </div>
          </div>
        )}
      </Loadable>
    </Section>
  );
};
