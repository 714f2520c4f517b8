import { hasAgencies, hasTenants } from '../shell/choices.ts';
import { engineAddress, hasPlace } from '../shell/engine.ts';
import { href } from '../shell/location.ts';
import { Empty } from './small.tsx';

/** Says what to choose in the header before; where there is nothing to choose from yet, what makes the first. */
export const ChooseFirst = ({ text }: { text: string }) => {
  if (!hasPlace.value && hasAgencies.value === false) {
    return (
      <Empty text="No dashboard is registered yet.">
        <p>
          <a href={`${engineAddress}/docs/readme#try-it`}>The README</a> registers one by its third step. This page goes
          on by itself then.
        </p>
      </Empty>
    );
  }
  if (hasPlace.value && hasTenants.value === false) {
    return (
      <Empty text="No account is connected yet.">
        <p>
          <a href={href('/connect')}>Connect one</a>, and its conversations are here.
        </p>
      </Empty>
    );
  }
  return <Empty text={text} />;
};
