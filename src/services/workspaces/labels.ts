import { hasPostActions, toActor, type Viewer } from '../../domain/access/viewer.js';
import { EMPTY_CHANGE } from '../../domain/changes/change.js';
import type { Refusal } from '../../domain/errors.js';
import { byLabelName, type Label } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostStore } from '../../persistence/posts/post-store.js';
import type { LabelStore } from '../../persistence/workspaces/label-store.js';
import type { WorkspaceRecordStore } from '../../persistence/workspaces/workspace-record-store.js';
import { refusedBy, saveChange, type Refused } from '../changes/run-change.js';
import type { Clock } from '../clock.js';

/** A label after a change, or as it would be (dry run); of a deletion, the label before it. */
export type LabelOutcome = { readonly kind: 'done'; readonly label: Label } | Refused;

/** A change of one label. */
interface LabelRequest {
  readonly id: string;
  readonly dryRun: boolean;
}

/** The labels of a workspace, which posts create (D20). */
export interface Labels {
  /** Renames or recolors a label. Absent values are kept. */
  update(
    viewer: Viewer,
    request: LabelRequest & { readonly name?: string; readonly color?: string },
  ): Promise<LabelOutcome>;
  /** Gives the posts of a label another one instead, and deletes it. The outcome is the other. */
  merge(viewer: Viewer, request: LabelRequest & { readonly intoId: string }): Promise<LabelOutcome>;
  /** Removes a label from its posts, and deletes it. */
  delete(viewer: Viewer, request: LabelRequest): Promise<LabelOutcome>;
}

interface LabelDependencies {
  readonly labels: LabelStore;
  readonly store: Pick<PostStore, 'save' | 'postsWithLabel'>;
  readonly workspaceRecords: Pick<WorkspaceRecordStore, 'labelsById'>;
  readonly clock: Clock;
}

const refuse = (path: string, message: string, code: Refusal['code'] = 'RULE_VIOLATION'): Refused =>
  refusedBy({ code, message, path: path === '' ? [] : [path], rule: 'D20' });

const unknownLabel = (path: string): Refused =>
  refuse(path, `${path}: no label of this workspace has this ID.`);

/** Posts changed in one transaction: few, so that their rows are not locked for long. */
const BATCH = 100;

/**
 * Replaces a label on all posts that have it: each gets a new version, as with an update of its
 * labels. In batches; an interrupted change goes on when it is repeated.
 */
async function replaceOnPosts(
  { store, clock }: LabelDependencies,
  viewer: Viewer,
  { id, by }: { readonly id: string; readonly by: Label | null },
): Promise<void> {
  const labelsOf = ({ labels }: Post): Label[] =>
    [...labels.filter((label) => label.id !== id && label.id !== by?.id), ...(by ? [by] : [])].sort(
      byLabelName,
    );
  for (;;) {
    const count = await saveChange(store.save, async () => {
      const posts = await store.postsWithLabel(id, BATCH);
      const at = clock.now();
      const change = {
        ...EMPTY_CHANGE,
        workspaceId: viewer.workspace.id,
        actor: toActor(viewer),
        at,
        posts: posts.map((before) => ({
          kind: 'update' as const,
          before,
          after: {
            ...before,
            labels: labelsOf(before),
            version: before.version + 1,
            updatedAt: at,
          },
          changed: ['labels' as const],
          slots: null,
        })),
      };
      return { outcome: posts.length, ...(posts.length > 0 && { change }) };
    });
    if (count === 0) return;
  }
}

/** Creates the use cases of labels. */
export function createLabels(dependencies: LabelDependencies): Labels {
  const { labels, workspaceRecords, clock } = dependencies;

  /** The label, or why the viewer cannot change it. */
  async function find(viewer: Viewer, id: string, path: string): Promise<Label | Refused> {
    if (!hasPostActions(viewer))
      return refuse(
        '',
        'Changing labels requires post-action access, which your membership does not have.',
        'FORBIDDEN',
      );
    return (await workspaceRecords.labelsById(viewer, [id])).get(id) ?? unknownLabel(path);
  }

  async function remove(viewer: Viewer, id: string, by: Label | null): Promise<void> {
    let isLeft = true;
    while (isLeft) {
      await replaceOnPosts(dependencies, viewer, { id, by });
      // A post may have got the label since.
      const isDeleted = await labels.delete({ viewer, at: clock.now() }, id);
      isLeft = !isDeleted && (await isThere(viewer, id));
    }
  }
  const isThere = async (viewer: Viewer, id: string): Promise<boolean> =>
    (await workspaceRecords.labelsById(viewer, [id])).size > 0;

  return {
    async update(viewer, { id, name, color, dryRun }) {
      const label = await find(viewer, id, 'id');
      if ('kind' in label) return label;
      const after = { ...label, ...(name && { name: name.trim() }), ...(color && { color }) };
      const taken = refuse(
        'name',
        `Another label of this workspace has the name ${after.name}. Merge the labels instead.`,
      );
      if (await labels.isTaken(viewer.workspace.id, after)) return taken;
      const isSame = after.name === label.name && after.color === label.color;
      if (!dryRun && !isSame && !(await labels.update({ viewer, at: clock.now() }, after)))
        return (await isThere(viewer, id)) ? taken : unknownLabel('id');
      return { kind: 'done', label: after };
    },

    async merge(viewer, { id, intoId, dryRun }) {
      const label = await find(viewer, id, 'id');
      if ('kind' in label) return label;
      const into = await find(viewer, intoId, 'intoId');
      if ('kind' in into) return into;
      if (into.id === label.id)
        return refuse(
          'intoId',
          'A label cannot be merged into itself. Send the ID of another label.',
        );
      if (!dryRun) await remove(viewer, id, into);
      return { kind: 'done', label: into };
    },

    async delete(viewer, { id, dryRun }) {
      const label = await find(viewer, id, 'id');
      if ('kind' in label) return label;
      if (!dryRun) await remove(viewer, id, null);
      return { kind: 'done', label };
    },
  };
}
