import { allOf } from '../../parts/all-of.ts';
import { useLoad } from '../../parts/use-load.ts';
import { engine, isGuest, mayChangeEndpoints } from '../../shell/engine.ts';

const AT_ONCE = 100;

export interface EndpointNames {
  nameOf: (id: string) => string;
  /** For a choice among them; empty for people who may not list endpoints. */
  options: readonly { value: string; label: string }[];
}

/** Endpoints by their words, or by their address. People who may not list endpoints see ids. */
export const useEndpointNames = (): EndpointNames => {
  const mayList = mayChangeEndpoints.value && !isGuest.value;
  const { data = [] } = useLoad({
    name: 'endpoint-names',
    load: async (signal) => (mayList ? allOf(engine.value.webhookEndpoints.list({ limit: AT_ONCE }, { signal })) : []),
    deps: [mayList],
    isBeside: true,
  });
  const options = data.map(({ id, description, url }) => ({ value: id, label: description || url }));
  return { options, nameOf: (id) => options.find(({ value }) => value === id)?.label ?? id };
};
