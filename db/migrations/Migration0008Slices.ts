import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0008Slices extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0008-slices.sql', import.meta.url), 'utf8'));
  }
}
