import type { TestGateway } from '../fixtures/gateway.js';
import { each } from '../parity/api.js';
import type { DemoCaller } from './matrix-gateway.js';

/** A policy of GraphQL, or REST v1, which has none. */
export type DeletionWay = 'SKIP_REFUSED' | 'ALL_OR_NOTHING' | 'rest';

/** The answer about one post; `message` is null if it is deleted. */
interface DeletionResult {
  readonly id: string;
  /** Null if the post is deleted. v1 tells only that there is one. */
  readonly code: string | null;
  readonly message: string | null;
}

/** The answer of either API. */
export interface DeletionAnswer {
  /** If the request as a whole is refused, the code and the message. */
  readonly error: string | null;
  readonly results: readonly DeletionResult[];
}

interface Deletion {
  readonly ids: readonly string[];
  readonly way: DeletionWay;
  readonly dryRun: boolean;
}

const MUTATION = `mutation Delete($input: DeletePostsInput!) { deletePosts(input: $input) {
  deletedIds results { id deleted code message } userErrors { code message }
} }`;

/** Creates a client that deletes posts through either API. */
export function createDeletionClient({ graphql, v1 }: TestGateway) {
  async function throughGraphql({ viewer }: DemoCaller, { ids, way, dryRun }: Deletion) {
    const { body } = await graphql(
      MUTATION,
      { input: { ids, policy: way, dryRun } },
      { key: viewer.apiKey, workspace: viewer.workspace.id },
    );
    if (body.errors) {
      const [{ message, extensions }] = body.errors;
      return { error: `${extensions.code} ${message}`, results: [] };
    }
    const { results, deletedIds } = body.data.deletePosts;
    const deleted = results.filter((result: { deleted: boolean }) => result.deleted);
    expect(deletedIds).toEqual(deleted.map(({ id }: DeletionResult) => id));
    return { error: null, results };
  }

  async function throughV1({ viewer }: DemoCaller, { ids, dryRun }: Deletion) {
    const params = new URLSearchParams([
      ...each('post_ids[]', ids),
      ...each('dry_run', [String(dryRun)]),
    ]);
    const { status, body } = await v1('DELETE', `/posts?${params}`, {
      key: viewer.apiKey,
      workspace: viewer.workspace.id,
    });
    const refused = (id: string, message: string) => ({ id, code: 'refused', message });
    if (status === 200)
      return {
        error: null,
        results: [
          ...body.deleted_ids.map((id: string) => ({ id, code: null, message: null })),
          ...Object.entries<string[]>(body.failures ?? {}).map(([id, [message]]) =>
            refused(id, message!),
          ),
        ],
      };
    const errors = body.errors as string[];
    const isEach = errors.every((error, index) => error.startsWith(`${ids[index]}: `));
    return isEach
      ? {
          error: null,
          results: errors.map((error, index) =>
            refused(ids[index]!, error.slice(`${ids[index]}: `.length)),
          ),
        }
      : { error: `${body.code} ${errors[0]}`, results: [] };
  }

  return (caller: DemoCaller, deletion: Deletion): Promise<DeletionAnswer> =>
    deletion.way === 'rest' ? throughV1(caller, deletion) : throughGraphql(caller, deletion);
}
