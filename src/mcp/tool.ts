import { createHash } from 'node:crypto';
import type { Scope, Viewer } from '../domain/access/viewer.js';
import { canonicalJson } from '../domain/changes/merge-patch.js';
import type { Problem } from '../domain/errors.js';
import {
  described,
  objectReader,
  RECORD_ID,
  readBody,
  type BodyReader,
} from '../http/body-readers.js';
import type { JsonSchema } from '../http/json-schema.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import { ToolError, toArgumentPath, toolFailure, toToolMessage } from './tool-errors.js';

/** What every call of a tool has. */
export interface ToolContext {
  readonly services: Services;
  readonly clock: Clock;
  readonly authentication: Authentication;
  /** The API key as it was sent. It signs confirmations, so that every gateway can check them. */
  readonly apiKey: string;
  /** Whether calls that cannot be taken back need a confirmation. */
  readonly confirms: boolean;
  /** REST v1, for the resource that lists it. */
  readonly restApi: RestApi;
}

/** What agents are told of REST v1. */
interface RestApi {
  /** Path of the OpenAPI document. */
  readonly document: string;
  readonly operations: readonly {
    readonly method: string;
    readonly path: string;
    readonly summary: string;
  }[];
}

/** A call of a tool. */
export interface ToolCall<Args> extends ToolContext {
  readonly args: Args;
  /** The member in the workspace of the call. */
  readonly viewer: Viewer;
  /** Whether nothing may be changed: the call is a preview. */
  readonly dryRun: boolean;
}

/** What a tool does, for clients that ask a person before some calls. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether it has an effect outside the gateway. */
  readonly openWorldHint: boolean;
}

const hints = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): ToolHints => ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });
/** The kinds of tools. */
export const HINTS = {
  reads: hints(true, false, true, false),
  writes: hints(false, false, true, false),
  writesOnNetworks: hints(false, false, true, true),
  resolves: hints(false, true, true, false),
  destroys: hints(false, true, true, true),
} as const satisfies Readonly<Record<string, ToolHints>>;

/** What a tool answers. */
export type ToolAnswer = Readonly<Record<string, unknown>>;

/** A tool. Its arguments are read before it runs. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Required scopes: one of the lists must be granted completely. */
  readonly scopes: readonly (readonly Scope[])[];
  readonly hints: ToolHints;
  readonly needsWorkspace: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** Arguments of a call, for the reference page. */
  readonly example: Readonly<Record<string, unknown>>;
  /** @throws ToolError BAD_USER_INPUT */
  read(args: unknown): object;
  /** @throws ToolError, GatewayError */
  run(call: ToolCall<never>): Promise<ToolAnswer>;
  /** What a person is asked before the call; null if it needs no confirmation. */
  readonly question?: (args: never) => string | null;
  /** Whether the tool can be previewed: it changes posts. */
  readonly isPreviewed: boolean;
}

type Readers<Args> = {
  readonly [K in keyof Args]-?: BodyReader<Exclude<Args[K], null | undefined>>;
};

interface ToolDefinition<Args extends object> extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'hints' | 'example'
> {
  readonly scopes?: Tool['scopes'];
  readonly needsWorkspace?: boolean;
  readonly input: Readers<Args>;
  readonly required?: readonly (keyof Args & string)[];
  /** Problems of arguments together, which their readers do not see. */
  readonly findProblems?: (args: Args) => readonly Problem[];
  /** Keys of the answer with their schemas. */
  readonly output: Readonly<Record<string, JsonSchema>>;
  readonly run: (call: ToolCall<Args>) => Promise<ToolAnswer>;
  readonly question?: (args: Args) => string | null;
  readonly isPreviewed?: boolean;
}

const WORKSPACE_ID = described('Only if you have several workspaces.', RECORD_ID);
const ERROR: JsonSchema = { type: 'object' };

/** Arguments that readers refused, as one error that names the first. */
function malformed(problems: readonly Problem[]): ToolError {
  const [first] = problems;
  const messages = problems
    .slice(0, 5)
    .map(
      ({ path, message }) =>
        `${toArgumentPath(path) || 'arguments'} ${toToolMessage(message).replace(/\.$/, '')}`,
    );
  return new ToolError(
    toolFailure('BAD_USER_INPUT', `${messages.join('; ')}.`, {
      field: toArgumentPath(first!.path),
    }),
  );
}

/** Defines a tool. The schemas are those of its readers. */
export function defineTool<Args extends object>({
  input,
  required = [],
  output,
  scopes = [['posts:read']],
  needsWorkspace = true,
  isPreviewed = false,
  findProblems,
  ...tool
}: ToolDefinition<Args>): Tool {
  const keys = needsWorkspace ? { ...input, workspace_id: WORKSPACE_ID } : input;
  const reader = objectReader(keys as never, required as never) as BodyReader<Args>;
  return {
    ...(tool as unknown as Pick<Tool, 'name' | 'title' | 'description' | 'hints' | 'example'>),
    run: tool.run as Tool['run'],
    ...(tool.question && { question: tool.question as Tool['question'] & {} }),
    scopes,
    needsWorkspace,
    isPreviewed,
    inputSchema: reader.schema,
    outputSchema: { type: 'object', properties: { ...output, error: ERROR } },
    read(args) {
      const { value, problems } = readBody(reader, args ?? {});
      if (!value) throw malformed(problems);
      const found = findProblems?.(value) ?? [];
      if (found.length > 0) throw malformed(found);
      return value;
    },
  };
}

/** The key of a call that has none: the same call within ten minutes is a repeat (D93). */
export const derivedKey = ({ authentication }: ToolContext, tool: string, args: object): string =>
  createHash('sha256')
    .update(canonicalJson([authentication.caller.key.id, tool, args]))
    .digest('base64url');
