import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0015Passthrough extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0015-passthrough.sql', import.meta.url), 'utf8'));
  }
}
