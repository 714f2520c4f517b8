import { useState } from 'preact/hooks';
import type { PersonaView } from '../../../typescript/src/index.ts';
import { Panel } from '../../parts/panel.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine, mayDo, place } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { PersonaFields } from './persona-fields.tsx';
import { changesOf, changesText, typedOf } from './persona-form.ts';

export const Persona = () => (
  <Panel title="Persona" deps={[place.value]} load={(signal) => engine.value.agentPersona.read({}, { signal })}>
    {(persona, panel) => <Editor persona={persona} saved={panel.set} />}
  </Panel>
);

const Editor = ({ persona, saved }: { persona: PersonaView; saved: (persona: PersonaView) => void }) => {
  const [typed, setTyped] = useState(() => typedOf({ ...persona }));
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf({ ...persona }, typed);
  const changed = Object.keys(changes).length;

  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { inFlight, ...next } = await engine.value.agentPersona.update(changes);
      saved(next);
      setTyped(typedOf({ ...next }));
      say(inFlight.length > 0 ? `Saved. ${inFlight.length} of its messages were already being sent` : 'Saved');
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void save();
      }}
    >
      <PersonaFields
        typed={typed}
        set={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
        problem={problem}
      />
      {problem && <Problem problem={problem} />}
      {mayDo('ai:admin') ? (
        <div class="row">
          <button type="submit" class="primary" aria-busy={isBusy} disabled={changed === 0}>
            Save
          </button>
          <button type="button" disabled={changed === 0} onClick={() => setTyped(typedOf({ ...persona }))}>
            Undo changes
          </button>
          <span class="quiet small">
            {changed === 0
              ? 'No changes.'
              : `${changesText(changed)}. Try your changes under “Rehearse” before you save.`}
          </span>
        </div>
      ) : (
        <p class="quiet small">You can view this persona, but not change it.</p>
      )}
    </form>
  );
};
