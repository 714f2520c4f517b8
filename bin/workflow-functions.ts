import { writeFileSync } from 'node:fs';
import { workflowFunctions } from '../db/registry/workflow-functions.ts';

writeFileSync(new URL('../db/registry/workflows.sql', import.meta.url), workflowFunctions());
