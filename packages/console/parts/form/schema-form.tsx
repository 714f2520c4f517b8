import type { TargetedEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Field } from '../field.tsx';
import type { ControlProps } from '../field.tsx';
import { errorAt, Problem, toFailure } from '../problem.tsx';
import type { Failure } from '../problem.tsx';
import { fieldsOf, readForm, readJson, typedFrom } from './schema.ts';
import type { FormField } from './schema.ts';
import { t } from '../words/t.ts';

export interface SchemaFormProps {
  schema: unknown;
  /** The present value. */
  value: Readonly<Record<string, unknown>>;
  submit: string;
  /** Takes the whole value; what it throws is shown at its fields. */
  save: (value: Record<string, unknown>) => Promise<unknown>;
  disabled?: boolean;
  /** The text for a form without fields; null for none. */
  empty?: string | null;
  /** The pointer to the value in the engine's refusals, such as `/params`. */
  pointer: string;
}

interface FieldControlProps {
  field: FormField;
  value: string;
  set: (value: string) => void;
  props: ControlProps;
}

const hintOf = ({ kind, hint, min, max }: FormField): string | undefined => {
  const bounds = min !== undefined && max !== undefined ? t('From {0} to {1}.', min, max) : undefined;
  const how = { texts: t('One per line.'), integers: t('One number per line.'), json: t('Enter JSON.') }[String(kind)];
  return [hint, how, bounds].filter(Boolean).join(' ') || undefined;
};

const FieldControl = ({ field, value, set, props }: FieldControlProps) => {
  const typed = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void =>
    set(event.currentTarget.value);
  const { kind, isRequired, min, max } = field;
  if (kind === 'boolean')
    return (
      <input
        {...props}
        type="checkbox"
        checked={value === 'true'}
        onChange={(event) => set(String(event.currentTarget.checked))}
      />
    );
  if (kind === 'choice')
    return (
      <select {...props} value={value} onChange={typed}>
        {!isRequired && <option value="">{t('Default')}</option>}
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (kind === 'integer' || kind === 'number')
    return (
      <input
        {...props}
        type="number"
        inputMode="decimal"
        step={kind === 'integer' ? 1 : 'any'}
        min={min}
        max={max}
        value={value}
        onInput={typed}
      />
    );
  const isCode = kind === 'json';
  return (
    <textarea
      {...props}
      class={isCode ? 'mono' : undefined}
      dir="auto"
      rows={kind === 'text' ? 2 : 4}
      spellcheck={!isCode}
      value={value}
      onInput={typed}
    />
  );
};

interface FieldsProps {
  fields: readonly FormField[];
  typed: Readonly<Record<string, string>>;
  wrong: Readonly<Record<string, string>>;
  problem: Failure | null;
  pointer: string;
  set: (name: string) => (text: string) => void;
  before?: string;
}

const Fields = ({ fields, before = '', ...rest }: FieldsProps) => (
  <>
    {fields.map((field) => {
      const at = before + field.name;
      if (field.kind === 'group')
        return (
          <fieldset key={at} class="stack">
            <legend>{field.label}</legend>
            <Fields {...rest} fields={field.fields} before={`${at}/`} />
          </fieldset>
        );
      const { typed, wrong, problem, pointer, set } = rest;
      return (
        <Field
          key={at}
          label={field.label}
          hint={hintOf(field)}
          error={wrong[at] ?? errorAt(problem, `${pointer}/${at}`)}
        >
          {(props) => <FieldControl field={field} value={typed[at] ?? ''} set={set(at)} props={props} />}
        </Field>
      );
    })}
  </>
);

/** A form made from a schema; where the schema asks for more than forms can show, the whole as JSON. */
export const SchemaForm = ({
  schema,
  value,
  submit,
  save,
  disabled = false,
  empty = t('There is nothing to configure.'),
  pointer,
}: SchemaFormProps) => {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const [typed, setTyped] = useState<Record<string, string>>(() =>
    fields ? typedFrom(fields, value) : { '': JSON.stringify(value, null, 2) },
  );
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);

  const send = async (): Promise<void> => {
    setProblem(null);
    const read = fields ? readForm(fields, typed, value) : asJson(typed[''] ?? '');
    setWrong(read.errors);
    if (Object.keys(read.errors).length > 0) return;
    setBusy(true);
    try {
      await save(read.value);
    } catch (error) {
      setProblem(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const set = (name: string) => (text: string) => setTyped((before) => ({ ...before, [name]: text }));

  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      {fields?.length === 0 && empty !== null && <p class="quiet">{empty}</p>}
      {fields && <Fields fields={fields} typed={typed} wrong={wrong} problem={problem} pointer={pointer} set={set} />}
      {!fields && (
        <Field
          label={t('Parameters')}
          hint={t('The console has no form for these parameters. Enter them as JSON.')}
          error={wrong['']}
        >
          {(props) => (
            <textarea
              {...props}
              class="mono"
              rows={10}
              spellcheck={false}
              value={typed[''] ?? ''}
              onInput={(event) => set('')(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" disabled={disabled} aria-busy={isBusy}>
          {submit}
        </button>
      </div>
    </form>
  );
};

const asJson = (text: string): { value: Record<string, unknown>; errors: Record<string, string> } => {
  const read = readJson(text);
  if ('error' in read) return { value: {}, errors: { '': read.error } };
  const { value } = read;
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isObject
    ? { value: { ...value }, errors: {} }
    : { value: {}, errors: { '': t('must be a JSON object, such as {}') } };
};
