import { Field, Select } from '../../parts/field.tsx';
import { query, setQuery } from '../../shell/location.ts';
import { who } from '../../shell/engine.ts';
import type { EndpointNames } from './endpoint-names.ts';

/** The endpoint that the list is narrowed to; a link to one endpoint shows no other. */
export const chosenEndpoint = (): string | undefined => who.value?.endpointId ?? query.value['endpointId'];

/** A time of the address as the API takes it; undefined for none, and for one that is no time. */
export const chosenSince = (): string | undefined => {
  const at = Date.parse(query.value['since'] ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** A choice of the endpoint, and of the time from which on. */
export const EventFilters = ({ names }: { names: EndpointNames }) => (
  <>
    {names.options.length > 0 && (
      <Select
        label="Endpoint"
        value={query.value['endpointId']}
        options={[{ value: '', label: 'All' }, ...names.options]}
        onChange={(endpointId) => setQuery({ endpointId })}
      />
    )}
    <Field label="From">
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          value={query.value['since'] ?? ''}
          onChange={(event) => setQuery({ since: event.currentTarget.value })}
        />
      )}
    </Field>
    {query.value['eventId'] !== undefined && (
      <button type="button" onClick={() => setQuery({ eventId: undefined })}>
        Show all events
      </button>
    )}
  </>
);
