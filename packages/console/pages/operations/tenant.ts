import { engine, place, who } from '../../shell/engine.ts';

/** The id of the tenant whose data is shown, for paths that name it. */
export const tenantNow = (): string => place.value.tenantId ?? who.value?.tenantId ?? '';

/** The client, read where something is loaded, so that a panel loads again after a change of the place. */
export const settingsOf = () => engine.value.tenantSettings;
