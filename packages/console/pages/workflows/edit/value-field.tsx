import type { TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Field } from '../../../parts/field.tsx';
import type { ControlProps } from '../../../parts/field.tsx';
import { t } from '../../../parts/words/t.ts';
import { readSpan, spanOf, UNITS } from '../model/duration.ts';
import type { Unit } from '../model/duration.ts';
import { controlFor, readTyped, shownOf } from '../model/forms.ts';
import type { Control, FormField } from '../model/forms.ts';
import { isSame, textOf, valueAt, withValue, without } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import { paramsOf } from '../model/start.ts';
import { fieldWord, optionWord, unitWord } from '../words.ts';
import { problemsAt, useEditing, useUnread } from './editing.ts';

interface ValueFieldProps {
  field: FormField;
  pointer: string;
  /** The object above which an empty one is kept, such as the arguments of a call. */
  within: string;
  label?: string;
  /** False if other fields show the problems of its parts. */
  hasProblems?: boolean;
}

/** One value of the definition in the control that can show it. */
export const ValueField = ({
  field,
  pointer,
  within,
  label = fieldWord(field.name),
  hasProblems = true,
}: ValueFieldProps) => {
  const { definition, problems, change, isReadOnly } = useEditing();
  const value = valueAt(definition, pointer);
  const written = useRef(value);
  const seen = useRef(value);
  const [kept, setShown] = useState(() => viewOf(field, value, 'days'));
  let shown = kept;
  // An effect would run late, and take back the letters that a fast person has typed since.
  if (!isSame(value, seen.current)) {
    seen.current = value;
    // Undo, or an edit of the JSON, has changed it. The text that somebody types here stays as it is.
    if (!isSame(value, written.current)) {
      written.current = value;
      shown = viewOf(field, value, kept.unit);
      setShown(shown);
    }
  }
  const write = (next: Json | undefined): void => {
    if (next === undefined && value === undefined) return;
    written.current = next;
    change(next === undefined ? without(definition, pointer, within) : withValue(definition, pointer, next), pointer);
  };
  const { control, typed, unit, isUnread } = shown;
  useUnread(isUnread, pointer);
  const take = (text: string, of: Unit, read: { value: Json | undefined } | null): void => {
    setShown({ control, typed: text, unit: of, isUnread: read === null });
    if (read) write(read.value);
  };
  const type = (text: string): void => {
    const read = readTyped(control, text, value);
    const isMissing = control === 'json' && field.isRequired && read?.value === undefined;
    take(text, unit, isMissing ? null : read);
  };
  const typeSpan = (text: string, of: Unit): void => take(text, of, readSpan(text, of, value, field.isRequired));
  if (control === 'group') return <Group field={field} pointer={pointer} within={within} label={label} />;
  const reason = typed.trim() === '' ? t('is required') : t('is not valid JSON: check quotes, commas and brackets');
  const wrong = isUnread ? reason : undefined;
  const found = hasProblems ? problemsAt(problems, pointer) : [];
  const error = wrong ?? (found.map(({ message }) => message).join(' ') || undefined);
  return (
    <Field label={label} hint={hintOf(field, control)} error={error}>
      {(props) =>
        control === 'duration' ? (
          <Span {...{ props, label, typed, unit }} type={typeSpan} disabled={isReadOnly} />
        ) : (
          <>
            <Box {...{ field, control, typed, props, type, write }} disabled={isReadOnly} />
            {control === 'text' && !isReadOnly && pointer.startsWith('/do/') && (
              <Insert label={label} box={props.id} typed={typed} type={type} />
            )}
          </>
        )
      }
    </Field>
  );
};

interface Shown {
  control: Control;
  typed: string;
  /** The unit of a duration, which stays while its number is typed anew. */
  unit: Unit;
  isUnread: boolean;
}

const viewOf = (field: FormField, value: Json | undefined, unit: Unit): Shown => {
  const control = controlFor(field, value);
  if (control !== 'duration') return { control, typed: shownOf(control, value), unit, isUnread: false };
  const span = spanOf(value);
  return { control, typed: span ? String(span.count) : '', unit: span?.unit ?? unit, isUnread: false };
};

const hintOf = ({ hint, options }: FormField, control: Control): string | undefined => {
  const how = { lines: t('One per line.'), choices: t('One per line.'), json: t('Enter JSON.') }[String(control)];
  const known = control === 'lines' && options.length > 0 ? options.join(', ') : '';
  return [hint, how, known].filter(Boolean).join(' ') || undefined;
};

/** The fields of an object that may be missing as a whole. */
const Group = ({ field, pointer, within, label }: Required<Omit<ValueFieldProps, 'hasProblems'>>) => (
  <fieldset class="stack">
    <legend>{label}</legend>
    {field.fields.map((each) => (
      <ValueField key={each.name} field={each} pointer={`${pointer}/${each.name}`} within={within} />
    ))}
  </fieldset>
);

interface BoxProps {
  field: FormField;
  control: Control;
  typed: string;
  props: ControlProps;
  type: (text: string) => void;
  write: (value: Json | undefined) => void;
  disabled: boolean;
}

const Box = ({ field, control, typed, props, type, write, disabled }: BoxProps) => {
  const input = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void =>
    type(event.currentTarget.value);
  switch (control) {
    case 'boolean':
      return (
        <input
          {...props}
          type="checkbox"
          checked={typed === 'true'}
          disabled={disabled}
          onChange={(event) => type(String(event.currentTarget.checked))}
        />
      );
    case 'always':
      return (
        <input
          {...props}
          type="checkbox"
          checked={typed !== ''}
          disabled={disabled}
          onChange={(event) => write(event.currentTarget.checked ? field.only : undefined)}
        />
      );
    case 'option':
      return (
        <select {...props} value={typed} disabled={disabled} onChange={input}>
          {(!field.isRequired || typed === '') && <option value="">{t('Default')}</option>}
          {field.options.map((option) => (
            <option key={option} value={option}>
              {optionWord(field.name, option)}
            </option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...props}
          type="number"
          step="any"
          min={field.min}
          max={field.max}
          value={typed}
          disabled={disabled}
          onInput={input}
        />
      );
    case 'line':
      return <input {...props} dir="auto" value={typed} disabled={disabled} onInput={input} autocomplete="off" />;
    default:
      return (
        <textarea
          {...props}
          class={control === 'json' ? 'mono' : undefined}
          dir="auto"
          rows={control === 'text' ? 2 : 4}
          spellcheck={control !== 'json'}
          value={typed}
          disabled={disabled}
          onInput={input}
        />
      );
  }
};

interface InsertProps {
  label: string;
  box: string;
  typed: string;
  type: (text: string) => void;
}

/** Puts a value of the run into a text at its cursor, so that nobody has to know how an expression is written. */
const Insert = ({ label, box, typed, type }: InsertProps) => {
  const { definition } = useEditing();
  const values = [
    { words: t('Name of the contact'), expression: 'contact.name' },
    { words: t('The answer'), expression: 'input.text' },
    ...paramsOf(definition).map(({ name, of }) => ({
      words: textOf(of['title']) || name,
      expression: `params.${name}`,
    })),
  ];
  const insert = (expression: string): void => {
    const area = document.getElementById(box);
    const at = area instanceof HTMLTextAreaElement ? area.selectionStart : typed.length;
    type(`${typed.slice(0, at)}\${ ${expression} }${typed.slice(at)}`);
    area?.focus();
  };
  return (
    <div class="row" role="group" aria-label={t('Insert into “{0}”', label)}>
      {values.map(({ words, expression }) => (
        <button key={expression} type="button" class="plain small" onClick={() => insert(expression)}>
          + {words}
        </button>
      ))}
    </div>
  );
};

interface SpanProps {
  props: ControlProps;
  label: string;
  typed: string;
  unit: Unit;
  type: (typed: string, unit: Unit) => void;
  disabled: boolean;
}

/** A number and its unit. */
const Span = ({ props, label, typed, unit, type, disabled }: SpanProps) => (
  <div class="row span">
    <input
      {...props}
      type="number"
      min={0}
      step="any"
      value={typed}
      disabled={disabled}
      onInput={({ currentTarget: { value } }) => type(value, unit)}
    />
    <select
      aria-label={t('Unit of “{0}”', label)}
      value={unit}
      disabled={disabled}
      onChange={({ currentTarget: { value } }) => type(typed, UNITS.find((each) => each === value) ?? unit)}
    >
      {UNITS.map((each) => (
        <option key={each} value={each}>
          {unitWord(each)}
        </option>
      ))}
    </select>
  </div>
);
