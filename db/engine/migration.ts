import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

/**
 * Makes the migration that runs the SQL file of its name. The schema is written as SQL, because MikroORM's schema
 * generator cannot make partitioned tables.
 */
export function migration(name: string): {
  name: string;
  class: new (...made: ConstructorParameters<typeof Migration>) => Migration;
} {
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(readFileSync(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8'));
      }
    },
  };
}
