import { ACROSS_WORKSPACES } from './across-workspaces.js';
import { OF_ONE_RECORD } from './of-one-record.js';
import { listStatements, tablesOf, type SourceStatement } from './statements.js';

/** Tables with rows that apply to the whole service. */
const SERVICE_TABLES = new Set([
  'api_key',
  'database_home',
  'network_rate_bucket',
  'publishing_pause',
  'unused_media_file',
  'user_version',
]);

const INSERT = /INSERT INTO \w+(?: AS \w+)? \(([^)]*)\)/g;

/** Whether each row that the statement inserts has a workspace, and the statement does nothing else. */
function onlyInserts(text: string): boolean {
  const columns = [...text.matchAll(INSERT)].map(([, names]) => names!);
  return (
    columns.length > 0 &&
    columns.length === tablesOf(text).length &&
    columns.every((names) => /\bworkspace_id\b/.test(names))
  );
}

/** Whether the source shows that the statement stays within one workspace. */
function namesWorkspace({ text, isPrisma }: SourceStatement): boolean {
  if (isPrisma) return / workspaceId\b/.test(text) && !/^(?:user|apiKey)\./.test(text);
  const tables = tablesOf(text);
  if (tables.some((table) => SERVICE_TABLES.has(table))) return false;
  if (tables.join() === 'workspace') return /\bid = \$1/.test(text);
  return /\bworkspace_id = [$…]/.test(text) || onlyInserts(text);
}

const statements = listStatements();
const outside = statements.filter((statement) => !namesWorkspace(statement));
const listed = [
  ...ACROSS_WORKSPACES.flatMap((group) => group.statements),
  ...Object.values(OF_ONE_RECORD).flat(),
];
const namesOf = (some: readonly SourceStatement[]): string[] => some.map(({ name }) => name);

it('finds the statements of the service', () => {
  const found = namesOf(statements);
  expect(found.length).toBeGreaterThan(300);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(
    expect.arrayContaining([
      'jobs/job-claims CLAIM',
      'posts/post-count storedCount',
      'workspaces/member-reader createMemberReader.approvers.rows',
      'function count_posts',
    ]),
  );
});

it('inserts constants of other files into the text of a statement', () => {
  const claim = statements.find(({ name }) => name === 'publishing/due-posts handOver')!;
  expect(tablesOf(claim.text)).toEqual(
    expect.arrayContaining(['post', 'account', 'publication', 'job', 'event', 'sandbox_clock']),
  );
});

it('recognizes a statement that is limited to a workspace', () => {
  const isLimited = (text: string): boolean => namesWorkspace({ name: '', text, isPrisma: false });
  expect(isLimited('SELECT 1 FROM post WHERE workspace_id = $1')).toBe(true);
  expect(isLimited('INSERT INTO label (id, workspace_id) VALUES ($1, $2)')).toBe(true);
  expect(isLimited('SELECT 1 FROM post WHERE id = $1')).toBe(false);
  expect(isLimited('SELECT 1 FROM post WHERE workspace_id = ANY($1)')).toBe(false);
  expect(isLimited('SELECT 1 FROM api_key WHERE workspace_id = $1')).toBe(false);
  expect(isLimited('INSERT INTO post (id, workspace_id) SELECT id, w FROM job')).toBe(false);
});

it('each statement that is not limited to a workspace has a reason', () => {
  expect(namesOf(outside).filter((name) => !listed.includes(name))).toEqual([]);
});

it('each listed statement exists, and is listed once', () => {
  const names = new Set(namesOf(outside));
  expect(
    listed.filter((name, index) => !names.has(name) || listed.indexOf(name) !== index),
  ).toEqual([]);
});
