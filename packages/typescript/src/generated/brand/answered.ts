// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The name, colour and logo that people see who came by a link of the agency. */
export interface Brand {
  /** The name of the dashboard, which the pages show. */
  name: string;
  /** The colour. Null means the default. */
  colour: string | null;
  /** The address of the logo at the engine. Null if there is none. */
  logoUrl: string | null;
}
