import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Config } from '../config/config.ts';
import type { TemporalTarget } from '../loops/dispatch/temporal-client.ts';
import { need } from './need.ts';

/**
 * Reads Temporal's own variables (TLS, API key, profiles). Our names for the address and the namespace are the same as
 * Temporal's.
 */
export function temporalTarget(config: Config): TemporalTarget {
  const { connectionOptions } = loadClientConnectConfig();
  return {
    connectionOptions: { ...connectionOptions, address: need(config.temporalAddress, 'TEMPORAL_ADDRESS') },
    namespace: temporalNamespace(config),
  };
}

export function temporalNamespace(config: Config): string {
  return config.temporalNamespace ?? loadClientConnectConfig().namespace ?? 'default';
}
