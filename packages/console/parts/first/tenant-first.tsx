import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import { place, who } from '../../shell/engine.ts';
import { ChooseFirst } from './choose-first.tsx';
import { t } from '../words/t.ts';

/**
 * For what belongs to one tenant: a key of several asks which one first. Another tenant begins anew, because a form that
 * was filled for one tenant must not be saved for another.
 */
export const TenantFirst = ({ children }: { children: ComponentChildren }) => {
  const isChosen = (who.value !== null && who.value.tenantId !== null) || place.value.tenantId !== undefined;
  return isChosen ? (
    <Fragment key={JSON.stringify(place.value)}>{children}</Fragment>
  ) : (
    <ChooseFirst text={t('Choose a tenant in the menu.')} />
  );
};
