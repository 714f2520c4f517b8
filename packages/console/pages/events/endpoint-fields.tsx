import type { CreateWebhookEndpoint } from '../../../typescript/src/index.ts';
import { Field } from '../../parts/field.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { errorAt, Problem } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { isEventName } from './event-names.ts';
import { t } from '../../parts/words/t.ts';

type EventName = NonNullable<CreateWebhookEndpoint['events']>[number];

/** Only a test makes an event of this name; no endpoint asks for it. */
export const isSubscribable = (type: string): type is EventName => isEventName(type) && type !== 'endpoint.test';

export interface TypedEndpoint {
  url: string;
  description: string;
  events: EventName[];
}

export interface EndpointFieldsProps {
  typed: TypedEndpoint;
  set: (typed: TypedEndpoint) => void;
  problem: Failure | null;
  submit: string;
  save: () => Promise<void>;
}

/** The fields of an endpoint, new or existing. */
export const EndpointFields = ({ typed, set, problem, submit, save }: EndpointFieldsProps) => {
  const kinds = useLoad({ load: (signal) => engine.value.webhookEventTypes.list({ signal }) });
  const isHeard = (type: string): boolean => typed.events.some((name) => name === type);
  const toggle = (type: string): void => {
    if (!isSubscribable(type)) return;
    set({ ...typed, events: isHeard(type) ? typed.events.filter((name) => name !== type) : [...typed.events, type] });
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={t('URL')}
        hint={t('The address that gets the events, such as https://shop.example/events')}
        error={errorAt(problem, '/url')}
      >
        {(props) => (
          <input
            {...props}
            type="url"
            required
            value={typed.url}
            onInput={(event) => set({ ...typed, url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t('Description')} error={errorAt(problem, '/description')}>
        {(props) => (
          <input
            {...props}
            dir="auto"
            value={typed.description}
            onInput={(event) => set({ ...typed, description: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset class="stack">
        <legend>{t('Events to send')}</legend>
        <Loadable of={kinds}>
          {({ eventTypes }) => (
            <ul class="choices">
              {eventTypes
                .filter(({ type }) => type !== 'endpoint.test')
                .map(({ type, title }) => (
                  <li key={type}>
                    <label class="row">
                      <input type="checkbox" checked={isHeard(type)} onChange={() => toggle(type)} />
                      <span>
                        {title} <span class="mono quiet">{type}</span>
                      </span>
                    </label>
                  </li>
                ))}
            </ul>
          )}
        </Loadable>
      </fieldset>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary">
          {submit}
        </button>
      </div>
    </form>
  );
};
