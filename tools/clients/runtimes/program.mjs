import { argv } from 'node:process';
import { smoke } from './smoke.mjs';

await smoke(JSON.parse(argv[2]));
