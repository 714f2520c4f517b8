import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0011Adoption extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0011-adoption.sql', import.meta.url), 'utf8'));
  }
}
