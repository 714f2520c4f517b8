import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startFileServer } from '../support/file-server.ts';
import { DECISION, ORDINARY, PNG, anAgency, attached, ended, loseStatus, send } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { setStatus, untilPending, untilTimer } from './wait.ts';

export const MESSAGE_STORIES: readonly Story[] = [
  {
    name: 'deliver-message-delivered',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'delivered'), ORDINARY)),
  },
  {
    name: 'deliver-message-sent-unacked',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'sent'), '0002')),
  },
  {
    // Its recording is of code that watched for the ack with a timer, as open executions of that code still do. If it
    // were recorded again, it would equal the one above.
    name: 'deliver-message-never-acked',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'unacked'), '0002')),
  },
  {
    name: 'deliver-message-restricted',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'restricted'), '0007')),
  },
  {
    name: 'deliver-message-settled-after-drop',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'dropped'), '0005')),
  },
  {
    name: 'deliver-message-sent-again',
    async tell(engine) {
      const agency = await anAgency(engine, 'again');
      // A send known to have gone out is what proves that another did not.
      await ended(await send(engine, agency, ORDINARY));
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: agency.session.name });
      return ended(await send(engine, agency, ORDINARY));
    },
  },
  {
    name: 'deliver-message-session-away-and-back',
    async tell(engine) {
      const agency = await anAgency(engine, 'away');
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'check again soon');
      await setStatus(engine, agency, 'FAILED');
      await untilTimer(message, 'until it is worthless');
      await setStatus(engine, agency, 'WORKING');
      return ended(message);
    },
  },
  {
    name: 'deliver-message-held-and-released',
    async tell(engine) {
      const agency = await anAgency(engine, 'held');
      const pace = { perMinute: 6_000, burst: 100 };
      await call(engine, 'PUT', `/api/v1/tenants/${agency.tenantId}/settings`, {
        key: agency.dashboardKey,
        body: { pace },
      });
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'until it is worthless');
      await loseStatus(engine, agency, 'WORKING');
      return ended(message);
    },
  },
  {
    name: 'deliver-message-cancelled',
    async tell(engine) {
      const agency = await anAgency(engine, 'cancelled');
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'check again soon');
      await message.executeUpdate('cancel', { args: [DECISION] });
      return ended(message);
    },
  },
  {
    name: 'deliver-message-bulk',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'bulk'), '0002', { priority: 'bulk' })),
  },
  {
    name: 'deliver-message-media',
    async tell(engine) {
      const files = await startFileServer({ '/': (response) => void response.end(PNG) });
      const message = await send(engine, await anAgency(engine, 'media'), ORDINARY, attached(files.url));
      await message.result();
      await files.close();
      return message;
    },
  },
  {
    name: 'deliver-message-file-unavailable',
    async tell(engine) {
      const files = await startFileServer({});
      const message = await send(engine, await anAgency(engine, 'unavailable'), ORDINARY, attached(files.url));
      await message.result();
      await files.close();
      return message;
    },
  },
  {
    name: 'deliver-message-not-on-network',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'nobody'), '0010')),
  },
  {
    name: 'deliver-message-uncertain-then-resolved',
    async tell(engine) {
      // A session that has never shown one of its sends proves nothing.
      const agency = await anAgency(engine, 'uncertain');
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: agency.session.name });
      const message = await send(engine, agency, ORDINARY);
      await untilPending(message, 'settleMessage');
      let aheadMs = 0;
      await eventually(async () => {
        engine.database.clock.advance(60_000);
        aheadMs += 60_000;
        const { phase } = await message.query<{ phase: string }>('state');
        return phase === 'uncertain';
      });
      // For the stories after this one everything that is said would be stale.
      engine.database.clock.advance(-aheadMs);
      await message.executeUpdate('resolve', { args: [{ outcome: 'failed', ...DECISION }] });
      return ended(message);
    },
  },
];
