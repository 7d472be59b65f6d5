import { enumKeys } from '../../domain/enums.js';
import type { Problem } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import { objectOf, ref } from '../bodies/json-schema.js';
import type { BodyReader } from '../requests/body-object-reader.js';
import type { ReadContent } from './content-reader.js';
import type { NetworksInput } from './creation-input.js';

/** Other names of networks in known clients. */
const NETWORK_ALIASES: Readonly<Record<string, Network>> = {
  wordpress_oauth: 'wordpress',
  wordpress_basic: 'wordpress',
};
/** The network of each key of `networks`; null for the content of all others. */
const NETWORK_KEYS: ReadonlyMap<string, Network | null> = new Map([
  ['default', null],
  ...enumKeys<Network>(NETWORKS).map((network) => [network, network] as const),
  ...Object.entries(NETWORK_ALIASES),
]);

/** A content needs a type, unless the one for all networks has it. */
function findMissingTypes(networks: Record<string, unknown>, path: Problem['path']): Problem[] {
  const hasType = (content: unknown): boolean => !isJsonObject(content) || content.type != null;
  if (networks.default != null)
    return hasType(networks.default)
      ? []
      : [{ path: [...path, 'default', 'type'], message: 'required' }];
  return Object.keys(networks)
    .filter((key) => !hasType(networks[key]))
    .map((key) => ({ path: [...path, key, 'type'], message: 'required, unless default has it' }));
}

/** Reads the contents of an entry by network. */
export const networksReader = (readContent: ReadContent): BodyReader<NetworksInput> => ({
  schema: {
    ...objectOf(
      Object.fromEntries(
        [...NETWORK_KEYS].map(([key, network]) => [
          key,
          ref(network === 'youtube' ? 'VideoContent' : 'PostContent'),
        ]),
      ),
      [...NETWORK_KEYS.keys()],
    ),
    minProperties: 1,
  },
  read(value, path, problems) {
    if (!isJsonObject(value) || Object.keys(value).length === 0) {
      problems.push({ path, message: 'must be an object with a content for a network or default' });
      return undefined;
    }
    let common: PostPatch = {};
    const variants = new Map<Network, PostPatch>();
    for (const [key, content] of Object.entries(value)) {
      const network = NETWORK_KEYS.get(key);
      const at = [...path, key];
      if (network === undefined) {
        const allowed = [...NETWORK_KEYS.keys()].join(', ');
        problems.push({ path: at, message: `unknown key; allowed: ${allowed}` });
        continue;
      }
      const patch = readContent(network)(content, at, problems) ?? {};
      if (network === null) common = patch;
      else if (variants.has(network))
        problems.push({ path: at, message: `${network} has an earlier content: send one` });
      else variants.set(network, patch);
    }
    problems.push(...findMissingTypes(value, path));
    return { common, variants };
  },
});
