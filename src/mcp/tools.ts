import { assertScopes, missingScopes, type Caller, type Viewer } from '../domain/access/viewer.js';
import { GatewayError } from '../domain/errors.js';
import { jsonObject } from '../domain/input/readers.js';
import { readPostId, type Post } from '../domain/posts/post.js';
import type { PostView } from '../domain/posts/post-query.js';
import { choice, described } from '../http/body-readers.js';
import { createConfirmation, isConfirmation, type Confirmed } from './confirmation.js';
import { MEDIA_TOOLS } from './media-tools.js';
import { excerpt } from './post-views.js';
import { READING_TOOLS } from './reading-tools.js';
import {
  defineTool,
  HINTS,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  type ToolContext,
} from './tool.js';
import { gatewayFailure, ToolError, toolFailure } from './tool-errors.js';
import { presentTime } from './tool-times.js';
import { WRITING_TOOLS } from './writing-tools.js';

type Call = ToolCall<Readonly<Record<string, unknown>>>;

const PREVIEWED: ReadonlyMap<string, Tool> = new Map(
  WRITING_TOOLS.filter(({ isPreviewed }) => isPreviewed).map((tool) => [tool.name, tool]),
);

const CONFIRMED_FIELDS: ReadonlySet<keyof Post> = new Set(['version', 'text']);

/** The posts of a call as they are; null for those that the caller does not see. */
const confirmedPosts = ({ args, viewer, services }: Call): Promise<(PostView | null)[]> =>
  Promise.all(
    (Array.isArray(args.ids) ? (args.ids as string[]) : []).map(async (id) => {
      const postId = readPostId(id);
      const lookup = postId && (await services.visiblePosts.find(viewer, postId, CONFIRMED_FIELDS));
      return lookup?.kind === 'found' ? lookup.post : null;
    }),
  );

/** What a confirmation of the call is for: another call, or changed posts, need another one. */
function confirmedBy(
  tool: Tool,
  { args, viewer }: Call,
  posts: readonly (PostView | null)[],
): Confirmed {
  const { confirm_token: _token, workspace_id: _workspace, ...rest } = args;
  return [tool.name, viewer.workspace.id, rest, posts.map((post) => post?.version ?? null)];
}

const questionOf = (tool: Tool, { confirms, args }: Call): string | null =>
  confirms ? (tool.question?.(args as never) ?? null) : null;

/** Code points of the text of each post in a question. */
const ASKED_TEXT = 100;

/** What the call would do, and with what it is confirmed. */
async function previewOf(tool: Tool, call: Call): Promise<ToolAnswer> {
  const answer = await tool.run({ ...call, dryRun: true } as never);
  const question = questionOf(tool, call);
  if (question === null) return answer;
  const { apiKey, clock, viewer, args } = call;
  const posts = await confirmedPosts(call);
  const { token, expiresAt } = createConfirmation(
    apiKey,
    confirmedBy(tool, call, posts),
    clock.now(),
  );
  const texts = [args.text, ...posts.map((post) => post?.text)].flatMap((text) =>
    typeof text === 'string' ? [excerpt(text, ASKED_TEXT).text] : [],
  );
  return {
    ...answer,
    question: [question, ...texts].join('\n'),
    confirm_token: token,
    expires_at: presentTime(expiresAt, viewer.workspace.timeZone),
  };
}

async function isConfirmedCall(tool: Tool, call: Call): Promise<boolean> {
  const { args, apiKey, clock } = call;
  const token = args.confirm_token;
  if (typeof token !== 'string') return false;
  const confirmed = confirmedBy(tool, call, await confirmedPosts(call));
  return isConfirmation(token, { apiKey, confirmed, now: clock.now() });
}

/** Runs a call, or answers what it would do if it has to be confirmed first. */
async function runConfirmed(tool: Tool, call: Call): Promise<ToolAnswer> {
  if (questionOf(tool, call) === null || (await isConfirmedCall(tool, call)))
    return tool.run(call as never);
  const { confirm_token: token, expires_at: expiresAt, ...preview } = await previewOf(tool, call);
  throw new ToolError(
    toolFailure(
      'CONFIRMATION_REQUIRED',
      `Nothing was changed. ${tool.name} cannot be taken back: a person has to see the preview first.`,
    ),
    { preview, confirm_token: token, expires_at: expiresAt },
  );
}

interface PreviewArguments {
  tool: string;
  arguments: Record<string, unknown>;
}
const PREVIEW = defineTool<PreviewArguments>({
  name: 'preview',
  title: 'Preview a change',
  description: 'What a call of another tool would do. Nothing is changed.',
  scopes: [['posts:read', 'posts:write']],
  hints: HINTS.reads,
  input: {
    tool: choice([...PREVIEWED.keys()]),
    arguments: described('Its arguments.', { schema: { type: 'object' }, read: jsonObject }),
  },
  required: ['tool', 'arguments'],
  output: {
    results: { type: 'array', items: { type: 'object' } },
    post: { type: 'object' },
    question: { type: 'string' },
    confirm_token: { type: 'string' },
    expires_at: { type: 'object' },
  },
  example: { tool: 'delete_posts', arguments: { ids: ['66f1a2b3c4d5e6f708192a3b'] } },
  run: async (call) => {
    const tool = PREVIEWED.get(call.args.tool)!;
    const args = tool.read(call.args.arguments) as Call['args'];
    return { nothing_was_changed: true, ...(await previewOf(tool, { ...call, args })) };
  },
});

/** All tools. Models read the list from the top. */
export const TOOLS: readonly Tool[] = [...READING_TOOLS, PREVIEW, ...WRITING_TOOLS, ...MEDIA_TOOLS];
const TOOL_BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Whether there is a tool of this name, also one that a key may not use. */
export const isToolName = (name: string): boolean => TOOL_BY_NAME.has(name);

/** The tools that a key may use. */
export const toolsOf = (caller: Caller): readonly Tool[] =>
  TOOLS.filter(({ scopes }) => missingScopes(caller.key.scopes, scopes).length === 0);

/** The member in the only workspace of the caller. @throws ToolError MISSING_WORKSPACE */
async function viewerInOnlyWorkspace({
  services,
  authentication: { caller },
}: ToolContext): Promise<Viewer> {
  const { workspaceRecords } = services;
  const workspaces = await workspaceRecords.workspacesOf(caller.user.id);
  const [workspace] = workspaces;
  if (!workspace || workspaces.length > 1) {
    const isListed = caller.key.scopes.includes('workspaces');
    const list = workspaces.slice(0, 25).map(({ id, name }) => `${id} (${name.slice(0, 60)})`);
    throw new ToolError(
      toolFailure(
        'MISSING_WORKSPACE',
        `You have ${workspaces.length} workspaces. Send workspace_id${isListed ? `: ${list.join(', ')}` : ''}.`,
        { field: 'workspace_id' },
      ),
    );
  }
  const members = (await workspaceRecords.membersOf([workspace.id])).get(workspace.id) ?? [];
  const member = members.find(({ user }) => user.id === caller.user.id);
  if (!member) throw new GatewayError('NOT_A_MEMBER');
  const { role, postActions } = member;
  return { ...caller, workspace, role, postActions, api: 'mcp' };
}

/** The member who makes the call. @throws ToolError, GatewayError NOT_A_MEMBER */
export async function viewerOfCall(context: ToolContext): Promise<Viewer> {
  const { workspace } = context.authentication;
  if (workspace.kind === 'member') return workspace.viewer;
  if (workspace.kind === 'non_member') throw new GatewayError('NOT_A_MEMBER');
  return viewerInOnlyWorkspace(context);
}

/** What a call returns: an answer, or an error with what belongs to it. */
export interface ToolOutcome {
  readonly isError: boolean;
  readonly answer: ToolAnswer;
}

/** What was thrown by a call as its outcome; other errors are thrown again. */
export function failedCall(error: unknown): ToolOutcome {
  if (error instanceof ToolError)
    return { isError: true, answer: { ...error.more, error: error.failure } };
  if (error instanceof GatewayError)
    return { isError: true, answer: { error: gatewayFailure(error) } };
  throw error;
}

/** Calls a tool, by a name that exists. Its errors are part of the outcome; others are thrown. */
export async function callTool(
  context: ToolContext,
  { name, args }: { readonly name: string; readonly args: unknown },
): Promise<ToolOutcome> {
  try {
    const tool = TOOL_BY_NAME.get(name)!;
    assertScopes(context.authentication.caller, tool.scopes);
    const read = tool.read(args) as Call['args'];
    // A tool without a workspace does not read the viewer.
    const viewer = tool.needsWorkspace ? await viewerOfCall(context) : (null as never);
    const answer = await runConfirmed(tool, { ...context, viewer, args: read, dryRun: false });
    return { isError: false, answer };
  } catch (error) {
    return failedCall(error);
  }
}
