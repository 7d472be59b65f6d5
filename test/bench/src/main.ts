import { compare } from './compare.js';
import { gate } from './gate.js';
import { readOptions, USAGE } from './options.js';
import { profile } from './profile.js';
import { tell } from './progress.js';
import { scale } from './scale.js';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else await { compare, gate, profile, scale }[options.kind](options);
}

main().catch((error: Error) => {
  tell(`bench: ${error.message}`);
  process.exitCode = 1;
});
