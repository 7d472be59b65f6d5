import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { recordsIn } from '../fixtures/records.js';
import { testDatabase } from '../setup/database.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { ROOT, readText } from './source-files.js';

jest.setTimeout(180_000);

const insertAfter =
  (anchor: RegExp, addition: string) =>
  (text: string): string => {
    expect(text).toMatch(anchor);
    return text.replace(anchor, (found) => `${found}\n${addition}`);
  };

const DEFINITION = 'src/domain/posts/post-fields.ts';
const SCHEMA = 'prisma/schema.prisma';
const MIGRATIONS = 'prisma/migrations';
const OUTPUT_TYPE = 'src/graphql/post/post.type.ts';
const INPUT_TYPE = 'src/graphql/post/post-patch.input.ts';

/** The edits that add the text field `subtitle`. A folder gets a migration. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  [DEFINITION]: insertAfter(
    /^export const POST_FIELDS = \{$/m,
    '  subtitle: { ...limited(text, { maxLength: 20 }), ...TEXT },',
  ),
  [SCHEMA]: insertAfter(/^model PostBody \{$/m, '  subtitle String?'),
  [MIGRATIONS]: () => 'ALTER TABLE "post_body" ADD COLUMN "subtitle" TEXT;\n',
  [OUTPUT_TYPE]: insertAfter(
    /^export class PostObject .*\{$/m,
    "  @Field(() => String, optional('Subtitle.')) @DependsOn('subtitle') subtitle!: string | null;",
  ),
  [INPUT_TYPE]: insertAfter(
    /^export class PostPatchInput .*\{$/m,
    "  @Field(() => String, optional('Subtitle.')) subtitle: string | null | undefined;",
  ),
};

/** The rows of the table below a heading: the file in the first column. */
const filesInTable = (text: string, heading: string): string[] =>
  [
    ...text
      .split(heading)[1]!
      .split(/^#/m)[0]!
      .matchAll(/^\| `([^`]+)` \|/gm),
  ].map(([, file]) => file!);

const run = promisify(execFile);
const BUILD = `import { bundle } from './tools/bundle.mjs';
await bundle({ root: process.cwd(), entries: { main: 'src/main.ts' }, to: 'dist' });`;
let copy: string;

function applyEdit(file: string): void {
  const target = path.join(copy, file);
  const edit = EDITS[file]!;
  if (file !== MIGRATIONS) return writeFileSync(target, edit(readFileSync(target, 'utf8')));
  mkdirSync(path.join(target, '99991231000000_subtitle'));
  writeFileSync(path.join(target, '99991231000000_subtitle', 'migration.sql'), edit(''));
}

/** Runs a program of node_modules in the copy, and returns its exit code and output. */
const runTool = (name: string, ...args: string[]): Promise<{ code: number; output: string }> =>
  run(path.join(ROOT, 'node_modules', '.bin', name), args, { cwd: copy }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  );

beforeAll(() => {
  buildIfChanged();
  copy = mkdtempSync(path.join(os.tmpdir(), 'post-field-'));
  for (const name of [
    'src',
    'prisma',
    'tools',
    'prisma.config.ts',
    'tsconfig.json',
    'package.json',
  ])
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
});
afterAll(() => {
  killStartedPrograms();
  rmSync(copy, { recursive: true, force: true });
});

it('CONTRIBUTING and the architecture list the same files, at most five', () => {
  const listed = filesInTable(readText('CONTRIBUTING.md'), '### Add a field of a post');
  expect(listed).toEqual(Object.keys(EDITS));
  expect(listed.length).toBeLessThanOrEqual(5);
  const [row] = /^\| a field of a post \|.*$/m.exec(readText('docs/architecture.md'))!;
  const inRow = [...row.matchAll(/`([^`]+[./][^`]+)`/g)].map(([, file]) =>
    file!.startsWith('prisma/') ? file : `src/${file}`,
  );
  expect(inRow).toEqual(listed);
});

it('the compiler reports the places that a definition alone lacks', async () => {
  applyEdit(DEFINITION);
  const { code, output } = await runTool('tsc', '-p', '.', '--noEmit', '--pretty', 'false');
  expect(code).not.toBe(0);
  const files = [...output.matchAll(/^(src\/\S+?)\(/gm)].map(([, file]) => file);
  expect([...new Set(files)].sort()).toEqual([
    INPUT_TYPE,
    OUTPUT_TYPE,
    // compare the definition with the types that are generated from prisma/schema.prisma
    'src/persistence/posts/post-rows.ts',
  ]);
});

it('a field that is added in these files works in both APIs', async () => {
  for (const file of Object.keys(EDITS).filter((name) => name !== DEFINITION)) applyEdit(file);
  expect(await runTool('prisma', 'generate')).toMatchObject({ code: 0 });
  expect(await runTool('tsc', '-p', '.', '--noEmit')).toEqual({ code: 0, output: '' });
  await run(process.execPath, ['--input-type=module', '--eval', BUILD], { cwd: copy });

  const db = await testDatabase();
  try {
    const gateway = startProgram({ DATABASE_URL: db.url, PORT: '0' }, [
      process.execPath,
      path.join(copy, 'dist', 'main.js'),
    ]);
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const url = /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0];
    const records = recordsIn(db);
    const viewer = await records.aViewer();
    const { id } = await records.aPost({ by: viewer, storedState: 'draft_private_undated' });
    const headers = {
      Authorization: `Bearer-API ${viewer.apiKey}`,
      'Service-Workspace-Id': viewer.workspace.id,
      'Content-Type': 'application/json',
    };
    const graphql = async (query: string): Promise<unknown> => {
      const body = JSON.stringify({ query });
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
    };
    const put = (post: unknown): Promise<Response> =>
      fetch(`${url}/v1/posts/${id}`, { method: 'PUT', headers, body: JSON.stringify({ post }) });
    const list = '{ posts(first: 1) { nodes { subtitle } } }';

    expect(await graphql(list)).toMatchObject({ data: { posts: { nodes: [{ subtitle: null }] } } });
    expect(
      await graphql(
        `mutation { updatePost(input: { id: "${id}", post: { subtitle: "Below" } }) { post { subtitle version } userErrors { message } } }`,
      ),
    ).toMatchObject({
      data: { updatePost: { post: { subtitle: 'Below', version: 2 }, userErrors: [] } },
    });
    const refused = await put({ subtitle: 'x'.repeat(21) });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('may have at most 20 characters; it has 21'),
    ]);
    expect((await put({ subtitle: 'From v1' })).status).toBe(200);
    expect(await graphql(list)).toMatchObject({
      data: { posts: { nodes: [{ subtitle: 'From v1' }] } },
    });
    expect((await put({ subtitle: null })).status).toBe(200);
    expect(await graphql(list)).toMatchObject({ data: { posts: { nodes: [{ subtitle: null }] } } });
    const { rows } = await db.pool.query(
      'SELECT changes FROM revision ORDER BY version DESC LIMIT 1',
    );
    expect(rows).toEqual([{ changes: { subtitle: { from: 'From v1', to: null } } }]);
  } finally {
    killStartedPrograms();
    await db.drop();
  }
});
