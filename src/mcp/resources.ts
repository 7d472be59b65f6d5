import { assertScopes } from '../domain/access/viewer.js';
import { enumKeys } from '../domain/enums.js';
import { ERRORS, type ErrorCode } from '../domain/errors.js';
import { NETWORKS, type Network } from '../domain/networks/networks.js';
import { STATE_FILTERS } from '../domain/posts/states.js';
import { getPost, rulesOf } from './reading-tools.js';
import type { ToolContext } from './tool.js';
import { adviceFor, describeToolError, TOOL_ERRORS, type ToolErrorCode } from './tool-errors.js';
import { viewerOfCall } from './tools.js';

/** A document that clients can read. */
interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly read: (context: ToolContext) => unknown;
}

const RESOURCES: readonly Resource[] = [
  {
    uri: 'posts://errors',
    name: 'Errors',
    description: 'Codes of errors, and what to do.',
    read: () =>
      [...enumKeys<ErrorCode>(ERRORS), ...enumKeys(TOOL_ERRORS)].map((code: ToolErrorCode) => ({
        code,
        description: describeToolError(code),
        what_to_do: adviceFor(code),
      })),
  },
  {
    uri: 'posts://states',
    name: 'States',
    description: 'States of posts, as search_posts takes them.',
    read: () =>
      Object.entries(STATE_FILTERS).map(([state, { description }]) => ({ state, description })),
  },
  {
    uri: 'posts://openapi',
    name: 'REST v1',
    description: 'The operations of REST v1, and the address of the complete OpenAPI document.',
    read: ({ restApi }) => restApi,
  },
  ...enumKeys<Network>(NETWORKS).map((network) => ({
    uri: `posts://rules/${network}`,
    name: `Rules of ${NETWORKS[network].name}`,
    description: 'Limits of texts and media, posts a day, and what can be changed afterwards.',
    read: ({ services }: ToolContext) => rulesOf(network, services),
  })),
];
const BY_URI: ReadonlyMap<string, Resource> = new Map(
  RESOURCES.map((resource) => [resource.uri, resource]),
);
const POST_URI = /^posts:\/\/post\/(\w{1,100})$/;

/** The resources as lists contain them. */
export const RESOURCE_LIST = RESOURCES.map(({ uri, name, description }) => ({
  uri,
  name,
  description,
  mimeType: 'application/json',
}));

/** The template of posts. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'posts://post/{id}',
    name: 'Post',
    description: 'A post with its full text.',
    mimeType: 'application/json',
  },
];

/** The content of a resource; undefined if there is none. @throws GatewayError, ToolError */
export async function readResource(context: ToolContext, uri: string): Promise<unknown> {
  const resource = BY_URI.get(uri);
  if (resource) return resource.read(context);
  const id = POST_URI.exec(uri)?.[1];
  if (id === undefined) return undefined;
  assertScopes(context.authentication.caller, [['posts:read']]);
  const viewer = await viewerOfCall(context);
  return getPost({
    ...context,
    viewer,
    dryRun: false,
    args: { id, include: ['text', 'media', 'publication'] },
  });
}

/** A task for which clients have the text ready. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  readonly text: (args: Readonly<Record<string, string>>) => string;
}

/** The prompts. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'plan_week',
    title: 'Plan a week',
    description: 'Drafts for the next seven days.',
    arguments: [],
    text: () =>
      'Plan posts for the next seven days. Call get_context and list_accounts, read what is planned with search_posts, and ask me for topics. Create drafts with create_posts at free times, and show me the list. Schedule them only after I agree.',
  },
  {
    name: 'review_queue',
    title: 'Review what waits for approval',
    description: 'Posts that wait for approval, one after the other.',
    arguments: [],
    text: () =>
      'List the posts that wait for approval with search_posts (states scheduled_pending). Show each with its account, time and full text, and ask me to approve or decline it. Use review_posts with the version that I saw, and a note if I decline.',
  },
  {
    name: 'why_failed',
    title: 'Why did a post fail?',
    description: 'The reason, and what to do.',
    arguments: [{ name: 'id', required: true }],
    text: ({ id = '' }) =>
      `Read the post ${id} with get_post (include publication, history and actions). Tell me why it was not published and what I can do. Do not retry it before I agree.`,
  },
];
