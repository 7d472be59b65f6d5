import type { DemoFile } from '../demo/demo-file.js';

/** Lines with the addresses of the APIs, printed at startup. */
export const addressLines = (
  url: string,
  { hasPlayground, metricsUrl }: { hasPlayground: boolean; metricsUrl: string | null },
): string[] => [
  'Posts gateway is ready.',
  '',
  ...(hasPlayground ? [`  Playground  ${url}/playground`, `  Sandbox     ${url}/sandbox`] : []),
  `  GraphQL     ${url}/graphql`,
  `  REST v1     ${url}/v1   (docs: ${url}/docs)`,
  ...(metricsUrl === null ? [] : [`  Metrics     ${metricsUrl}/metrics`]),
];

/** The demo's key and four commands to copy. `postId` is a published post that the key may edit. */
export function demoLines(
  url: string,
  { apiKey, workspaceId, graphqlUrl, restUrl }: DemoFile,
  { demoFile, postId }: { demoFile: string; postId: string },
): string[] {
  const headers = `-H 'Authorization: Bearer-API ${apiKey}' -H 'Service-Workspace-Id: ${workspaceId}'`;
  const json = "-H 'Content-Type: application/json'";
  return [
    `  Demo key    ${apiKey}`,
    `  Workspace   ${workspaceId}`,
    `  More keys   ${demoFile}`,
    '',
    'List posts, over GraphQL:',
    `curl -s ${graphqlUrl} ${headers} ${json} -d '{"query":"{ posts(first: 3) { totalCount nodes { id state network text } } }"}'`,
    '',
    'List posts, over v1:',
    `curl -s '${restUrl}/posts?state=scheduled' ${headers}`,
    '',
    'Update a post that is published:',
    `curl -s -X PUT ${restUrl}/posts/${postId} ${headers} ${json} -d '{"post":{"text":"Edited through the gateway."}}'`,
    '',
    'See it on its network (simulated by the demo):',
    `curl -s ${url}/sandbox/${postId} ${headers}`,
  ];
}
