import { useState } from 'preact/hooks';
import { Field, Select } from '../../../parts/field.tsx';
import { Section } from '../../../parts/panel.tsx';
import { t } from '../../../parts/words/t.ts';
import { fieldsOf, ownField } from '../model/forms.ts';
import type { FormField } from '../model/forms.ts';
import { asJson, objectOf, textOf, valueAt, withValue, without } from '../model/json.ts';
import {
  AUDIENCE_DAYS,
  AUDIENCE_LABEL,
  FILTERS,
  paramAt,
  paramsOf,
  startOf,
  withoutParam,
  withParam,
  withRequired,
  withStart,
} from '../model/start.ts';
import type { Param, Start } from '../model/start.ts';
import { freeName } from '../model/steps.ts';
import { dayWord, eventWord, startSentence } from '../words.ts';
import { problemsAt, useEditing } from './editing.ts';
import { More } from './more.tsx';
import { ValueField } from './value-field.tsx';

const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

/** The event or the time that starts the workflow, with its filters. */
export const StartCard = () => {
  const { definition, triggers, change, problems } = useEditing();
  const start = startOf(definition);
  const trigger = start.by === 'event' ? triggers.find(({ type }) => type === start.type) : undefined;
  const choose = (value: string): void => {
    const next: Start =
      value === 'request'
        ? { by: 'request' }
        : value === 'time'
          ? { by: 'time', at: '09:00', days: [] }
          : { by: 'event', type: value };
    change(withStart(definition, next));
  };
  const value = start.by === 'event' ? start.type : start.by;
  const found = ['/schedule', '/evaluate'].flatMap((at) => problemsAt(problems, at));
  return (
    <Section title={t('Start')} level={3} class="step">
      <p>{startSentence(start)}</p>
      {found.map(({ pointer, message }) => (
        <p key={`${pointer} ${message}`} class="small bad">
          {message}
        </p>
      ))}
      <Select
        label={t('Starts when')}
        value={value}
        options={[
          { value: 'request', label: t('Only a request starts it') },
          { value: 'time', label: t('At a time') },
          ...triggers.map(({ type }) => ({ value: type, label: eventWord(type) })),
          ...(start.by === 'json' ? [{ value: 'json', label: t('Edited as JSON') }] : []),
          ...(start.by === 'event' && !trigger ? [{ value: start.type, label: start.type }] : []),
        ]}
        onChange={choose}
      />
      {start.by === 'json' && (
        <ValueField field={ownField('schedule', 'json')} pointer="/schedule" within="" label={t('Start')} />
      )}
      {start.by === 'time' && <AtTime start={start} />}
      {trigger && <Filters key={trigger.type} schema={trigger.filters} />}
    </Section>
  );
};

/** The filters of the event: those that are set, and the others below "More". */
const Filters = ({ schema }: { schema: Readonly<Record<string, unknown>> }) => {
  const { definition, problems } = useEditing();
  // A filter stays where it is while it is filled in or emptied.
  const [given] = useState(() => objectOf(valueAt(definition, FILTERS)));
  const fields = fieldsOf(objectOf(asJson(schema)));
  const isShown = ({ name, isRequired, control }: FormField): boolean =>
    isRequired || Object.hasOwn(given, name) || control === 'boolean' || control === 'always';
  const show = (each: FormField) => (
    <ValueField key={each.name} field={each} pointer={`${FILTERS}/${each.name}`} within={FILTERS} />
  );
  const more = fields.filter((each) => !isShown(each));
  return (
    <>
      {fields.filter(isShown).map(show)}
      {more.length > 0 && (
        <More
          title={t('More filters')}
          isWrong={more.some(({ name }) => problemsAt(problems, `${FILTERS}/${name}`).length > 0)}
        >
          {more.map(show)}
        </More>
      )}
    </>
  );
};

/** A time of day, the days of the week, and the contacts. */
const AtTime = ({ start }: { start: Extract<Start, { by: 'time' }> }) => {
  const { definition, change } = useEditing();
  return (
    <>
      <Field label={t('Time')} hint={t('In the time zone of the tenant.')}>
        {(props) => (
          <input
            {...props}
            type="time"
            value={start.at}
            onInput={({ currentTarget: { value } }) => {
              if (value !== '') change(withStart(definition, { ...start, at: value.slice(0, 5) }), '/schedule');
            }}
          />
        )}
      </Field>
      <fieldset>
        <legend>{t('Days, none for every day')}</legend>
        <div class="row">
          {WEEK.map((day) => (
            <label key={day} class="row">
              <input
                type="checkbox"
                checked={start.days.includes(day)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = start.days.filter((each) => each !== day);
                  const days = (checked ? [...others, day] : others).toSorted((one, other) => one - other);
                  change(withStart(definition, { ...start, days }));
                }}
              />
              {dayWord(day, 'long')}
            </label>
          ))}
        </div>
      </fieldset>
      <p class="small quiet">{t('It runs once for each contact who meets these filters.')}</p>
      <ValueField
        field={ownField('label', 'line')}
        pointer={AUDIENCE_LABEL}
        within="/document"
        label={t('Contacts with the label')}
      />
      <ValueField
        field={ownField('silentDays', 'number')}
        pointer={AUDIENCE_DAYS}
        within="/document"
        label={t('Contacts silent for days')}
      />
    </>
  );
};

const TYPES = ['string', 'number', 'integer', 'boolean', 'array'] as const;
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: t('Text'),
  number: t('Number'),
  integer: t('Whole number'),
  boolean: t('Yes or no'),
  array: t('List of texts'),
};

/** The title, the purpose, and what each tenant sets. */
export const AboutCard = () => {
  const { definition, change, problems } = useEditing();
  const params = paramsOf(definition);
  const found = problemsAt(problems, '/input');
  return (
    <Section title={t('About')} level={3} class="step">
      <ValueField field={ownField('title', 'line')} pointer="/document/title" within="/document" label={t('Title')} />
      <ValueField
        field={ownField('summary', 'text')}
        pointer="/document/summary"
        within="/document"
        label={t('Purpose')}
      />
      <More title={t('Parameters that each tenant sets: {0}', params.length)} isWrong={found.length > 0}>
        <p class="small quiet">{t('A text reads one as {0}.', '${ params.name }')}</p>
        {params.map((param) => (
          <ParamFields key={param.name} param={param} />
        ))}
        <div>
          <button
            type="button"
            onClick={() =>
              change(
                withParam(
                  definition,
                  freeName(
                    'parameter',
                    params.map(({ name }) => name),
                  ),
                ),
              )
            }
          >
            {t('Add a parameter')}
          </button>
        </div>
      </More>
    </Section>
  );
};

const ParamFields = ({ param: { name, of, isRequired } }: { param: Param }) => {
  const { definition, change } = useEditing();
  const at = paramAt(name);
  const type = textOf(of['type']);
  return (
    <fieldset class="stack">
      <legend class="mono">{name}</legend>
      <ValueField field={ownField('title', 'line')} pointer={`${at}/title`} within={at} label={t('Title')} />
      <Select
        label={t('Type')}
        value={type}
        options={TYPES.map((each) => ({ value: each, label: TYPE_WORDS[each] ?? each }))}
        onChange={(next) => {
          const typed = withValue(without(definition, `${at}/default`, at), `${at}/type`, next);
          change(next === 'array' ? withValue(typed, `${at}/items`, { type: 'string' }) : typed);
        }}
      />
      <ValueField
        key={type}
        field={ownField('default', type === 'string' ? 'text' : 'json')}
        pointer={`${at}/default`}
        within={at}
        label={t('Default')}
      />
      <label class="row">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={({ currentTarget: { checked } }) => change(withRequired(definition, name, checked))}
        />
        {t('Each tenant must set it')}
      </label>
      <div>
        <button type="button" class="plain" onClick={() => change(withoutParam(definition, name))}>
          {t('Remove the parameter “{0}”', name)}
        </button>
      </div>
    </fieldset>
  );
};
