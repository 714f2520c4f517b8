#!/bin/sh
# Run once, with an empty volume: a role and its own databases for the engine and for Temporal.
set -eu

make_role() {
  psql -v ON_ERROR_STOP=1 -U postgres -v name="$1" -v password="$2" <<'SQL'
create role :"name" login password :'password';
SQL
}

make_database() {
  psql -v ON_ERROR_STOP=1 -U postgres -v name="$1" -v owner="$2" <<'SQL'
create database :"name" owner :"owner";
revoke all on database :"name" from public;
SQL
}

make_role engine "$ENGINE_DATABASE_PASSWORD"
make_role temporal "$TEMPORAL_DATABASE_PASSWORD"
make_database engine engine
make_database temporal temporal
make_database temporal_visibility temporal
