import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0004Edges extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0004-edges.sql', import.meta.url), 'utf8'));
  }
}
