import type pg from 'pg';
import type { Account, Label, UserSummary } from '../../domain/posts/post.js';
import { lanesOf } from '../pipelined-connections.js';
import { run } from '../sql.js';

/** The accounts, people and labels that posts lead to, by their ids; null for one that is gone. */
export interface References {
  readonly accounts: Map<string, Account | null>;
  readonly users: Map<string, UserSummary | null>;
  readonly labels: Map<string, Label | null>;
}
type Kind = keyof References;
const KINDS = ['accounts', 'users', 'labels'] as const satisfies readonly Kind[];

/** The ids that the posts of an answer lead to; one may stand there several times. */
export type Wanted = Readonly<Record<Kind, readonly string[]>>;

const ROWS = `SELECT (SELECT w.reference_epoch::text || e.epoch::text FROM workspace w, user_epoch e WHERE w.id = $1) AS epoch,
  (SELECT json_agg(json_build_object('id', id, 'type', type, 'name', name, 'picture', picture, 'network', network, 'socialId', social_id, 'needsReauth', needs_reauth, 'sandbox', sandbox))
     FROM account WHERE id = ANY($2::text[])) AS accounts,
  (SELECT json_agg(json_build_object('id', id, 'name', name, 'picture', picture)) FROM app_user WHERE id = ANY($3::text[])) AS users,
  (SELECT json_agg(json_build_object('id', id, 'name', name, 'color', color)) FROM label WHERE id = ANY($4::text[])) AS labels`;

interface ReadRows {
  readonly epoch: string;
  readonly accounts: Account[] | null;
  readonly users: UserSummary[] | null;
  readonly labels: Label[] | null;
}
interface Kept extends References {
  readonly epoch: string;
}

/** Some hundred bytes each. Workspaces whose were read longest ago are forgotten first. */
const MOST_KEPT = 50_000;

/**
 * Accounts, people and labels, remembered by this process so that the pages of a list need not read them again and again.
 *
 * Why nothing of it is ever stale: whoever changes one of them begins a new epoch in the same transaction (triggers see to
 * that), and a statement that reads posts reads the epoch with them. What is remembered counts only in the epoch that the
 * statement saw; it was read together with its epoch too.
 */
export interface ReferenceRows {
  /** What is remembered of a workspace in this epoch; not all of it may be there. */
  known(workspaceId: string, epoch: string): References | undefined;
  /** What the posts of a workspace lead to, as it was when their statement saw this epoch, or as it is by now. */
  of(workspaceId: string, epoch: string, wanted: Wanted): Promise<References>;
}

export function createReferenceRows(pool: pg.Pool, mostKept = MOST_KEPT): ReferenceRows {
  const known = new Map<string, Kept>();

  /** As the one that was read last, and others forgotten to make room. */
  function keep(workspaceId: string, kept: Kept): void {
    known.delete(workspaceId);
    known.set(workspaceId, kept);
    let size = [...known.values()].reduce((sum, one) => sum + sizeOf(one), 0);
    for (const [oldest, one] of known) {
      if (size <= mostKept) break;
      known.delete(oldest);
      size -= sizeOf(one);
    }
  }

  function inEpoch(workspaceId: string, epoch: string): Kept | undefined {
    const kept = known.get(workspaceId);
    return kept?.epoch === epoch ? kept : undefined;
  }

  return {
    known: inEpoch,

    async of(workspaceId, epoch, wanted) {
      const current = inEpoch(workspaceId, epoch);
      if (current && KINDS.every((kind) => wanted[kind].every((id) => current[kind].has(id))))
        return current;
      const ids = KINDS.map((kind) =>
        [...new Set(wanted[kind])].filter((id) => !current?.[kind].has(id)),
      );
      const [read] = await run<ReadRows>(lanesOf(pool), ROWS, [workspaceId, ...ids]);
      // Something changed meanwhile: then all of it is wanted again, as it is now.
      if (current && read!.epoch !== epoch) return this.of(workspaceId, read!.epoch, wanted);
      const added = current ?? {
        epoch: read!.epoch,
        accounts: new Map(),
        users: new Map(),
        labels: new Map(),
      };
      KINDS.forEach((kind, index) => {
        const rows: Map<string, { id: string } | null> = added[kind];
        for (const id of ids[index]!) rows.set(id, null);
        for (const row of read![kind] ?? []) rows.set(row.id, Object.freeze(row)); // many posts lead to the same one
      });
      keep(workspaceId, added);
      return added;
    },
  };
}

const sizeOf = (kept: References): number => KINDS.reduce((sum, kind) => sum + kept[kind].size, 0);
