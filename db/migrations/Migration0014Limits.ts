import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0014Limits extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0014-limits.sql', import.meta.url), 'utf8'));
  }
}
