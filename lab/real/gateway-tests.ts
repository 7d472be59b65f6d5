import { CONTENT, HTML, type TestBlog } from './test-blog.js';
import { startTestGateway, type TestGateway, type TestWorkspace } from './test-gateway.js';

/** Tests a started gateway with the blog, through both APIs. */
export function testGateway(blog: () => TestBlog): void {
  let gateway: TestGateway;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    gateway = await startTestGateway(blog());
  });
  afterAll(() => gateway?.stop());
  beforeEach(async () => {
    workspace = await gateway.createWorkspace();
  });

  const synced = (version: number) => ({
    version,
    state: 'PUBLISHED_POSTED',
    networkSync: { status: 'SYNCED', error: null, job: { status: 'COMPLETED' } },
  });
  const UPDATE =
    'mutation($id: ID!, $post: PostPatch!) { updatePost(input: {id: $id, post: $post}) { job { id } post { version } userErrors { code message } } }';

  it('sends every field of a GraphQL update to the blog', async () => {
    const { id, remoteId } = await workspace.publish();
    const post = {
      title: 'Harvest',
      excerpt: 'Short',
      url: 'harvest',
      content: CONTENT,
      featuredMedia: { path: blog().pictures.url('over-graphql.png', 'https') },
      categories: ['News & more', 'Harvest'],
      tags: ['coffee'],
    };
    const { updatePost } = await workspace.graphql(UPDATE, { id, post });
    expect(updatePost).toEqual({
      job: { id: expect.stringMatching(/^job_/) },
      post: { version: 2 },
      userErrors: [],
    });
    expect(await workspace.waitForJob(updatePost.job.id)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect(await workspace.readSync(id)).toEqual(synced(2));
    expect(blog().readPost(remoteId)).toEqual({
      title: 'Harvest',
      content: HTML,
      excerpt: 'Short',
      slug: 'harvest',
      status: 'publish',
      categories: ['Harvest', 'News &amp; more'],
      tags: ['coffee'],
      picture: expect.stringMatching(/^over-graphql-[0-9a-f]{12}\.png$/),
      alt: '',
    });
  });

  it('sends every field of a v1 update to the blog, including cleared fields', async () => {
    const { id, remoteId } = await workspace.publish();
    const post = {
      title: 'Roast',
      excerpt: null,
      url: 'roast',
      content: CONTENT,
      featured_media: { path: blog().pictures.url('over-v1.png', 'https') },
      categories: ['Roast'],
      tags: [],
    };
    const put = await workspace.v1('PUT', `/posts/${id}`, { post });
    expect(put.status).toBe(200);
    expect(await workspace.waitForJob(put.headers.get('x-job-id')!)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect(await workspace.readSync(id)).toEqual(synced(2));
    expect(blog().readPost(remoteId)).toEqual({
      title: 'Roast',
      content: HTML,
      excerpt: '',
      slug: 'roast',
      status: 'publish',
      categories: ['Roast'],
      tags: [],
      picture: expect.stringMatching(/^over-v1-[0-9a-f]{12}\.png$/),
      alt: '',
    });
  });

  const CREATE =
    'mutation($input: CreatePostsInput!) { createPosts(input: $input) { posts { id } userErrors { code field } } }';
  const PUBLICATION = 'query($id: ID!) { post(id: $id) { state postLink publication { status } } }';

  it('publishes posts that are created through both APIs', async () => {
    const { createPosts } = await workspace.graphql(CREATE, {
      input: {
        mode: 'SHARE_NOW',
        targets: [{ accountId: workspace.accountId }],
        post: { type: 'ARTICLE', title: 'Shared now', text: 'Beans' },
      },
    });
    const put = await workspace.v1('POST', '/posts/schedule/publish', {
      bulk: {
        state: 'scheduled',
        posts: [
          {
            networks: { wordpress: { type: 'article', title: 'Shared by v1', text: 'Leaves' } },
            accounts: [{ id: workspace.accountId }],
          },
        ],
      },
    });
    const { job_id: jobId } = (await put.json()) as { job_id: string };
    const { payload } = await workspace.waitForJob(jobId);
    expect(payload).toMatchObject({
      failures: {},
      posts: [{ state: 'published_posted', post_link: `${blog().url}/shared-by-v1/` }],
    });
    const [{ id }] = createPosts.posts;
    await workspace.waitUntil(async () => {
      const { post } = await workspace.graphql(PUBLICATION, { id });
      return post.publication.status === 'PUBLISHED';
    });
    expect((await workspace.graphql(PUBLICATION, { id })).post).toEqual({
      state: 'PUBLISHED_POSTED',
      postLink: `${blog().url}/shared-now/`,
      publication: { status: 'PUBLISHED' },
    });
  });

  it('refuses media that the blog would not get, when the post is created', async () => {
    const { createPosts } = await workspace.graphql(CREATE, {
      input: {
        mode: 'SHARE_NOW',
        targets: [{ accountId: workspace.accountId }],
        post: {
          type: 'ARTICLE',
          title: 'Pictured',
          text: 'Beans',
          media: [{ path: blog().pictures.url('a.png', 'https') }],
        },
      },
    });
    expect(createPosts).toEqual({
      posts: [],
      userErrors: [
        { code: 'RULE_VIOLATION', field: ['input', 'targets', '0', 'post', 'media', '0'] },
      ],
    });
  });

  it('reports a post deleted on the blog, and marks it as deleted', async () => {
    const { id, remoteId } = await workspace.publish();
    blog().php(`wp_delete_post(${remoteId}, true);`);
    const { updatePost } = await workspace.graphql(UPDATE, { id, post: { title: 'Too late' } });
    const message = 'WordPress no longer has the post (404): Invalid post ID.';
    expect(await workspace.waitForJob(updatePost.job.id)).toEqual({
      status: 'failed',
      payload: { failures: { [id]: [message] } },
    });
    expect(await workspace.readSync(id)).toMatchObject({
      state: 'PUBLISHED_DELETED',
      networkSync: { status: 'FAILED', error: message },
    });
  });

  it('reports rejected credentials, and continues once the account is connected again', async () => {
    const { id, remoteId } = await workspace.publish();
    blog().php(
      "$ada = get_user_by('login', 'ada'); WP_Application_Passwords::delete_all_application_passwords($ada->ID);",
    );
    const put = await workspace.v1('PUT', `/posts/${id}`, { post: { title: 'Not yet' } });
    const message =
      'WordPress rejected the account’s credentials; connect the account again (401): Sorry, you are not allowed to edit this post.';
    expect(await workspace.waitForJob(put.headers.get('x-job-id')!)).toEqual({
      status: 'failed',
      payload: { failures: { [id]: [message] } },
    });
    expect((await workspace.graphql('{ accounts { needsReauthorization } }', {})).accounts).toEqual(
      [{ needsReauthorization: true }],
    );
    expect([blog().readPost(remoteId), await workspace.readSync(id)]).toMatchObject([
      { title: 'Old' },
      { state: 'PUBLISHED_POSTED', networkSync: { status: 'FAILED', error: message } },
    ]);

    expect(await workspace.connect(blog().createPassword('ada'))).toMatchObject({
      id: workspace.accountId,
      isNew: false,
    });
    const again = await workspace.v1('PUT', `/posts/${id}`, { post: { title: 'Now' } });
    expect(await workspace.waitForJob(again.headers.get('x-job-id')!)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect([blog().readPost(remoteId), await workspace.readSync(id)]).toMatchObject([
      { title: 'Now' },
      synced(3),
    ]);
    expect((await workspace.graphql('{ accounts { needsReauthorization } }', {})).accounts).toEqual(
      [{ needsReauthorization: false }],
    );
  });
}
