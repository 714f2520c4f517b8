import type { DatabaseBooks } from '../database-cost.ts';

const ROLE = 'bench_tenant';
const PASSWORD = 'bench';
/** The tables that most statements of requests touch; of those without the agency's id a policy would need a join. */
const TABLES = ['tenant', 'session', 'contact', 'contact_alias', 'conversation', 'message'];
/** Holds the agency of the transaction. */
export const AGENCY_SETTING = 'engine.agency';

/**
 * Puts policies on the hottest tables and makes a role that they bind; the owner of the tables goes on without them.
 * Returns the address for the role.
 */
export async function makeTenantRole(books: DatabaseBooks, databaseUrl: string): Promise<string> {
  await books.query(`drop role if exists ${ROLE}`);
  await books.query(`create role ${ROLE} login nobypassrls password '${PASSWORD}'`);
  await books.query(`grant select, insert, update, delete on all tables in schema public to ${ROLE}`);
  await books.query(`grant usage on all sequences in schema public to ${ROLE}`);
  for (const table of TABLES) {
    const isOwn = `agency_id = current_setting('${AGENCY_SETTING}', true)`;
    await books.query(`alter table ${table} enable row level security`);
    await books.query(`create policy own on ${table} to ${ROLE} using (${isOwn}) with check (${isOwn})`);
  }
  // The cheapest way: the function that accepts sets the agency itself, so no statement is added.
  await books.query(`
    create function bench_accept(p_agency_id text, p_sends jsonb) returns setof jsonb language plpgsql as $$
    begin
      perform set_config('${AGENCY_SETTING}', p_agency_id, true);
      return query select accept_sends(p_sends, 50);
    end $$`);
  const url = new URL(databaseUrl);
  url.username = ROLE;
  url.password = PASSWORD;
  return url.href;
}
