import { localMinute } from '../../parts/times.ts';
import { Field, Select } from '../../parts/field.tsx';
import { query, setQuery } from '../../shell/location.ts';
import { who } from '../../shell/engine.ts';
import type { EndpointNames } from './endpoint-names.ts';
import { t } from '../../parts/words/t.ts';

/** The endpoint that the list is narrowed to; a link to one endpoint shows no other. */
export const chosenEndpoint = (): string | undefined => who.value?.endpointId ?? query.value['endpointId'];

/** Addresses have the zone: a copied one shows the same span elsewhere. */
const isoOf = (local: string): string | undefined => {
  const at = Date.parse(local);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** A time of the address as the API takes it; undefined for none, and for one that is no time. */
export const chosenSince = (): string | undefined => isoOf(query.value['since'] ?? '');

const DAY_MS = 86_400_000;
/** The time that bounds a search for few among many rows. */
export const aDayAgo = (): string => new Date(Date.now() - DAY_MS).toISOString();

/** The endpoints to choose from. The chosen one is among them, so that a filter that is on is always seen. */
const endpointsOf = ({ options }: EndpointNames): EndpointNames['options'] => {
  const chosen = who.value?.endpointId == null ? query.value['endpointId'] : undefined;
  const isListed = chosen === undefined || options.some(({ value }) => value === chosen);
  return isListed ? options : [...options, { value: chosen, label: chosen }];
};

/** A choice of the endpoint, and of the time from which on. */
export const EventFilters = ({ names }: { names: EndpointNames }) => (
  <>
    {endpointsOf(names).length > 0 && (
      <Select
        label={t('Endpoint')}
        value={query.value['endpointId']}
        options={[{ value: '', label: t('All') }, ...endpointsOf(names)]}
        onChange={(endpointId) => setQuery({ endpointId })}
      />
    )}
    <Field label={t('From')}>
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          value={localMinute(chosenSince())}
          onChange={(event) => setQuery({ since: isoOf(event.currentTarget.value) })}
        />
      )}
    </Field>
    {query.value['eventId'] !== undefined && (
      <button type="button" onClick={() => setQuery({ eventId: undefined })}>
        {t('Show all events')}
      </button>
    )}
  </>
);
