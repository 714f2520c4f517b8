import type { ComponentChildren } from 'preact';
import { place, who } from '../../shell/engine.ts';
import { ChooseFirst } from './choose-first.tsx';
import { t } from '../words/t.ts';

/** For what belongs to one tenant: a key of several asks which one first. */
export const TenantFirst = ({ children }: { children: ComponentChildren }) => {
  const isChosen = (who.value !== null && who.value.tenantId !== null) || place.value.tenantId !== undefined;
  return isChosen ? <>{children}</> : <ChooseFirst text={t('Choose a tenant in the menu.')} />;
};
