import { INPUT_REQUESTS, KNOWN_ATTACK_REQUESTS, parseBody } from './attack-corpus.js';
import { openBothServers, type CorpusRequest } from './both-servers.js';
import { openAudits } from './conformance-audits.js';
import { DOCUMENT_REQUESTS } from './document-corpus.js';
import { ENVELOPE_REQUESTS } from './envelope-corpus.js';
import { FILE_REQUESTS, OPERATION_REQUESTS } from './operation-corpus.js';
import { VARIABLE_REQUESTS } from './variable-corpus.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

/**
 * A server with compiled execution and a server without it send the same status, headers and bytes,
 * and log the same. See also same-changes.test.ts.
 */
const servers = forAllTests(() => openBothServers(), 'close');

/**
 * Requests, and how many of them compiled execution and Apollo Server respond to at least. Without
 * these numbers, a comparison of errors only could pass.
 */
const CORPORA: readonly (readonly [
  name: string,
  requests: readonly CorpusRequest[],
  compiled: number,
  apollo: number,
])[] = [
  ['names of operations', ENVELOPE_REQUESTS.operationNames, 24, 140],
  ['extensions', ENVELOPE_REQUESTS.extensions, 32, 82],
  ['bodies that are no request', ENVELOPE_REQUESTS.bodies, 0, 36],
  ['media types', ENVELOPE_REQUESTS.mediaTypes, 70, 140],
  ['methods', ENVELOPE_REQUESTS.methods, 30, 142],
  ['variables', VARIABLE_REQUESTS, 140, 250],
  ['documents with errors', DOCUMENT_REQUESTS, 4, 20],
  ['operations of callers with different rights', OPERATION_REQUESTS, 100, 300],
  ['the documents of the playground and the code generator', FILE_REQUESTS, 35, 150],
  ['known attacks', KNOWN_ATTACK_REQUESTS, 3, 15],
  ['attacks through every argument', INPUT_REQUESTS, 700, 3_000],
];

it.each(CORPORA)('the responses are the same for %s', async (_name, requests, compiled, apollo) => {
  const { counts, differences } = await servers.compareAll(requests);
  expect(differences).toEqual([]);
  expect(counts.compiled).toBeGreaterThanOrEqual(compiled);
  expect(counts.apollo).toBeGreaterThanOrEqual(apollo);
});

it('the responses are the same for the audits of graphql-http, which pass', async () => {
  const counts = { compiled: 0, apollo: 0, neither: 0 };
  const differences: object[] = [];
  const fetchFromBoth: typeof fetch = async (input, init = {}) => {
    const { method = 'GET', body } = init;
    const text = typeof body === 'string' ? body : undefined;
    const headers = new Headers(init.headers);
    const type = headers.get('content-type') ?? undefined;
    const { responder, response, difference } = await servers.compare({
      name: `${method} ${String(input)} ${text}`,
      method,
      search: new URL(String(input)).search,
      headers: { ...Object.fromEntries(headers), 'content-type': type },
      body: parseBody(text),
    });
    counts[responder] += 1;
    if (difference) differences.push(difference);
    // The HTTP layer rejects other types before they reach GraphQL.
    const isRejected = method === 'POST' && !type?.startsWith('application/json');
    return new Response(response.body, {
      status: isRejected ? 415 : response.status,
      headers: response.headers,
    });
  };
  const failed: string[] = [];
  const audits = openAudits(fetchFromBoth);
  for (const { name, fn } of audits) {
    const { status, reason } = await fn();
    if (status !== 'ok') failed.push(`${name}: ${reason}`);
  }
  // An audit that fails may not have sent all its requests.
  expect({ audits: audits.length, failed, differences }).toEqual({
    audits: 61,
    failed: [],
    differences: [],
  });
  expect(counts).toEqual({ compiled: 22, apollo: 29, neither: 10 });
});
