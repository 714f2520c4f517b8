import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** Partitioned tables are beyond the schema generator, so the schema is written as SQL. */
export class Migration0001First extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0001-first.sql', import.meta.url), 'utf8'));
  }
}
