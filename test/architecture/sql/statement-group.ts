/** Statements that are not limited to one workspace. */
export interface StatementGroup {
  /** Why these statements are not inside one workspace. */
  readonly reason: string;
  /** What becomes of them if workspaces are distributed over several cells (docs/scaling.md). */
  readonly distributed: string;
  readonly statements: readonly string[];
}
