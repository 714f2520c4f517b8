/** Temporal's SDK shows its metrics at an address of its own, which only this process can reach. */
export async function readMetrics(address: string): Promise<string> {
  const response = await fetch(`http://${address}/metrics`);
  return response.text();
}
