import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0019Ceilings extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0019-ceilings.sql', import.meta.url), 'utf8'));
  }
}
