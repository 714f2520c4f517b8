import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { t } from './words/t.ts';

export interface Question {
  title: string;
  text: string;
  /** The label of the button that confirms. */
  yes: string;
  danger?: boolean;
  /** True where a reason is asked for. */
  reason?: boolean;
}

export interface Answer {
  reason: string;
}

const asked = signal<(Question & { tell: (answer: Answer | null) => void }) | null>(null);

/** Asks before something is done. Null means that it is not to be done. */
export const ask = (question: Question): Promise<Answer | null> =>
  new Promise((tell) => {
    asked.value?.tell(null);
    asked.value = { ...question, tell };
  });

const answer = (given: Answer | null): void => {
  asked.value?.tell(given);
  asked.value = null;
};

const Asking = ({ question }: { question: Question }) => {
  const [reason, setReason] = useState('');
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        answer({ reason: reason.trim() });
      }}
    >
      <p class="words">{question.text}</p>
      {question.reason && (
        <Field label={t('Reason (required)')} hint={t('Recorded in the audit.')}>
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
      )}
      <div class="row">
        <button type="submit" class={question.danger ? 'danger' : 'primary'}>
          {question.yes}
        </button>
        <button type="button" onClick={() => answer(null)}>
          {t('Go back')}
        </button>
      </div>
    </form>
  );
};

/** Shown once, by the shell. */
export const AskDialog = () => {
  const question = asked.value;
  return (
    <Dialog open={question !== null} title={question?.title ?? ''} onClose={() => answer(null)}>
      {question && <Asking question={question} />}
    </Dialog>
  );
};
