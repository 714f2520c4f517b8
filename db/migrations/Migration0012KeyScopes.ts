import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0012KeyScopes extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0012-key-scopes.sql', import.meta.url), 'utf8'));
  }
}
