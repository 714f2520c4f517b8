import { describe, expect, it } from '@jest/globals';
import * as ofStart from '../../../bin/screen/first-steps.ts';
import * as ofConsole from '../../../packages/console/parts/first/first-commands.ts';

describe('the commands that the empty console shows', () => {
  it('are those of the start screen', () => {
    expect({ ...ofStart }).toMatchObject({ ...ofConsole });
  });
});
