import { useState } from 'preact/hooks';
import { me, rememberMe } from '../shell/me.ts';
import { Field } from './field.tsx';
import { t } from './words/t.ts';

/** Asks for the name under which this person acts. */
export const NameForm = ({ done }: { done: (name: string) => void }) => {
  const [name, setName] = useState(me.value);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        rememberMe(name.trim());
        done(name.trim());
      }}
    >
      <Field label={t('Your name')} hint={t('Colleagues see it beside what you do. It stays in this browser.')}>
        {(props) => (
          <input
            {...props}
            required
            pattern=".*\S.*"
            maxLength={128}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <div>
        <button type="submit" class="primary">
          {t('Save')}
        </button>
      </div>
    </form>
  );
};
