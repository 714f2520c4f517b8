-- The logo and the colour that pages show to whoever came by a link of the agency.
set local lock_timeout = '10s';

create table agency_brand (
  agency_id text primary key references agency (id) on delete cascade,
  -- Such as `#0a6356`.
  colour text,
  -- A PNG, which is small: `domain/tenants/brand.ts` has the bounds.
  logo bytea,
  -- The SHA-256 of the logo in hex: it names the file, so a browser may keep it forever.
  logo_digest text,
  updated_at timestamptz not null
);
create index agency_brand_logo on agency_brand (logo_digest) where logo_digest is not null;
