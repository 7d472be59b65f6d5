import { imports, layerOf, readText, sources } from './source-files.js';

/**
 * The modules that turn an error into a response: one per API, and what both share. With the files
 * that may import values of theirs: everything else throws, or returns refusals.
 */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  'src/http/errors.ts': [
    'src/graphql/errors.ts',
    'src/http/app.ts',
    'src/mcp/mcp-handler.ts',
    'src/rest/errors.ts',
  ],
  'src/graphql/errors.ts': [
    'src/composition/telemetry.ts',
    'src/graphql/apollo-server.ts',
    'src/graphql/server.ts',
    'src/graphql/subscription/result-stream.ts',
  ],
  'src/rest/errors.ts': [
    'src/composition/telemetry.ts',
    'src/rest/calendar-feeds.ts',
    'src/rest/connections/connection-routes.ts',
    'src/rest/labels.ts',
    'src/rest/media/media-files.ts',
    'src/rest/media/media-routes.ts',
    'src/rest/posting-schedules.ts',
    'src/rest/posts/create-posts.ts',
    'src/rest/posts/delete-posts.ts',
    'src/rest/posts/post-actions.ts',
    'src/rest/posts/update-post.ts',
    'src/rest/webhooks/webhook-routes.ts',
  ],
};
const API_LAYERS = ['http', 'graphql', 'rest'];
/** Files that contain the status of an error, with the reason. */
const STATUS_READERS: Readonly<Record<string, string>> = {
  'src/http/app.ts': 'a failed readiness check is no error of a request',
  'src/http/errors.ts': 'the status table of both APIs',
  'src/http/malformed-requests.ts': 'what is no request has a status of its own',
  'src/graphql/schema/enums.ts': 'describes the statuses of error codes',
  'src/graphql/errors.ts': 'statuses that only GraphQL over HTTP has',
  'src/rest/media/media-files.ts': 'a range that a file does not have is no error',
  'src/rest/openapi/openapi-responses.ts': 'describes the statuses and headers of errors',
  'src/rest/router.ts': 'recognizes an error of Express by its status',
};

const apiSources = sources.filter((file) => API_LAYERS.includes(layerOf(file)!));
const filesWith = (pattern: RegExp): string[] =>
  apiSources.filter((file) => pattern.test(readText(file))).sort();

it.each(Object.entries(MODULES))('%s is imported only by %j', (module, importers) => {
  const found = imports.filter(({ target, isType }) => target === module && !isType);
  expect(found.map(({ file }) => file).sort()).toEqual(importers);
});

it('only these modules know the status of an error', () => {
  const fromTable = /\bERRORS[\w.[\]]*\.status\b|map\(\(\{ status \}\) => status\)/;
  const literal = /\b(status|statusCode)\b[^\n]{0,20}[:=(,?] ?[45]\d\d\b|\{ status,? \} = ERRORS/;
  expect([...new Set([...filesWith(fromTable), ...filesWith(literal)])].sort()).toEqual(
    Object.keys(STATUS_READERS).sort(),
  );
});

it('only these modules write the body of an error', () => {
  const graphqlBody = /\bextensions: \{ code\b|\bnew GraphQLError\(|JSON\.stringify\(\{\s*errors\b/;
  const restBody = /\bbody: \{ (errors|error)\b/;
  expect(filesWith(graphqlBody)).toEqual(['src/graphql/errors.ts']);
  expect(filesWith(restBody)).toEqual(['src/rest/errors.ts']);
});

it('only these modules and the request window set Retry-After and WWW-Authenticate', () => {
  expect(filesWith(/'(Retry-After|WWW-Authenticate)'/)).toEqual([
    'src/http/authentication/authenticator.ts', // Retry-After of the rate limit
    'src/http/errors.ts',
    'src/rest/openapi/openapi-responses.ts',
  ]);
});
