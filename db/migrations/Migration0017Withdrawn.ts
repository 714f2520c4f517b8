import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0017Withdrawn extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0017-withdrawn.sql', import.meta.url), 'utf8'));
  }
}
