import { useState } from 'preact/hooks';
import { Field } from '../parts/field.tsx';
import { Problem } from '../parts/problem.tsx';
import { logIn } from './engine.ts';
import { t } from '../parts/words/t.ts';
import { useDeed } from '../parts/use-deed.ts';

export const LoginForm = ({ text }: { text: string }) => {
  const [key, setKey] = useState('');
  const {
    problem,
    isBusy,
    act: enter,
  } = useDeed(async () => {
    await logIn(key.trim());
    setKey('');
  });
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
        label={t('Key')}
        hint={t('A session’s key, a dashboard’s key or the master key. You see what the key has access to.')}
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
          {t('Log in')}
        </button>
      </div>
    </form>
  );
};
