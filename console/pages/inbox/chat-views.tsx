import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { href, query, setQuery } from '../../shell/location.ts';
import { me, rememberMe } from '../../shell/me.ts';
import { waiting } from '../../shell/waiting.tsx';
import { filtersOf, viewOf, VIEWS } from './views.ts';
import type { View } from './views.ts';

const NameForm = ({ done }: { done: () => void }) => {
  const [name, setName] = useState('');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        rememberMe(name.trim());
        setQuery(filtersOf('mine', name.trim()));
        done();
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

/** The lists of the inbox. Whoever has said no name yet is asked for it before their own chats are listed. */
export const ChatViews = ({ chosen }: { chosen: string | undefined }) => {
  const [isAsked, setAsked] = useState(false);
  const here = viewOf(query.value, me.value);
  const { search, session } = query.value;
  const page = chosen === undefined ? '/inbox' : `/inbox/${chosen}`;
  const to = (view: View): string => href(page, { search, session, ...filtersOf(view, me.value) });
  return (
    <nav class="views" aria-label="Which chats">
      {VIEWS.map(({ view, label }) =>
        view === 'mine' && me.value === '' ? (
          <button key={view} type="button" class="plain" onClick={() => setAsked(true)}>
            {label}
          </button>
        ) : (
          <a key={view} href={to(view)} aria-current={here === view ? 'page' : undefined}>
            {label}
            {view === 'waiting' && waiting.value > 0 && <span class="unread">{waiting.value}</span>}
          </a>
        ),
      )}
      <Dialog open={isAsked} onClose={() => setAsked(false)} title="Your chats">
        <NameForm done={() => setAsked(false)} />
      </Dialog>
    </nav>
  );
};
