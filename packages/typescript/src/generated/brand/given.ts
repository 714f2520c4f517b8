// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Omitted fields stay unchanged. */
export interface SetBrand {
  /** The colour of links and buttons, as `#rrggbb`. Its contrast with #f3f5f4 must be at least 4.5:1. */
  colour?: string | null | undefined;
  /** A PNG in base64, up to 65536 bytes and 1024 × 1024 pixels. Null removes it. */
  logo?: string | null | undefined;
}

export interface BrandReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface BrandUpdateQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
