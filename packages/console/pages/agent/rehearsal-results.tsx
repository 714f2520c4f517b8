import type { RehearsalResult } from '../../../typescript/src/index.ts';
import { useEffect } from 'preact/hooks';
import { Duration, Money } from '../../parts/numbers.tsx';
import { Loadable, Section } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import type { Tone } from '../../parts/small.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { noteText } from '../inbox/words.ts';
import { engine } from '../../shell/engine.ts';

const LOOK_MS = 1_000;

const DECISIONS: Readonly<Record<string, readonly [Tone, string]>> = {
  reply: ['good', 'Answers'],
  silence: ['warn', 'Stays silent'],
  handoff: ['info', 'Hands over to a person'],
};

const TITLES = { persona: 'Current persona', compareWith: 'Changed persona' };

const Side = ({ result }: { result: RehearsalResult }) => {
  const [tone, text] = DECISIONS[result.decision ?? ''] ?? ['bad', 'Failed'];
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
      {result.handoffReason !== null && <p class="words">Reason: {result.handoffReason}</p>}
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
          ['Persona', <span class="words">{result.persona.name}</span>],
          ['Model', result.model ?? result.persona.model],
          ['Duration', <Duration ms={result.ms} />],
          ['Tokens', `${result.tokens.input ?? '–'} in, ${result.tokens.output ?? '–'} out`],
          ['Cost', <Money micros={result.costMicros} />],
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
    <Section title="Side by side">
      <Loadable of={rehearsal}>
        {({ status, results, error }) => (
          <div class="stack">
            <p role="status" class="quiet">
              {status === 'running'
                ? 'The agent is thinking …'
                : status === 'done'
                  ? 'Done. Nothing was sent.'
                  : 'The rehearsal failed.'}
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
