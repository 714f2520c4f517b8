import { z } from 'zod';
import { anAgency, TARGET } from '../agency.ts';
import { Fleet } from '../fleet/fleet.ts';
import { Meter } from '../fleet/meter.ts';
import { inboundEvent } from '../inbound-event.ts';
import { posts } from '../load.ts';
import type { Post } from '../load.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { besideRow } from './beside.ts';
import { probeSends } from './send-probe.ts';
import type { Probe } from './send-probe.ts';

const ABUSER = 'abuser';
const CONVERSATIONS = 300;
const REPLIES = 600;
const PER_SECOND = 2;
const SECONDS = 10;
const PATIENCE_MS = 30_000;

/** Measures single sends of an agency while another, whose sessions have no pace, replies in all its conversations. */
export async function repliesFlood(machine: Machine): Promise<Result[]> {
  const fleet = await Fleet.start(machine);
  const meter = await Meter.open(machine);
  try {
    const victim = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const busy = await anAgency(fleet.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true, agencyId: ABUSER });
    let written = 0;
    await posts(fleet.url, CONVERSATIONS, () => inboundEvent(busy.name, written++));
    const conversations = await conversationsOf(meter, busy.id);
    const scene = { machine, url: fleet.url, sessionId: victim.id };
    const probe = (word: string, seconds: number): Promise<Probe> =>
      probeSends(scene, { word, perSecond: PER_SECOND, seconds, patienceMs: PATIENCE_MS });
    await probe('warm', 3);
    const alone = await probe('alone', SECONDS);
    let index = 0;
    const replying = posts(fleet.url, REPLIES, () => replyIn(conversations[index++ % conversations.length] ?? ''));
    const beside = await probe('beside', SECONDS);
    await replying;
    const path = `single sends of an agency beside ${REPLIES} replies of another, without a pace`;
    return [besideRow(path, beside.latencies, alone.latencies, beside.lost === 0 ? '' : `; ${beside.lost} LOST`)];
  } finally {
    await meter.close();
    await fleet.stop();
  }
}

const Ids = z.array(z.object({ id: z.string() }));

/** Waits until every contact's message has been applied. */
async function conversationsOf(meter: Meter, sessionId: string): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = Ids.parse(await meter.query('select id from conversation where session_id = $1', [sessionId]));
    if (found.length >= CONVERSATIONS || performance.now() > deadline) return found.map(({ id }) => id);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function replyIn(conversationId: string): Post {
  return {
    path: `/api/v1/inbox/conversations/${conversationId}/messages`,
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ ...TARGET, agencyId: ABUSER, text: 'We have a table for you.' }),
  };
}
