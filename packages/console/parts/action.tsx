import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../shell/say.tsx';
import { ask } from './ask.tsx';
import type { Answer, Question } from './ask.tsx';
import { Dialog } from './dialog.tsx';
import { Problem, toFailure } from './problem.tsx';
import type { Failure } from './problem.tsx';
import { t } from './words/t.ts';

export interface ActionProps {
  run: (answer: Answer) => Promise<unknown>;
  confirm?: Question | undefined;
  /** The text after the action. */
  done?: string | undefined;
  tone?: 'primary' | 'danger' | 'plain' | undefined;
  label?: string | undefined;
  disabled?: boolean | undefined;
  /** The key that presses it (`packages/console/shell/page-keys.ts`). */
  shortcut?: string | undefined;
  children: ComponentChildren;
}

/** A button that does something at the engine, and says what became of it. */
export const Action = ({ run, confirm, done, tone, label, disabled = false, shortcut, children }: ActionProps) => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Failure | null>(null);
  const act = async (): Promise<void> => {
    const answer = confirm ? await ask(confirm) : { reason: '' };
    if (!answer) return;
    setBusy(true);
    try {
      await run(answer);
      if (done !== undefined) say(done);
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        class={tone}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        aria-busy={isBusy}
        disabled={disabled}
        onClick={() => {
          if (!isBusy) void act();
        }}
      >
        {children}
      </button>
      {problem && (
        <Dialog open title={t('The action failed')} onClose={() => setProblem(null)}>
          <Problem problem={problem} />
        </Dialog>
      )}
    </>
  );
};
