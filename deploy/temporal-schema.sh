#!/bin/sh
# Makes Temporal's tables, or brings them up to this version's; running it again changes nothing.
set -eu

migrate() {
  temporal-sql-tool --db "$1" setup-schema -v 0.0
  temporal-sql-tool --db "$1" update-schema --schema-name "postgresql/v12/$2"
}

migrate temporal temporal
migrate temporal_visibility visibility
