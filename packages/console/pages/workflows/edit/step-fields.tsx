import { useState } from 'preact/hooks';
import { Field, Select } from '../../../parts/field.tsx';
import { t } from '../../../parts/words/t.ts';
import { fieldsOf, ownField } from '../model/forms.ts';
import type { Control, FormField } from '../model/forms.ts';
import { asJson, below, isList, isObject, objectOf, textOf, valueAt, withValue, without } from '../model/json.ts';
import type { Json } from '../model/json.ts';
import { SAME_OUTPUT } from '../model/new-step.ts';
import { choicesBefore, freeName, renameStep, stepsOf } from '../model/steps.ts';
import type { Step } from '../model/steps.ts';
import { choiceExpression, choiceOf, CONDITIONS, plainExpression } from '../words.ts';
import { problemsAt, useEditing } from './editing.ts';
import { calledBy, fieldsOfKind } from './fields-of-step.ts';
import { More } from './more.tsx';
import { ValueField } from './value-field.tsx';

const SHOWN: readonly Control[] = ['line', 'text', 'choices', 'option'];

/** All fields of a step: those that matter first, the others below "More". */
export const StepFields = ({ step }: { step: Step }) =>
  step.kind === null ? <RawTask step={step} /> : <KnownFields key={textOf(step.task['call'])} step={step} />;

const KnownFields = ({ step }: { step: Step }) => {
  const { functions, triggers, problems } = useEditing();
  const { pointer, kind, task } = step;
  const called = calledBy(step, functions);
  const fields = called ? fieldsOf(objectOf(asJson(called.input))) : [];
  // A field stays where it is while it is filled in or emptied.
  const [given] = useState(() => objectOf(task['with']));
  const isShown = ({ name, isRequired, control }: FormField): boolean =>
    isRequired || SHOWN.includes(control) || Object.hasOwn(given, name);
  const call = (field: FormField) => (
    <ValueField key={field.name} field={field} pointer={`${pointer}/with/${field.name}`} within={`${pointer}/with`} />
  );
  const more = fields.filter((field) => !isShown(field));
  const inMore = [...more.map(({ name }) => `with/${name}`), 'then', 'output', 'export'];
  return (
    <>
      {called && <p class="small quiet">{called.summary}</p>}
      {kind === 'call' && !called && <RawTask step={step} />}
      {fields.filter(isShown).map(call)}
      {fieldsOfKind(step, triggers).map(({ field, at, label, keeps = '' }) => (
        <ValueField key={at} field={field} pointer={`${pointer}${at}`} within={`${pointer}${keeps}`} label={label} />
      ))}
      {kind === 'switch' && <Cases step={step} />}
      <Condition step={step} />
      <More title={t('More')} isWrong={inMore.some((key) => problemsAt(problems, `${pointer}/${key}`).length > 0)}>
        {more.map(call)}
        <Then pointer={`${pointer}/then`} within={pointer} step={step} label={t('Then')} />
        {kind === 'call' && <Output step={step} />}
        <ValueField
          field={ownField('as', 'json', { hint: t('The value that later steps read as “context”.') })}
          pointer={`${pointer}/export/as`}
          within={pointer}
          label={t('Keep as context')}
        />
        <Name step={step} />
        <RawTask step={step} />
      </More>
    </>
  );
};

const OWN = 'own';

/** Whether the step is taken always, or only after an answer. */
const Condition = ({ step }: { step: Step }) => {
  const { definition, change } = useEditing();
  const { pointer, task } = step;
  const at = `${pointer}/if`;
  const condition = textOf(task['if']);
  const expression = plainExpression(condition);
  const choices = choicesBefore(definition, pointer);
  const [isOwn, setOwn] = useState(false);
  const chosen = choiceOf(expression);
  const isKnown = CONDITIONS.some((each) => each.expression === expression) || choices.some(({ id }) => id === chosen);
  const write = (next: string): void => {
    setOwn(next === OWN);
    if (next === OWN) return;
    change(next === '' ? without(definition, at, pointer) : withValue(definition, at, `\${ ${next} }`), at);
  };
  const isFree = isOwn || (condition !== '' && !isKnown);
  return (
    <>
      <Select
        label={t('When')}
        value={isFree ? OWN : expression}
        options={[
          { value: '', label: t('Always') },
          ...CONDITIONS.map((each) => ({ value: each.expression, label: each.words })),
          ...choices.map(({ id, text }) => ({
            value: choiceExpression(id),
            label: t('If the answer is “{0}”', text),
          })),
          { value: OWN, label: t('Own condition') },
        ]}
        onChange={write}
      />
      {isFree && (
        <ValueField
          field={ownField('if', 'line', { hint: t('An expression, such as {0}.', '${ size(input.text) > 3 }') })}
          pointer={at}
          within={pointer}
          label={t('Own condition')}
        />
      )}
    </>
  );
};

interface ThenProps {
  pointer: string;
  /** The object that stays without it: a step, or one of its cases. */
  within: string;
  step: Step;
  label: string;
}

/** The step with which a run continues. */
const Then = ({ pointer, within, step, label }: ThenProps) => {
  const { definition, change, problems } = useEditing();
  const value = textOf(valueAt(definition, pointer));
  const later = stepsOf(definition, step.list).filter(({ place, name }) => place > step.place && name !== '');
  const known = ['', 'continue', 'exit', 'end', ...later.map(({ name }) => name)];
  const error = problemsAt(problems, pointer)
    .map(({ message }) => message)
    .join(' ');
  return (
    <Field label={label} error={error || undefined}>
      {(props) => (
        <select
          {...props}
          value={value}
          onChange={({ currentTarget: { value: next } }) =>
            change(next === '' ? without(definition, pointer, within) : withValue(definition, pointer, next))
          }
        >
          <option value="">{t('the next step')}</option>
          <option value="exit">{t('leave this list')}</option>
          <option value="end">{t('end the run')}</option>
          {value === 'continue' && <option value="continue">{t('the next step')}</option>}
          {!known.includes(value) && <option value={value}>{value}</option>}
          {later.map(({ name }) => (
            <option key={name} value={name}>
              {t('the step “{0}”', name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
};

/** The value that the steps after this one read as their input. */
const Output = ({ step: { pointer } }: { step: Step }) => {
  const { definition, change } = useEditing();
  const at = `${pointer}/output/as`;
  const value = valueAt(definition, at);
  const shown = value === undefined ? '' : value === SAME_OUTPUT ? SAME_OUTPUT : OWN;
  return (
    <Select
      label={t('Later steps read')}
      value={shown}
      options={[
        { value: '', label: t('the result of this step') },
        { value: SAME_OUTPUT, label: t('the last answer') },
        ...(shown === OWN ? [{ value: OWN, label: t('Edited as JSON') }] : []),
      ]}
      onChange={(next) => {
        if (next === OWN) return;
        change(next === '' ? without(definition, at, pointer) : withValue(definition, at, next));
      }}
    />
  );
};

/** The cases of a `switch`, each with its condition and the step to which it leads. */
const Cases = ({ step }: { step: Step }) => {
  const { definition, change } = useEditing();
  const at = `${step.pointer}/switch`;
  const found = step.task['switch'];
  const cases = isList(found) ? found : [];
  const write = (next: readonly Json[]): void => change(withValue(definition, at, next));
  return (
    <fieldset class="stack">
      <legend>{t('Cases')}</legend>
      {cases.map((each, place) => {
        const [name = '', ...more] = isObject(each) ? Object.keys(each) : [];
        if (name === '' || more.length > 0) return <p class="small">{t('Edited as JSON')}</p>;
        const pointer = below(at, place, name);
        return (
          <div key={pointer} class="filters case">
            <ValueField
              field={ownField('when', 'line')}
              pointer={`${pointer}/when`}
              within={pointer}
              label={t('If “{0}”', name)}
            />
            <Then pointer={`${pointer}/then`} within={pointer} step={step} label={t('Then')} />
            <button
              type="button"
              class="plain"
              aria-label={t('Remove case “{0}”', name)}
              onClick={() => write(cases.toSpliced(place, 1))}
            >
              ✕
            </button>
          </div>
        );
      })}
      <div>
        <button
          type="button"
          onClick={() =>
            write([
              ...cases,
              {
                [freeName(
                  'case',
                  cases.flatMap((each) => Object.keys(objectOf(each))),
                )]: {},
              },
            ])
          }
        >
          {t('Add a case')}
        </button>
      </div>
    </fieldset>
  );
};

/** The name by which other steps and problems know this one. */
const Name = ({ step }: { step: Step }) => {
  const { definition, edit } = useEditing();
  return (
    <Field label={t('Name in the definition')}>
      {(props) => (
        <input
          {...props}
          value={step.name}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            if (value !== '' && value !== step.name) edit(renameStep(definition, step, value));
            else currentTarget.value = step.name;
          }}
        />
      )}
    </Field>
  );
};

/** The whole step as JSON, for everything that the form has no field for. */
const RawTask = ({ step }: { step: Step }) => (
  <ValueField
    field={ownField('task', 'json', { isRequired: true })}
    pointer={step.kind === null && step.name === '' ? `${step.list}/${step.place}` : step.pointer}
    within={step.list}
    label={t('The step as JSON')}
    hasProblems={step.kind === null}
  />
);
