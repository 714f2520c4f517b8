import type { ComponentChildren, TargetedEvent } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** The props that a field gives to its control. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

export interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (props: ControlProps) => ComponentChildren;
}

/** A control with its label, what helps, and what is wrong with it. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} class="small quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} class="small bad">
          {error}
        </p>
      )}
    </div>
  );
};

export interface SelectProps {
  label: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export const Select = ({ label, value, options, onChange }: SelectProps) => (
  <Field label={label}>
    {(props) => (
      <select {...props} value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
);

const TYPED_FOR_MS = 250;

export interface SearchProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  placeholder?: string;
  /** The key that leads here (`packages/console/shell/page-keys.ts`). */
  shortcut?: string;
}

/** A search that asks once somebody has stopped to type. */
export const Search = ({ label, value = '', onChange, placeholder, shortcut }: SearchProps) => {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // The address was changed by something else, such as the button "back".
    if (value !== told.current) setTyped(value);
    told.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      onChange(typed);
    }, TYPED_FOR_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const input = (event: TargetedEvent<HTMLInputElement>): void => setTyped(event.currentTarget.value);
  return (
    <Field label={label}>
      {(props) => (
        <input
          {...props}
          type="search"
          value={typed}
          placeholder={placeholder}
          aria-keyshortcuts={shortcut}
          onInput={input}
          autocomplete="off"
        />
      )}
    </Field>
  );
};
