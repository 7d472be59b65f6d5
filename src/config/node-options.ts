/**
 * Options of V8 for gateways, by name, which save CPU time for garbage collection
 * (docs/operating.md describes each). `npm start` and the image pass the same ones to Node.js.
 */
const GATEWAY_OPTIONS = {
  'max-semi-space-size': '--max-semi-space-size=64',
  'parallel-scavenge': '--no-parallel-scavenge',
  'allocation-site-pretenuring': '--no-allocation-site-pretenuring',
} as const;

/**
 * The options that a gateway sets itself: those that are neither on the command line of Node.js nor
 * in NODE_OPTIONS, in either way.
 */
export const missingGatewayOptions = (
  given: readonly string[] = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''],
): string[] => {
  const text = given.join(' ').replaceAll('_', '-');
  return Object.entries(GATEWAY_OPTIONS)
    .filter(([name]) => !text.includes(name))
    .map(([, option]) => option);
};
