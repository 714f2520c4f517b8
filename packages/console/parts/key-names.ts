import { engine, hasPlace, mayDo, who } from '../shell/engine.ts';
import { allOf } from './all-of.ts';
import { useLoad } from './use-load.ts';

const AT_ONCE = 100;

/** The names of the agency's keys by their ids, as far as whoever is logged in may read them. */
export const useKeyNames = (): ReadonlyMap<string, string> => {
  const mayRead = hasPlace.value && mayDo('keys') && who.value?.kind !== 'session';
  const { data } = useLoad({
    name: 'key-names',
    deps: [mayRead],
    isBeside: true,
    load: async (signal) => {
      const keys = mayRead ? await allOf(engine.value.apiKeys.list({ limit: AT_ONCE }, { signal })) : [];
      return new Map(keys.map(({ id, name }) => [id, name]));
    },
  });
  return data ?? new Map<string, string>();
};
