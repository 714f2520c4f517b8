import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import { hasPlace, place } from '../../shell/engine.ts';
import { ChooseFirst } from './choose-first.tsx';
import { t } from '../words/t.ts';

/** For what belongs to one agency: the master key says first of which it wants to know. Another agency begins anew. */
export const AgencyFirst = ({ children }: { children: ComponentChildren }) =>
  hasPlace.value ? (
    <Fragment key={place.value.agencyId}>{children}</Fragment>
  ) : (
    <ChooseFirst text={t('Choose an agency in the menu.')} />
  );
