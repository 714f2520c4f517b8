import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0009CleanUp extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0009-clean-up.sql', import.meta.url), 'utf8'));
  }
}
