import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0013Admin extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0013-admin.sql', import.meta.url), 'utf8'));
  }
}
