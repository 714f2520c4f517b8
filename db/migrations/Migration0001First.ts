import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Partitioned tables are beyond the schema generator, so the schema is written as SQL. */
export class Migration0001First extends Migration {
  override up(): void {
    for (const file of ['./0001-first.sql', './0001-functions.sql']) {
      this.addSql(readFileSync(new URL(file, import.meta.url), 'utf8'));
    }
  }
}
