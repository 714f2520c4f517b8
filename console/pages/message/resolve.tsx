import { useState } from 'preact/hooks';
import type { ResolveMessage } from '../../../sdk/typescript/src/index.ts';
import { Field, Select } from '../../parts/field.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';

const OUTCOMES: readonly { value: ResolveMessage['outcome']; label: string }[] = [
  { value: 'sent', label: 'The message arrived' },
  { value: 'resend', label: 'It did not arrive: resend it' },
  { value: 'failed', label: 'It did not arrive: do not send it' },
];

/** What somebody has seen in the chat on the phone, where nobody knows it otherwise. */
export const Resolve = ({ id, reload }: { id: string; reload: () => void }) => {
  const [outcome, setOutcome] = useState<ResolveMessage['outcome']>('sent');
  const [actor, setActor] = useState('');
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const resolve = async (): Promise<void> => {
    try {
      await engine.value.messages.resolve(id, { outcome, actor: actor.trim(), reason: reason.trim() });
      say('Saved');
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
        void resolve();
      }}
    >
      <Select
        label="What do you see in the chat on the phone?"
        value={outcome}
        options={OUTCOMES}
        onChange={(value) => setOutcome(OUTCOMES.find((one) => one.value === value)?.value ?? 'sent')}
      />
      <Field label="Your name">
        {(props) => (
          <input
            {...props}
            required
            maxLength={128}
            value={actor}
            onInput={(event) => setActor(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="What you saw">
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
        <button type="submit" class="primary">
          Save
        </button>
      </div>
    </form>
  );
};
