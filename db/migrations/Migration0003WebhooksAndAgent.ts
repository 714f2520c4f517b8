import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

export class Migration0003WebhooksAndAgent extends Migration {
  override up(): void {
    this.addSql(readFileSync(new URL('./0003-webhooks-and-agent.sql', import.meta.url), 'utf8'));
  }
}
