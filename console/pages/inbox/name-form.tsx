import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { rememberMe } from '../../shell/me.ts';

/** Asks once for the name under which this person takes conversations. */
export const NameForm = ({ done }: { done: (name: string) => void }) => {
  const [name, setName] = useState('');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        rememberMe(name.trim());
        done(name.trim());
      }}
    >
      <Field label="Your name" hint="You take conversations under this name. It stays in this browser.">
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
          Save
        </button>
      </div>
    </form>
  );
};
