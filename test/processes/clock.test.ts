import { STORED_STATES } from '../../src/domain/posts/states.js';
import { recordsIn } from '../fixtures/records.js';
import { scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';
import { waitFor } from '../fixtures/wait-for.js';
import { withClockAhead } from '../fixtures/wrong-clock.js';
import { testDatabase } from '../setup/database.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';

beforeAll(buildIfChanged);
afterEach(killStartedPrograms);

it.each([
  [-7_200, '7200 s behind'],
  [7_200, '7200 s ahead of'],
])(
  'a gateway whose clock is %i s ahead publishes at once, and says that its clock is wrong',
  async (seconds, warning) => {
    const database = await testDatabase();
    const records = recordsIn(database);
    const viewer = await records.aViewer();
    const account = await records.anAccount({
      workspaceId: viewer.workspace.id,
      network: 'mastodon',
      sandbox: true,
    });
    const gateway = startProgram({ DATABASE_URL: database.url, PORT: '0', METRICS_PORT: '0' }, [
      process.execPath,
      ...withClockAhead(seconds),
      'dist/main.js',
    ]);
    await waitUntil(() => gateway.output().includes('REST v1'), gateway);
    const find = (pattern: RegExp): string => pattern.exec(gateway.output())![1]!;
    const headers = {
      Authorization: `Bearer-API ${viewer.apiKey}`,
      'Service-Workspace-Id': viewer.workspace.id,
      'Content-Type': 'application/json',
    };
    const graphql = async (query: string): Promise<any> => {
      const response = await fetch(find(/GraphQL +(\S+)/), {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return ((await response.json()) as { data: unknown }).data;
    };
    const { createPosts } = await graphql(
      `mutation { createPosts(input: { targets: [{ accountId: "${account.id}" }], post: { type: STATUS, text: "Now" }, mode: SHARE_NOW }) { posts { id } userErrors { message } } }`,
    );
    expect(createPosts.userErrors).toEqual([]);
    const [post] = createPosts.posts;
    await waitFor(async () => {
      const { storedState } = await database.prisma.post.findFirstOrThrow({
        where: { docId: post.id },
      });
      return storedState === STORED_STATES.published_posted.number;
    });
    const [offset] = Object.values(
      seriesOf(
        await scrapeMetrics(find(/Metrics +(\S+)\/metrics/)),
        'posts_gateway_clock_offset_seconds',
      ),
    );
    expect(Math.abs(offset! + seconds)).toBeLessThan(1);
    expect(gateway.errors()).toContain(`The clock of this machine is ${warning} the clock`);
    gateway.child.kill('SIGTERM');
    expect(await gateway.exit).toBe(0);
    await database.drop();
  },
);
