import { jestOfThisFile } from './of-this-file.ts';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = jestOfThisFile();
