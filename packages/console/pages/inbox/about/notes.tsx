import { useState } from 'preact/hooks';
import type { Note } from '../../../../typescript/src/index.ts';
import { useHints } from '../../../live/hints.ts';
import { Action } from '../../../parts/action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/field.tsx';
import { NameForm } from '../../../parts/name-form.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { Time } from '../../../parts/time.tsx';
import { usePages } from '../../../parts/use-pages.ts';
import { engine, mayDo } from '../../../shell/engine.ts';
import { me } from '../../../shell/me.ts';
import { t } from '../../../parts/words/t.ts';
import { useDeed } from '../../../parts/use-deed.ts';

const AT_ONCE = 20;
const LONGEST = 4_000;
/** Catches what a lost hint would have told. */
const LOOK_AGAIN_MS = 30_000;

interface WriteProps {
  label: string;
  first: string;
  save: (text: string) => Promise<unknown>;
}

const Write = ({ label, first, save }: WriteProps) => {
  const [text, setText] = useState(first);
  const {
    problem,
    isBusy,
    act: write,
  } = useDeed(async () => {
    await save(text);
    setText(first);
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void write();
      }}
    >
      <Field label={label} hint={t('Only your team sees it.')}>
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={2}
            maxLength={LONGEST}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" aria-busy={isBusy} disabled={text.trim() === '' || text === first}>
          {t('Save note')}
        </button>
      </div>
    </form>
  );
};

const Line = ({ note, reload }: { note: Note; reload: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="note">
      <p class="words" dir="auto">
        {note.text}
      </p>
      <p class="small quiet">
        <bdi>{note.author ?? t('Unnamed')}</bdi> · <Time at={note.createdAt} how="brief" />
        {note.updatedAt !== note.createdAt && t(' · edited')}
      </p>
      {mayDo('send') && (
        <div class="row deeds">
          <button type="button" class="plain" onClick={() => setOpen(true)}>
            {t('Edit …')}
          </button>
          <Action
            tone="plain"
            confirm={{
              title: t('Delete this note?'),
              text: t('It is gone for the whole team.'),
              yes: t('Delete'),
              danger: true,
            }}
            done={t('Note deleted')}
            run={async () => {
              await engine.value.notes.delete(note.id);
              reload();
            }}
          >
            {t('Delete …')}
          </Action>
        </div>
      )}
      <Dialog open={isOpen} title={t('Edit note')} onClose={() => setOpen(false)}>
        <Write
          label={t('Note')}
          first={note.text}
          save={async (text) => {
            await engine.value.notes.change(note.id, { text });
            setOpen(false);
            reload();
          }}
        />
      </Dialog>
    </li>
  );
};

/** Shows the team's notes about the contact. The customer and the agent never see them. */
export const Notes = ({ contactId, conversationId }: { contactId: string; conversationId: string }) => {
  const [tellNamed, setTellNamed] = useState<((isNamed: boolean) => void) | null>(null);
  const notes = usePages({
    load: (cursor, signal) => engine.value.notes.list({ contactId, limit: AT_ONCE, cursor }, { signal }),
    items: (page) => page.notes,
    key: ({ id }) => id,
    deps: [contactId],
    every: LOOK_AGAIN_MS,
    isBeside: true,
  });
  useHints(conversationId, 'notes', notes.hint);
  const add = async (text: string): Promise<void> => {
    if (me.value === '') {
      const isNamed = await new Promise<boolean>((tell) => setTellNamed(() => tell));
      setTellNamed(null);
      if (!isNamed) throw new Error('Give your name first: colleagues see who wrote the note.');
    }
    await engine.value.notes.create({ contactId, text });
    notes.reload();
  };
  return (
    <section class="about-person" aria-label={t('Notes')}>
      <h3>{t('Notes')}</h3>
      {notes.problem && <Problem problem={notes.problem} retry={notes.reload} />}
      {mayDo('send') && <Write label={t('New note')} first="" save={add} />}
      <ul>
        {notes.items?.map((note) => (
          <Line key={note.id} note={note} reload={notes.reload} />
        ))}
      </ul>
      {notes.hasMore && (
        <button type="button" class="plain" onClick={notes.more}>
          {t('Show more')}
        </button>
      )}
      <Dialog open={tellNamed !== null} title={t('Your name')} onClose={() => tellNamed?.(false)}>
        <NameForm done={() => tellNamed?.(true)} />
      </Dialog>
    </section>
  );
};
