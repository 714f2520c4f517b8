import { useEffect } from 'preact/hooks';
import { useLoad } from '../parts/use-load.ts';
import { knownZone, zone } from '../parts/zone.ts';
import { engine, hasPlace, isGuest, place, who } from './engine.ts';

/** Reads the time zone of the chosen tenant. A link opens no settings, so its person sees times of the browser's zone. */
export const useTenantZone = (): void => {
  const tenant = place.value.tenantId ?? who.value?.tenantId ?? null;
  const { data } = useLoad({
    name: 'time-zone',
    load: async (signal) =>
      tenant === null || isGuest.value || !hasPlace.value
        ? null
        : engine.value.tenantSettings.read(tenant, {}, { signal }),
    deps: [tenant],
    isBeside: true,
  });
  const name = data?.timeZone;
  useEffect(() => {
    zone.value = knownZone(name);
  }, [name]);
};
