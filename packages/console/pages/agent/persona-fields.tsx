import type { TargetedEvent } from 'preact';
import { Field } from '../../parts/field.tsx';
import { errorAt } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { GROUPS } from './persona-form.ts';
import type { PersonaField } from './persona-form.ts';

interface ControlOf {
  field: PersonaField;
  value: string;
  set: (value: string) => void;
  problem: Failure | null;
  pointer: string;
}

const LONG = ['words', 'lines', 'hours'];

const FieldOf = ({ field, value, set, problem, pointer }: ControlOf) => {
  const { name, label, control, hint, choices = [] } = field;
  const typed = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void =>
    set(event.currentTarget.value);
  return (
    <Field label={label} hint={hint} error={errorAt(problem, `${pointer}/${name}`)}>
      {(props) => {
        if (control === 'box')
          return (
            <input
              {...props}
              type="checkbox"
              checked={value === 'true'}
              onChange={(event) => set(String(event.currentTarget.checked))}
            />
          );
        if (control === 'choice')
          return (
            <select {...props} value={value} onChange={typed}>
              {choices.map(([choice, text]) => (
                <option key={choice} value={choice}>
                  {text}
                </option>
              ))}
            </select>
          );
        if (LONG.includes(control))
          return (
            <textarea {...props} dir="auto" rows={name === 'systemPrompt' ? 10 : 3} value={value} onInput={typed} />
          );
        if (control === 'whole' || control === 'number')
          return (
            <input
              {...props}
              type="number"
              min={0}
              step={control === 'number' ? 'any' : 1}
              value={value}
              onInput={typed}
            />
          );
        return <input {...props} dir="auto" type="text" value={value} onInput={typed} />;
      }}
    </Field>
  );
};

export interface PersonaFieldsProps {
  typed: Readonly<Record<string, string>>;
  set: (name: string, value: string) => void;
  problem: Failure | null;
  /** The pointer to the persona in the engine's refusals; empty for the persona itself. */
  pointer?: string;
}

/** All of a persona; what is seldom changed is folded. */
export const PersonaFields = ({ typed, set, problem, pointer = '' }: PersonaFieldsProps) => (
  <>
    {GROUPS.map(([title, fields], place) => (
      <details
        key={title}
        open={place === 0 || fields.some(({ name }) => errorAt(problem, `${pointer}/${name}`) !== undefined)}
      >
        <summary>{title}</summary>
        <div class="stack fold">
          {fields.map((field) => (
            <FieldOf
              key={field.name}
              field={field}
              value={typed[field.name] ?? ''}
              set={(value) => set(field.name, value)}
              problem={problem}
              pointer={pointer}
            />
          ))}
        </div>
      </details>
    ))}
  </>
);
