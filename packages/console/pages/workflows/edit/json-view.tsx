import { useRef, useState } from 'preact/hooks';
import { Field } from '../../../parts/field.tsx';
import { t } from '../../../parts/words/t.ts';
import { asJson, isSame } from '../model/json.ts';
import { lineOf, placeOf } from '../model/places.ts';
import { useEditing, useUnread } from './editing.ts';

const INDENT = 2;

/** The definition as JSON beside its cards. An edit of one changes the other at once. */
export const JsonView = () => {
  const { definition, problems, change, isReadOnly } = useEditing();
  const [kept, setText] = useState(() => JSON.stringify(definition, null, INDENT));
  const [isUnread, setUnread] = useState(false);
  useUnread(isUnread, '');
  const written = useRef(definition);
  const area = useRef<HTMLTextAreaElement>(null);
  const seen = useRef(definition);
  let text = kept;
  // An effect would run late, and take back the letters that a fast person has typed since.
  if (seen.current !== definition) {
    seen.current = definition;
    if (!isSame(written.current, definition)) {
      written.current = definition;
      text = JSON.stringify(definition, null, INDENT);
      setText(text);
      if (isUnread) setUnread(false);
    }
  }
  const type = (typed: string): void => {
    setText(typed);
    try {
      const next = asJson(JSON.parse(typed));
      written.current = next;
      change(next, 'json');
      setUnread(false);
    } catch {
      setUnread(true);
    }
  };
  const show = (pointer: string): void => {
    const { from, to } = placeOf(text, pointer);
    area.current?.focus();
    area.current?.setSelectionRange(from, to);
    // Browsers scroll a text to its selection only while it is typed in.
    const lines = text.split('\n').length;
    if (area.current) area.current.scrollTop = (area.current.scrollHeight * (lineOf(text, from) - 1)) / lines;
  };
  return (
    <div class="stack">
      {problems.length > 0 && (
        <ul class="stack" aria-label={t('Problems')}>
          {problems.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`} class="small">
              <button type="button" class="plain" onClick={() => show(pointer)}>
                {t('Line {0}', lineOf(text, placeOf(text, pointer).from))}
              </button>{' '}
              <span class="bad">{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={t('Definition as JSON')}
        error={isUnread ? t('is not valid JSON: check quotes, commas and brackets') : undefined}
      >
        {(props) => (
          <textarea
            {...props}
            ref={area}
            class="mono definition"
            rows={30}
            spellcheck={false}
            value={text}
            disabled={isReadOnly}
            onInput={({ currentTarget: { value } }) => type(value)}
          />
        )}
      </Field>
    </div>
  );
};
