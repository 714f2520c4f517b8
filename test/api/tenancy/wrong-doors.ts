import { DOORS, nameOf, opensToTenants } from './doors.ts';
import { WITHOUT_DOOR } from './without-door.ts';
import type { Entrance } from './doors.ts';

/** Returns the faults in the table of doors, each with its fix. */
export function wrongDoors(routes: readonly Entrance[]): string[] {
  const open = routes.filter(opensToTenants).map(nameOf);
  const known = [...Object.keys(DOORS), ...WITHOUT_DOOR];
  return [
    ...open
      .filter((name) => !known.includes(name))
      .map((name) => `${name} has no door: say in DOORS of test/api/tenancy/doors.ts how it names a tenant's object.`),
    ...known
      .filter((name) => !open.includes(name))
      .map((name) => `${name} opens to no tenant: take it out of test/api/tenancy/doors.ts.`),
    ...WITHOUT_DOOR.filter((name) =>
      name.replace(/:(tenantId|automation|shortcut|name)(\/hook)?$|:tenantId/, '').includes(':'),
    ).map((name) => `${name} names an object in its path: move it to DOORS in test/api/tenancy/doors.ts.`),
  ];
}
