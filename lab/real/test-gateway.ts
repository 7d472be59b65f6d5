import { randomBytes } from 'node:crypto';
import type { Post } from '../../src/domain/posts/post.js';
import { anOperator, piped } from '../../test/fixtures/operator.js';
import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import { testDatabase } from '../../test/setup/database.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../../test/setup/started-program.js';
import type { TestBlog } from './test-blog.js';

/** A started gateway with a database of its own. */
export interface TestGateway {
  /** Creates a workspace whose account is connected to the blog. */
  createWorkspace(): Promise<TestWorkspace>;
  stop(): Promise<void>;
}

/** A workspace with a connected account, and its APIs. */
export interface TestWorkspace {
  readonly accountId: string;
  /** Runs `accounts connect wordpress` with an application password. */
  connect(applicationPassword: string): Promise<any>;
  /** Publishes a post on the blog, and stores it in the service as well. */
  publish(): Promise<{ id: string; remoteId: string }>;
  /** Returns `data`. */
  graphql(query: string, variables: object): Promise<any>;
  v1(method: string, path: string, body?: object): Promise<Response>;
  /** Waits until a condition holds while the gateway runs. */
  waitUntil(condition: () => Promise<boolean>): Promise<void>;
  /** Polls a job until it has finished. */
  waitForJob(jobId: string): Promise<any>;
  /** Version, state and network sync of a post. */
  readSync(id: string): Promise<any>;
}

export async function startTestGateway(blog: TestBlog): Promise<TestGateway> {
  buildIfChanged();
  const db = await testDatabase();
  const settings = {
    DATABASE_URL: db.url,
    CREDENTIALS_KEY: randomBytes(32).toString('base64'),
    NETWORKS_ALLOW_LOOPBACK: '1',
  };
  const program = startProgram({
    ...settings,
    PORT: '0',
    NODE_EXTRA_CA_CERTS: blog.pictures.certificate,
  });
  const stop = async (): Promise<void> => {
    program.child.kill('SIGTERM');
    await program.exit;
    killStartedPrograms();
    await db.drop();
  };
  try {
    await waitUntil(() => program.output().includes('REST v1'), program);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = new URL(/http:\S+\/graphql/.exec(program.output())![0]).origin;

  const connect = (workspaceId: string, applicationPassword: string): Promise<any> =>
    anOperator(
      () => settings,
      () => piped(JSON.stringify({ ...blog.credentials, applicationPassword })),
    ).json('accounts', 'connect', 'wordpress', '--workspace', workspaceId, '--stdin');

  return {
    async createWorkspace() {
      // a blog is connected in one workspace at a time
      await db.prisma.accountCredential.deleteMany();
      const owner = await recordsIn(db).aViewer();
      const connected = await connect(owner.workspace.id, blog.createPassword('ada'));
      expect(connected).toEqual({
        id: expect.stringMatching(/^acc_/),
        name: 'Kiosk',
        socialId: new URL(blog.url).host,
        isNew: true,
        restored: 0,
      });
      const client = createClient(url, owner);
      return {
        ...client,
        accountId: connected.id,
        connect: (applicationPassword) => connect(owner.workspace.id, applicationPassword),
        async publish() {
          const remoteId = blog.publish();
          const account = wordpressAccount(connected.id, new URL(blog.url).host);
          const post = await recordsIn(db).aPost({
            by: owner,
            remoteId,
            account,
            ...PUBLISHED_POST,
          });
          return { remoteId, id: post.id };
        },
        waitUntil: (condition) => waitUntil(condition, program),
        async waitForJob(jobId) {
          let status: any;
          await waitUntil(async () => {
            status = await (await client.v1('GET', `/job_status/${jobId}`)).json();
            return status.status !== 'working';
          }, program);
          return status;
        },
        readSync: async (id) => (await client.graphql(SYNC_QUERY, { id })).post,
      };
    },
    stop,
  };
}

const SYNC_QUERY =
  'query($id: ID!) { post(id: $id) { version state networkSync { status error job { status } } } }';

const PUBLISHED_POST: Partial<Post> = {
  storedState: 'published_posted',
  type: 'article',
  title: 'Old',
  excerpt: 'Old',
  content: [{ type: 'paragraph', data: { text: 'Old' } }],
  categories: ['News & more'],
  tags: ['old'],
};

const wordpressAccount = (id: string, socialId: string) =>
  ({
    id,
    type: 'blog',
    name: 'Kiosk',
    picture: null,
    network: 'wordpress',
    socialId,
    needsReauth: false,
    sandbox: false,
  }) as const;

function createClient(url: string, owner: KeyedViewer): Pick<TestWorkspace, 'graphql' | 'v1'> {
  const send = (path: string, method: string, body?: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer-API ${owner.apiKey}`,
        'Service-Workspace-Id': owner.workspace.id,
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    async graphql(query, variables) {
      const response = await send('/graphql', 'POST', { query, variables });
      return ((await response.json()) as any).data;
    },
    v1: (method, path, body) => send(`/v1${path}`, method, body),
  };
}
