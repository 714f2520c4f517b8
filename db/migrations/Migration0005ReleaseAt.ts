import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0005ReleaseAt extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0005-release-at.sql', import.meta.url), 'utf8'));
  }
}
