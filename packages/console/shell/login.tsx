import { useState } from 'preact/hooks';
import { Field } from '../parts/field.tsx';
import { Problem, toFailure } from '../parts/problem.tsx';
import type { Failure } from '../parts/problem.tsx';
import { logIn } from './engine.ts';

export const LoginForm = ({ text }: { text: string }) => {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await logIn(key.trim());
      setKey('');
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
        if (!isBusy) void enter();
      }}
    >
      <p>{text}</p>
      <Field
        label="Key"
        hint="A session’s key, a dashboard’s key or the master key. You see what the key has access to."
      >
        {(props) => (
          <input
            {...props}
            type="password"
            name="key"
            autocomplete="current-password"
            required
            autofocus
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" aria-busy={isBusy}>
          Log in
        </button>
      </div>
    </form>
  );
};
