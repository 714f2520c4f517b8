import { useEffect, useState } from 'preact/hooks';
import type { CannedAnswer } from '../../../../typescript/src/index.ts';
import { Action } from '../../../parts/action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/field.tsx';
import { errorAt, Problem, toFailure } from '../../../parts/problem.tsx';
import type { Failure } from '../../../parts/problem.tsx';
import { say } from '../../../shell/say.tsx';
import { cannedAnswers, deleteAnswer, setAnswer, wantAnswers } from './canned.ts';
import { PLACEHOLDERS } from './placeholders.ts';
import { t } from '../../../parts/words/t.ts';

const TEXT_AT_MOST = 4_096;
const SHORTCUT = '[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}';
const HINT = t('Placeholders: {0}.', PLACEHOLDERS.map((word) => `{${word}}`).join(', '));

const Form = ({ from, saved }: { from: Pick<CannedAnswer, 'shortcut' | 'text'>; saved: () => void }) => {
  const [shortcut, setShortcut] = useState(from.shortcut);
  const [text, setText] = useState(from.text);
  const [problem, setProblem] = useState<Failure | null>(null);
  const save = async (): Promise<void> => {
    try {
      await setAnswer(shortcut, text);
      say(t('Saved: type /{0} in an answer', shortcut.toLowerCase()));
      saved();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={t('Shortcut')}
        hint={t('Letters, digits, hyphens and underscores.')}
        error={errorAt(problem, 'path/shortcut')}
      >
        {(props) => (
          <input
            {...props}
            autofocus
            required
            // Another shortcut would be another answer, beside the old one.
            readOnly={from.shortcut !== ''}
            pattern={SHORTCUT}
            maxLength={64}
            autocomplete="off"
            value={shortcut}
            onInput={(event) => setShortcut(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t('Text')} hint={HINT} error={errorAt(problem, '/text')}>
        {(props) => (
          <textarea
            {...props}
            rows={4}
            required
            maxLength={TEXT_AT_MOST}
            dir="auto"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" disabled={shortcut === '' || text.trim() === ''}>
          {t('Save answer')}
        </button>
      </div>
    </form>
  );
};

/** Lists the canned answers of the tenant, with a form for a new one or for a changed one. */
const Answers = ({ draft }: { draft: string }) => {
  const { answers, problem } = cannedAnswers();
  const [chosen, setChosen] = useState({ shortcut: '', text: draft });
  const [round, setRound] = useState(0);
  const choose = (next: { shortcut: string; text: string }): void => {
    setChosen(next);
    setRound(round + 1);
  };
  useEffect(wantAnswers, []);
  return (
    <>
      {problem && <Problem problem={problem} />}
      <ul class="canned-answers" aria-label={t('Canned answers')}>
        {answers?.map(({ shortcut, text }) => (
          <li key={shortcut} class="spread">
            <span class="cut" dir="auto">
              <strong>/{shortcut}</strong> {text}
            </span>
            <span class="row">
              <button type="button" onClick={() => choose({ shortcut, text })}>
                {t('Edit')}
                <span class="visually-hidden"> /{shortcut}</span>
              </button>
              <Action
                run={() => deleteAnswer(shortcut)}
                done={t('Deleted /{0}', shortcut)}
                label={t('Delete /{0}', shortcut)}
                confirm={{
                  title: t('Delete /{0}?', shortcut),
                  text: t('All accounts of the tenant lose this answer.'),
                  yes: t('Delete'),
                  danger: true,
                }}
              >
                {t('Delete')}
              </Action>
            </span>
          </li>
        ))}
      </ul>
      <Form key={round} from={chosen} saved={() => choose({ shortcut: '', text: '' })} />
    </>
  );
};

interface CannedDialogProps {
  open: boolean;
  close: () => void;
  /** The text of the composer, which may become an answer. */
  draft: string;
}

export const CannedDialog = ({ open, close, draft }: CannedDialogProps) => (
  <Dialog open={open} onClose={close} title={t('Canned answers')}>
    <Answers draft={draft} />
  </Dialog>
);
