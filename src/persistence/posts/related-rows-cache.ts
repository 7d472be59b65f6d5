import type { Account, UserSummary } from '../../domain/posts/post.js';
import type { Label } from '../../domain/posts/post-content.js';
import type { Sql } from '../sql.js';

/** Accounts, users and labels that posts refer to, by ID; null for those that no longer exist. */
export interface RelatedRows {
  readonly accounts: Map<string, Account | null>;
  readonly users: Map<string, UserSummary | null>;
  readonly labels: Map<string, Label | null>;
}
type Kind = keyof RelatedRows;
const KINDS = ['accounts', 'users', 'labels'] as const satisfies readonly Kind[];

/** The IDs that posts refer to; may contain duplicates. */
export type RelatedIds = Readonly<Record<Kind, readonly string[]>>;

const RELATED_ROWS = `SELECT (SELECT w.related_version::text || e.version::text FROM workspace w, user_version e WHERE w.id = $1) AS version,
  (SELECT json_agg(json_build_object('id', id, 'type', type, 'name', name, 'picture', picture, 'network', network, 'socialId', social_id, 'needsReauth', needs_reauth, 'sandbox', sandbox))
     FROM account WHERE id = ANY($2::text[])) AS accounts,
  (SELECT json_agg(json_build_object('id', id, 'name', name, 'picture', picture)) FROM app_user WHERE id = ANY($3::text[])) AS users,
  (SELECT json_agg(json_build_object('id', id, 'name', name, 'color', color)) FROM label WHERE id = ANY($4::text[])) AS labels`;

interface ReadRows {
  readonly version: string;
  readonly accounts: Account[] | null;
  readonly users: UserSummary[] | null;
  readonly labels: Label[] | null;
}
interface CachedRows extends RelatedRows {
  readonly version: string;
}

/** A row takes some hundred bytes. The least recently read workspaces are evicted first. */
const MAX_CACHED_ROWS = 50_000;

/**
 * Caches accounts, users and labels in this process, so that pages of a list need not read them
 * repeatedly.
 *
 * Cached rows are never stale: every change of a row sets a new version in the same transaction (by
 * triggers), and every statement that reads posts also reads the version. Cached rows are used only
 * for the version that the statement read; they were read together with their version as well.
 */
export interface RelatedRowsCache {
  /** The cached rows of a workspace in this version; may be incomplete. */
  cached(workspaceId: string, version: string): RelatedRows | undefined;
  /** The rows with these IDs, as of this version or as of now. */
  read(workspaceId: string, version: string, ids: RelatedIds): Promise<RelatedRows>;
}

/** Creates an empty cache of at most `maxRows` rows. */
export function createRelatedRowsCache(sql: Sql, maxRows = MAX_CACHED_ROWS): RelatedRowsCache {
  const rowsByWorkspace = new Map<string, CachedRows>();

  /** Stores the rows as the most recently read, and evicts others above the limit. */
  function store(workspaceId: string, rows: CachedRows): void {
    rowsByWorkspace.delete(workspaceId);
    rowsByWorkspace.set(workspaceId, rows);
    let size = [...rowsByWorkspace.values()].reduce((sum, cached) => sum + sizeOf(cached), 0);
    for (const [oldest, cached] of rowsByWorkspace) {
      if (size <= maxRows) break;
      rowsByWorkspace.delete(oldest);
      size -= sizeOf(cached);
    }
  }

  function readCached(workspaceId: string, version: string): CachedRows | undefined {
    const rows = rowsByWorkspace.get(workspaceId);
    return rows?.version === version ? rows : undefined;
  }

  return {
    cached: readCached,

    async read(workspaceId, version, requested) {
      const current = readCached(workspaceId, version);
      if (current && KINDS.every((kind) => requested[kind].every((id) => current[kind].has(id))))
        return current;
      const ids = KINDS.map((kind) =>
        [...new Set(requested[kind])].filter((id) => !current?.[kind].has(id)),
      );
      const [read] = await sql<ReadRows>(RELATED_ROWS, [workspaceId, ...ids]);
      // A row changed in the meantime: read all of them again, in the new version.
      if (current && read!.version !== version)
        return this.read(workspaceId, read!.version, requested);
      const rows = current ?? {
        version: read!.version,
        accounts: new Map(),
        users: new Map(),
        labels: new Map(),
      };
      KINDS.forEach((kind, index) => {
        const byId: Map<string, { id: string } | null> = rows[kind];
        for (const id of ids[index]!) byId.set(id, null);
        // frozen: shared by many posts
        for (const row of read![kind] ?? []) byId.set(row.id, Object.freeze(row));
      });
      store(workspaceId, rows);
      return rows;
    },
  };
}

const sizeOf = (rows: RelatedRows): number => KINDS.reduce((sum, kind) => sum + rows[kind].size, 0);
