import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { eventsFlood } from './events-flood.ts';
import { fiveConnections } from './five-connections.ts';
import { held } from './held.ts';
import { rehearsals } from './rehearsals.ts';
import { repliesFlood } from './replies-flood.ts';
import { slowFiles } from './slow-files.ts';
import { slowReceivers } from './slow-receivers.ts';
import { stoppedProcess } from './stopped-process.ts';
import { thousandEndpoints } from './thousand-endpoints.ts';

type Path = (machine: Machine) => Promise<Result[]>;

/** Each is a path of its own, too, so that a run can be split. */
export const VICTIMS: Record<string, Path> = {
  'victims-flood': eventsFlood,
  'victims-endpoints': thousandEndpoints,
  'victims-stopped': stoppedProcess,
  'victims-connections': fiveConnections,
  'victims-replies': repliesFlood,
  'victims-files': slowFiles,
  'victims-receivers': slowReceivers,
  'victims-rehearsals': rehearsals,
  'victims-held': held,
};
