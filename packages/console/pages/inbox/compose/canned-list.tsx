import type { CannedAnswer } from '../../../../typescript/src/index.ts';
import { filled } from './placeholders.ts';
import type { Values } from './placeholders.ts';
import { t } from '../../../parts/words/t.ts';

/** Stands at the end of the list, behind the answers. */
export const MANAGE = 'manage';

interface CannedListProps {
  id: string;
  answers: readonly CannedAnswer[];
  values: Values;
  /** The place of the option that Enter chooses; the last one opens the dialog. */
  active: number;
  choose: (answer: CannedAnswer | typeof MANAGE) => void;
  /** Stands in place of answers. */
  note: string | undefined;
  mayChange: boolean;
}

export const optionId = (list: string, place: number): string => `${list}-${place}`;

/** The canned answers for what is typed, as they would be inserted. The focus stays in the text. */
export const CannedList = ({ id, answers, values, active, choose, note, mayChange }: CannedListProps) => (
  <div class="canned">
    {note !== undefined && <p class="small quiet">{note}</p>}
    <ul id={id} role="listbox" aria-label={t('Canned answers')}>
      {answers.map((answer, place) => (
        <li
          key={answer.shortcut}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === active}
          // A click must not take the focus out of the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(answer)}
        >
          <strong>/{answer.shortcut}</strong>
          <span class="cut" dir="auto">
            {filled(answer.text, values).map(({ text, kind }, at) =>
              kind === 'words' ? (
                text
              ) : (
                <mark key={at} class={kind}>
                  {text}
                </mark>
              ),
            )}
          </span>
        </li>
      ))}
      {mayChange && (
        <li
          id={optionId(id, answers.length)}
          role="option"
          aria-selected={answers.length === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(MANAGE)}
        >
          {t('Manage canned answers …')}
        </li>
      )}
    </ul>
  </div>
);
