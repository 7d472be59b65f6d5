import { compare } from './compare.js';
import { compareBuilds } from './compare-builds.js';
import { measureAuthentication } from './authentication.js';
import { measureLatency } from './latency.js';
import { readOptions, USAGE } from './options.js';
import { profile } from './profile.js';
import { logProgress } from './progress.js';
import { measurePublishing } from './publishing.js';
import { scale } from './scale.js';
import { measureCosts } from './scaling/measure-costs.js';
import { printNeeds } from './scaling/print-needs.js';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else if (options.against !== null) await compareBuilds(options, options.against);
  else
    await {
      compare,
      costs: measureCosts,
      gate: measureAuthentication,
      latency: measureLatency,
      needs: printNeeds,
      profile,
      publishing: measurePublishing,
      scale,
    }[options.kind](options);
}

main().catch((error: Error) => {
  logProgress(`bench: ${error.message}`);
  process.exitCode = 1;
});
