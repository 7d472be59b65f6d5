import type { ErrorCode } from '../../src/domain/errors.js';
import { PATCH_FIELDS, type PatchField } from '../../src/domain/posts/post-fields.js';
import type { TestGateway } from '../fixtures/gateway.js';
import type { DemoCaller } from './matrix-gateway.js';

interface Editability {
  readonly field: PatchField;
  readonly allowed: boolean;
  readonly reason: string | null;
  readonly rule: string | null;
  readonly maxLength: number | null;
  readonly appliesTo: 'SERVICE' | 'SERVICE_AND_NETWORK';
}
interface Deletability {
  readonly allowed: boolean;
  readonly code: ErrorCode | null;
  readonly reason: string | null;
}
/** An action; allowed, done (without a code) or refused. */
interface ActionRight {
  readonly action: string;
  readonly allowed: boolean;
  readonly code: ErrorCode | null;
  readonly reason: string | null;
}

/** What the post itself says about changes, or why the caller cannot read the post. */
export type Rights =
  | {
      readonly kind: 'readable';
      readonly editability: ReadonlyMap<PatchField, Editability>;
      readonly deletability: Deletability;
      readonly unpublish: ActionRight;
    }
  | { readonly kind: 'unreadable'; readonly code: ErrorCode; readonly message: string };

const QUERY = `query Rights($id: ID!) { post(id: $id) {
  editability { field allowed reason rule maxLength appliesTo }
  deletability { allowed code reason }
  actions { action allowed code reason }
} }`;

/** Creates a reader of `editability`, `deletability` and `actions`, which asks once for each ID. */
export function createRightsReader({ graphql }: TestGateway) {
  const known = new Map<string, Promise<Rights>>();

  async function read({ viewer }: DemoCaller, id: string): Promise<Rights> {
    const { apiKey: key, workspace } = viewer;
    const { body } = await graphql(QUERY, { id }, { key, workspace: workspace.id });
    if (body.errors) {
      const [{ message, extensions }] = body.errors;
      return { kind: 'unreadable', code: extensions.code, message };
    }
    const { editability, deletability, actions } = body.data.post;
    const byField = new Map<PatchField, Editability>(
      editability.map((entry: Editability) => [entry.field, entry]),
    );
    expect([...byField.keys()]).toEqual(PATCH_FIELDS);
    const unpublish = actions.find(({ action }: ActionRight) => action === 'UNPUBLISH');
    return { kind: 'readable', editability: byField, deletability, unpublish };
  }

  return (caller: DemoCaller, id: string): Promise<Rights> => {
    const name = `${caller.workspaceName} ${caller.keyName} ${id}`;
    const rights = known.get(name) ?? read(caller, id);
    known.set(name, rights);
    return rights;
  };
}
/** Reads what a post says about changes by a caller. */
export type RightsReader = ReturnType<typeof createRightsReader>;
