import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/** The schema is written as SQL, because MikroORM's schema generator cannot make partitioned tables. */
export class Migration0001First extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0001-first.sql', import.meta.url), 'utf8'));
  }
}
