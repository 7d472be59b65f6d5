import { missingGatewayOptions } from '../../src/config/node-options.js';

it.each<[string[], string[]]>([
  [[], ['--max-semi-space-size=64', '--no-parallel-scavenge', '--no-allocation-site-pretenuring']],
  [
    ['--max_semi_space_size=16', '--enable-source-maps'],
    ['--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
  ],
  [['', '--parallel-scavenge --no-allocation-site-pretenuring'], ['--max-semi-space-size=64']],
])('a gateway with the options %j adds %j', (given, missing) => {
  expect(missingGatewayOptions(given)).toEqual(missing);
});
