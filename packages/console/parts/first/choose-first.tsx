import { hasAgencies, hasTenants } from '../../shell/choices.ts';
import { ENVIRONMENT, REGISTER } from './first-commands.ts';
import { engineAddress, hasPlace } from '../../shell/engine.ts';
import { href } from '../../shell/location.ts';
import { Code } from '../code.tsx';
import { Empty } from '../small.tsx';
import { t } from '../words/t.ts';

/** Says what to choose in the header before; where there is nothing to choose from yet, what makes the first. */
export const ChooseFirst = ({ text }: { text: string }) => {
  if (!hasPlace.value && hasAgencies.value === false) {
    return (
      <Empty text={t('No dashboard is registered yet.')}>
        <p>
          {t('To register one, run these commands in a terminal, in the directory of the engine. They are step 3 of')}{' '}
          <a href={`${engineAddress}/docs/readme#try-it`}>{t('the README')}</a>
          {t('. This page then continues by itself.')}
        </p>
        <Code text={`${ENVIRONMENT}\n${REGISTER}`} label={t('Commands to register a dashboard')} copy />
      </Empty>
    );
  }
  if (hasPlace.value && hasTenants.value === false) {
    return (
      <Empty text={t('No account is connected yet.')}>
        <p>
          <a href={href('/connect')}>{t('Connect one')}</a> {t('to see its data here.')}
        </p>
      </Empty>
    );
  }
  return <Empty text={hasPlace.value ? text : t('Choose an agency in the menu.')} />;
};
