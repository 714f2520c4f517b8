import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Dispatch } from '../../../db/dispatch.ts';
import { sendDispatch } from '../../../loops/dispatch/send-dispatch.ts';
import { createClient } from '../../../loops/dispatch/temporal-client.ts';
import { TemporalReach } from '../../../loops/dispatch/temporal-reach.ts';
import { workflowId } from '../../../domain/names.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { Line } from '../a-line.ts';
import { takeServers } from '../../support/servers.ts';

/** Notes what it is told of calls. */
class WatchedReach extends TemporalReach {
  readonly told: string[] = [];

  override answered(tookMs: number): void {
    this.told.push('answered');
    super.answered(tookMs);
  }

  override missed(): void {
    this.told.push('missed');
    super.missed();
  }

  override refused(): void {
    this.told.push('refused');
    super.refused();
  }
}

function start(key: string): Dispatch {
  return {
    id: '1',
    workflowType: 'deliverMessage',
    workflowId: workflowId('deliverMessage', key),
    action: 'start',
    signal: null,
    signalArgs: [],
    args: [key],
    attributes: {},
    summary: null,
    priority: 2,
    agencyId: 'a1',
    attempts: 1,
    timesPromised: 0,
    waitedSeconds: 0,
  };
}

describe('a call that has missed its deadline', () => {
  let line: Line;
  let client: Client;
  let reach: WatchedReach;
  let namespace: string;

  beforeEach(async () => {
    const servers = await takeServers();
    ({ namespace } = servers);
    const port = await freePort();
    line = new Line();
    reach = new WatchedReach();
    await line.connect(port, servers.temporalAddress);
    client = createClient(Connection.lazy({ address: `127.0.0.1:${port}`, interceptors: [] }), namespace);
    await client.workflowService.describeNamespace({ namespace });
  });
  afterEach(async () => {
    reach.stop();
    await client.connection.close();
    line.cut();
  });

  const send = (key: string) => sendDispatch(start(key), { client, attributes: new Set(), eager: false, reach });

  it('says nothing more when it ends without an answer, since Temporal may answer others by then', async () => {
    line.fallSilent();
    expect(await send('hangs')).toMatchObject({ outcome: 'failed', error: 'Temporal did not answer in time' });
    expect(reach.told).toEqual(['missed']);
    // A second call hangs on the same connection: when it ends, so has the first one.
    const beside = client.workflowService.describeNamespace({ namespace });
    line.cut();
    await expect(beside).rejects.toThrow();
    // Nothing listens now, and this call says so: it is the only one that still counts.
    expect(await send('refused')).toMatchObject({ outcome: 'failed' });
    expect(reach.told).toEqual(['missed', 'refused']);
  });
});
