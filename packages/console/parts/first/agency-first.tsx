import type { ComponentChildren } from 'preact';
import { hasPlace } from '../../shell/engine.ts';
import { ChooseFirst } from './choose-first.tsx';
import { t } from '../words/t.ts';

/** For what belongs to one agency: the master key says first of which it wants to know. */
export const AgencyFirst = ({ children }: { children: ComponentChildren }) =>
  hasPlace.value ? <>{children}</> : <ChooseFirst text={t('Choose an agency in the menu.')} />;
