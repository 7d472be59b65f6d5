import { GRAPHQL_INPUTS } from '../../attack/all-inputs.js';
import { KNOWN_ATTACKS } from '../../attack/known-attacks.js';
import { OWN_POST_IDS } from '../../attack/own-posts.js';
import type { CorpusRequest } from './both-servers.js';
import { show } from './corpus-requests.js';

/** A body as the server gets it; the text itself if it is no JSON, which the HTTP layer rejects. */
export function parseBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The attacks of graphql-cop and the OWASP cheat sheet. */
export const KNOWN_ATTACK_REQUESTS: readonly CorpusRequest[] = KNOWN_ATTACKS.map(
  ({ source, name, request: { headers = {}, body, ...request } }) => ({
    ...request,
    name: `${source}: ${name}`,
    headers: Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]),
    ),
    body: parseBody(body),
  }),
);

/** Code, wrong types, and a post of the caller. */
const PAYLOADS = [
  "x9q7z'; DROP TABLE post; --",
  'x9q7z\n{"level":60,"msg":"forged"}\u001b[2J\u2028<script>',
  '__proto__',
  null,
  {},
  OWN_POST_IDS.post,
];

/** Without those of uploads: each gets another address. */
const INPUTS = GRAPHQL_INPUTS.filter(({ name }) => !name.startsWith('Mutation.createMediaUpload.'));

/** Selects only errors in the payload of a mutation: with whole posts, it is not compiled. */
const withShortPayload = (query: string): string =>
  query.replace(
    /\(input: \$value\) \{.*$/s,
    '(input: $value) { userErrors { code field message rule postId } clientMutationId } }',
  );

/**
 * Every argument of every field, and every field inside one, with payloads. Mutations are dry runs,
 * or refused.
 */
export const INPUT_REQUESTS: readonly CorpusRequest[] = INPUTS.flatMap((input) =>
  PAYLOADS.flatMap((payload, index) => {
    const short = input.isMutation ? [withShortPayload(input.query)] : [];
    // Whole posts take long: once for each input of a mutation.
    const whole = index === 0 || !input.isMutation ? [input.query] : [];
    return [...whole, ...short].map((query) => ({
      name: `${input.name} = ${show(payload)}`,
      body: { query, variables: { value: input.toVariable(payload) } },
    }));
  }),
);
