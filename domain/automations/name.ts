/** The name of a definition as the API has it: the export `welcomeContact` is `welcome-contact`. */
export function definitionName(exported: string): string {
  return exported.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const FLOW = 'flow-';

/** The name under which a stored workflow is an automation of a tenant: `flw_019b…` is `flow-019b…`. */
export function automationOfFlow(flowId: string): string {
  return `${FLOW}${flowId.slice('flw_'.length)}`;
}

/** The inverse of {@link automationOfFlow}; null for an automation in code. */
export function flowOfAutomation(automation: string): string | null {
  return automation.startsWith(FLOW) ? `flw_${automation.slice(FLOW.length)}` : null;
}
