import { useState } from 'preact/hooks';
import type { ResolveMessage } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine } from '../../shell/engine.ts';
import { me, rememberMe } from '../../shell/me.ts';
import { say } from '../../shell/say.tsx';
import { OUTCOMES } from './outcomes.ts';
import { t } from '../../parts/words/t.ts';

type Outcome = ResolveMessage['outcome'];

/** Records what somebody has seen in the chat on the phone. No outcome is chosen before, because none can be undone. */
export const Resolve = ({ id, reload }: { id: string; reload: () => void }) => {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const isNamed = me.value !== '';
  const [given, setGiven] = useState('');
  const actor = isNamed ? me.value : given;
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const resolve = async (chosen: Outcome): Promise<void> => {
    try {
      const name = actor.trim();
      await engine.value.messages.resolve(id, { outcome: chosen, actor: name, reason: reason.trim() });
      if (!isNamed) rememberMe(name);
      say(t('Saved'));
      reload();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (outcome !== null) void resolve(outcome);
      }}
    >
      <fieldset class="outcomes">
        <legend>{t('State of the message in the chat on the phone')}</legend>
        {OUTCOMES.map(({ value, label, effect }) => (
          <label key={value}>
            <input
              type="radio"
              name="outcome"
              value={value}
              checked={outcome === value}
              onChange={() => setOutcome(value)}
            />
            <span>
              {label}
              <span class="small quiet">{effect}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {!isNamed && (
        <Field label={t('Your name')} hint={t('Colleagues see it beside what you do. It stays in this browser.')}>
          {(props) => (
            <input
              {...props}
              required
              pattern=".*\S.*"
              maxLength={128}
              value={given}
              onInput={(event) => setGiven(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field label={t('Your observation')}>
        {(props) => (
          <input
            {...props}
            required
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" disabled={outcome === null}>
          {t('Save')}
        </button>
      </div>
    </form>
  );
};
