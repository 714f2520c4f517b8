import type { ComponentChildren } from 'preact';
import { place, who } from '../shell/engine.ts';
import { Empty } from './small.tsx';

/** For what belongs to one tenant: a key of several asks which one first. */
export const TenantFirst = ({ children }: { children: ComponentChildren }) => {
  const isChosen = (who.value !== null && who.value.tenantId !== null) || place.value.tenantId !== undefined;
  return isChosen ? <>{children}</> : <Empty text="This belongs to one tenant. Choose it above." />;
};
