import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CannedAnswer, Conversation } from '../../../../typescript/src/index.ts';
import { Field } from '../../../parts/field.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { me } from '../../../shell/me.ts';
import { filesOf } from '../draft.ts';
import type { Draft, File } from '../draft.ts';
import { CannedList, MANAGE, optionId } from './canned-list.tsx';
import { cannedAnswers, mayChangeAnswers, wantAnswers } from './canned.ts';
import { EmojiPicker } from './emoji.tsx';
import { enterSends } from './enter.ts';
import { isComposing, isSend } from './is-send.ts';
import { filled, textOf, valuesOf } from './placeholders.ts';
import { activeAtFirst, matching, replaced, slashAt } from './slash.ts';
import { t } from '../../../parts/words/t.ts';

/** More would need a scroll area of their own; another letter narrows the list. */
const ANSWERS_AT_ONCE = 8;

interface WritingProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  add: (files: readonly File[]) => void;
  chat: Conversation | undefined;
  error: string | undefined;
  isBusy: boolean;
  send: () => void;
  /** True while the dialog of the canned answers is open. */
  isManaging: boolean;
  manage: () => void;
}

const noteOf = (known: ReturnType<typeof cannedAnswers>, count: number): string | undefined => {
  if (known.problem) return known.problem.sentence;
  if (known.answers === undefined) return t('Loading …');
  if (known.answers.length === 0) return t('No canned answers yet.');
  return count === 0 ? t('No canned answer has these words.') : undefined;
};

/** The text of an answer, with canned answers after `/`, emoji, and pasted files. */
export const Writing = ({ draft, change, add, chat, error, isBusy, send, isManaging, manage }: WritingProps) => {
  const list = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  /** The place of the `/` for which Escape has closed the list. */
  const [closedFor, setClosedFor] = useState<number | null>(null);
  /** The option to which the arrows have moved. */
  const [moved, setMoved] = useState<number | null>(null);
  const [shown, setShown] = useState<'emoji' | null>(null);
  const moveTo = useRef<number | null>(null);
  const begun = shown !== null || isManaging ? undefined : slashAt(draft.text, caret);
  const slash = begun?.start === closedFor ? undefined : begun;
  const isOpen = slash !== undefined;
  useEffect(() => {
    if (isOpen) wantAnswers();
  }, [isOpen]);
  useEffect(() => setMoved(null), [slash?.word]);
  useEffect(() => {
    if (begun === undefined) setClosedFor(null);
  }, [begun === undefined]);
  useEffect(() => {
    if (moveTo.current === null || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(moveTo.current, moveTo.current);
    setCaret(moveTo.current);
    moveTo.current = null;
  }, [draft.text, shown]);

  const known = cannedAnswers();
  const found = slash === undefined ? [] : matching(known.answers ?? [], slash.word).slice(0, ANSWERS_AT_ONCE);
  const options: (CannedAnswer | typeof MANAGE)[] = mayChangeAnswers() ? [...found, MANAGE] : found;
  const active = moved ?? (slash === undefined ? -1 : activeAtFirst(found, slash.word));
  const values = valuesOf(chat?.contact, me.value);
  const insert = (text: string, at: { start: number; end: number }): void => {
    const after = replaced(draft.text, at, text);
    moveTo.current = after.caret;
    change({ text: after.text });
  };
  const choose = (option: CannedAnswer | typeof MANAGE | undefined): void => {
    if (option === undefined || slash === undefined) return;
    if (option !== MANAGE) return insert(textOf(filled(option.text, values)), slash);
    change({ text: replaced(draft.text, slash, '').text });
    manage();
  };
  const isLoading = known.answers === undefined && known.problem === null;
  const inList = (event: KeyboardEvent): boolean => {
    if (slash === undefined || isComposing(event) || event.ctrlKey || event.metaKey) return false;
    if (event.key === 'Escape') setClosedFor(slash.start);
    // While the answers are on their way, Enter must not send the shortcut. Without any, it keeps its meaning.
    else if (active < 0 && isLoading && event.key === 'Enter') return true;
    else if (options.length === 0) return false;
    else if (event.key === 'ArrowDown') setMoved((active + 1) % options.length);
    else if (event.key === 'ArrowUp') setMoved((Math.max(active, 0) + options.length - 1) % options.length);
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
      if (active < 0) return false;
      choose(options[active]);
    } else return false;
    return true;
  };
  const noteCaret = (): void => setCaret(box.current?.selectionStart ?? 0);

  return (
    <>
      {isOpen && (
        <CannedList
          id={list}
          answers={found}
          values={values}
          active={active}
          choose={choose}
          note={noteOf(known, found.length)}
          mayChange={mayChangeAnswers()}
        />
      )}
      {shown === 'emoji' && (
        <EmojiPicker
          choose={(emoji) => {
            setShown(null);
            const at = box.current?.selectionStart ?? draft.text.length;
            insert(emoji, { start: at, end: at });
          }}
          close={() => {
            moveTo.current = box.current?.selectionStart ?? draft.text.length;
            setShown(null);
          }}
        />
      )}
      <div class="write">
        <button
          type="button"
          class="plain"
          title={t('Emoji')}
          aria-expanded={shown === 'emoji'}
          onClick={() => setShown(shown === 'emoji' ? null : 'emoji')}
        >
          <Icon name="react" />
          <span class="visually-hidden">{t('Emoji')}</span>
        </button>
        <Field label={t('Your message')} error={error}>
          {(props) => (
            <textarea
              {...props}
              ref={box}
              rows={1}
              maxLength={65536}
              dir="auto"
              value={draft.text}
              placeholder={t('Write a message, or / for a canned answer')}
              aria-keyshortcuts="r"
              aria-autocomplete="list"
              aria-controls={isOpen ? list : undefined}
              aria-activedescendant={isOpen && active >= 0 ? optionId(list, active) : undefined}
              onInput={(event) => {
                setCaret(event.currentTarget.selectionStart);
                change({ text: event.currentTarget.value });
              }}
              onSelect={noteCaret}
              onPaste={(event) => {
                const pasted = filesOf(event.clipboardData?.files ?? []);
                // Spreadsheets and word processors copy a picture beside the words, which nobody means.
                if (pasted.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
                event.preventDefault();
                add(pasted);
              }}
              onKeyDown={(event) => {
                if (inList(event)) event.preventDefault();
                else if (isSend(event, enterSends.value)) {
                  event.preventDefault();
                  send();
                }
              }}
            />
          )}
        </Field>
        <button type="submit" class="primary" aria-busy={isBusy} title={enterSends.value ? 'Enter' : 'Ctrl+Enter'}>
          {draft.later === '' ? t('Send') : t('Send later')}
        </button>
      </div>
    </>
  );
};
