import { useState } from 'preact/hooks';
import type { PersonaView } from '../../../typescript/src/index.ts';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { engine, mayDo, place } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { PersonaFields } from './persona-fields.tsx';
import { changesOf, changesText, typedOf } from './persona-form.ts';
import { t } from '../../parts/words/t.ts';
import { useDeed } from '../../parts/use-deed.ts';

export const Persona = () => (
  <Panel title={t('Persona')} deps={[place.value]} load={(signal) => engine.value.agentPersona.read({}, { signal })}>
    {(persona, panel) => <Editor persona={persona} saved={panel.set} />}
  </Panel>
);

const Editor = ({ persona, saved }: { persona: PersonaView; saved: (persona: PersonaView) => void }) => {
  const [typed, setTyped] = useState(() => typedOf({ ...persona }));
  const changes = changesOf({ ...persona }, typed);
  const changed = Object.keys(changes).length;

  const {
    problem,
    isBusy,
    act: save,
  } = useDeed(async () => {
    const { inFlight, ...next } = await engine.value.agentPersona.update(changes);
    saved(next);
    setTyped(typedOf({ ...next }));
    say(inFlight.length > 0 ? t('Saved. {0} of its messages were already being sent', inFlight.length) : t('Saved'));
  });
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
            {t('Save')}
          </button>
          <button type="button" disabled={changed === 0} onClick={() => setTyped(typedOf({ ...persona }))}>
            {t('Undo changes')}
          </button>
          <span class="quiet small">
            {changed === 0
              ? t('No changes.')
              : t('{0}. Try your changes under “Rehearse” before you save.', changesText(changed))}
          </span>
        </div>
      ) : (
        <p class="quiet small">{t('You can view this persona, but not change it.')}</p>
      )}
    </form>
  );
};
