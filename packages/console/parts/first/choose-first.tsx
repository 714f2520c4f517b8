import { hasAgencies, hasTenants } from '../../shell/choices.ts';
import { ENVIRONMENT, REGISTER } from './first-commands.ts';
import { engineAddress, hasPlace } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { Code } from '../code.tsx';
import { Empty } from '../small.tsx';

/** Says what to choose in the header before; where there is nothing to choose from yet, what makes the first. */
export const ChooseFirst = ({ text }: { text: string }) => {
  if (!hasPlace.value && hasAgencies.value === false) {
    return (
      <Empty text="No dashboard is registered yet.">
        <p>
          To register one, run these commands in a terminal, in the directory of the engine. They are step 3 of{' '}
          <a href={`${engineAddress}/docs/readme#try-it`}>the README</a>. This page then continues by itself.
        </p>
        <Code text={`${ENVIRONMENT}\n${REGISTER}`} label="Commands to register a dashboard" copy />
      </Empty>
    );
  }
  if (hasPlace.value && hasTenants.value === false) {
    return (
      <Empty text="No account is connected yet.">
        <p>
          <a href={href('/connect')}>Connect one</a> to see its data here.
        </p>
      </Empty>
    );
  }
  return <Empty text={hasPlace.value ? text : 'Choose an agency in the menu.'} />;
};
