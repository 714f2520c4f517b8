import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0002Delivery extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0002-delivery.sql', import.meta.url), 'utf8'));
  }
}
