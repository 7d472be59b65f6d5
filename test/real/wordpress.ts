import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { EditablePath } from '../../src/domain/rules/edit-rules.js';
import type { ContentBlock, Post } from '../../src/domain/posts/post.js';
import { openWeb } from '../../src/networks/http-client/web.js';
import { createWordpress } from '../../src/networks/wordpress/wordpress.js';
import { blogHtml } from '../../src/services/posts/blog-html.js';
import { systemClock } from '../../src/services/random-ids.js';
import { anOperator, piped } from '../fixtures/operator.js';
import { aPost } from '../fixtures/posts.js';
import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { buildWhatIsStarted, killStarted, start, until, type Started } from '../setup/started.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';
import { startWordpress, type RealBlog } from './wordpress-server.js';

jest.setTimeout(120_000);

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let blog: RealBlog;
let keys: { site: string; username: string; applicationPassword: string };
/** Pictures that are not the blog's: over http, as the adapter alone may be asked for on this machine, and over https, which callers must name. */
let pictures: { http: Server; https: Server; certificate: string };

beforeAll(async () => {
  blog = await startWordpress();
  keys = { site: blog.url, username: 'ada', applicationPassword: passwordOf('ada') };
  const folder = temporaryFolder();
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    ],
    { stdio: 'ignore' },
  );
  const serve: RequestListener = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(PNG);
  };
  pictures = {
    http: createHttpServer(serve),
    https: createHttpsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, serve),
    certificate,
  };
  for (const server of [pictures.http, pictures.https])
    await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  // Half of it where the blog did not start.
  for (const server of [pictures?.http, pictures?.https]) server?.close();
  if (pictures) removeFolder(path.dirname(pictures.certificate));
  await blog?.stop();
});

const passwordOf = (user: string): string =>
  blog.php(
    `return WP_Application_Passwords::create_new_application_password(get_user_by('login', '${user}')->ID, ['name' => wp_generate_uuid4()])[0];`,
  );
const pictureUrl = (name: string, scheme: 'http' | 'https' = 'http'): string =>
  `${scheme}://localhost:${(pictures[scheme].address() as AddressInfo).port}/${name}`;

/** A published post of the blog, with a category, a tag and words of its own; its id. */
const published = (): string =>
  String(
    blog.php(`
  $term = wp_insert_term('News & more', 'category'); $id = is_wp_error($term) ? $term->get_error_data() : $term['term_id'];
  return wp_insert_post(['post_title' => 'Old', 'post_content' => 'Old', 'post_excerpt' => 'Old', 'post_status' => 'publish', 'post_author' => 1, 'post_category' => [$id], 'tags_input' => ['old']]);`),
  );

/** What the blog itself has of a post. */
const shown = (id: string): Record<string, unknown> =>
  blog.php(`
  $post = get_post(${id}); $picture = get_post_thumbnail_id($post);
  return ['title' => $post->post_title, 'content' => $post->post_content, 'excerpt' => $post->post_excerpt, 'slug' => $post->post_name, 'status' => $post->post_status,
    'categories' => wp_get_post_categories($post->ID, ['fields' => 'names']), 'tags' => wp_get_post_tags($post->ID, ['fields' => 'names']),
    'picture' => $picture ? basename(get_attached_file($picture)) : null, 'alt' => $picture ? get_post_meta($picture, '_wp_attachment_image_alt', true) : null];`);

const CONTENT: ContentBlock[] = [
  { type: 'header', data: { text: 'Harvest', level: 2 } },
  { type: 'paragraph', data: { text: 'From <b>Doi Chaang</b>.<script>alert(1)</script>' } },
  { type: 'list', data: { style: 'ordered', items: ['light', 'floral'] } },
];
const HTML =
  '<h2>Harvest</h2>\n<p>From <b>Doi Chaang</b>.</p>\n<ol><li>light</li><li>floral</li></ol>';
const EVERYTHING = [
  'title',
  'content',
  'excerpt',
  'url',
  'featuredMedia',
  'categories',
  'tags',
] as const;
const aPicture = (name: string) => ({
  id: 'med_1',
  type: 'photo' as const,
  url: pictureUrl(name),
  altText: 'Beans',
  title: null,
});

describe('the adapter', () => {
  const adapter = () =>
    createWordpress(openWeb({ allowLoopback: true, clock: systemClock }), blogHtml);
  const edit = (
    remoteId: string,
    post: Partial<Post>,
    changed: readonly EditablePath[] = EVERYTHING,
    credentials = keys,
  ) =>
    adapter().edit({
      account: aPost().account!,
      credentials,
      remoteId,
      post: aPost({ network: 'wordpress', type: 'article', cell: 'published_posted', ...post }),
      changed: new Set(changed),
    });

  it('says whose blog it is', async () => {
    expect(await adapter().check(keys)).toEqual({
      kind: 'connected',
      socialId: blog.url.replace('http://', ''),
      name: 'Kiosk',
      type: 'blog',
      picture: null,
    });
  });

  it('edits every field, and does the same again without bringing anything twice', async () => {
    const id = published();
    const post = {
      title: 'New & bold',
      content: CONTENT,
      excerpt: 'Short',
      url: 'new-slug',
      featuredMedia: aPicture('beans one.png'),
      categories: ['news & MORE', 'Röstung', 'R&D'],
      tags: ['coffee', 'old'],
    };
    const expected = {
      title: 'New & bold',
      content: HTML,
      excerpt: 'Short',
      slug: 'new-slug',
      status: 'publish',
      categories: ['News &amp; more', 'R&amp;D', 'Röstung'],
      tags: ['coffee', 'old'],
      picture: expect.stringMatching(/^beans-one-[0-9a-f]{12}\.png$/),
      alt: 'Beans',
    };
    expect(await edit(id, post)).toEqual({ kind: 'edited' });
    expect(shown(id)).toEqual(expected);
    const rows = () =>
      blog.php(
        'global $wpdb; return [(int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->terms"), (int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->posts WHERE post_type = \'attachment\'")];',
      );
    const before = rows();
    expect(await edit(id, post)).toEqual({ kind: 'edited' });
    expect([shown(id), rows()]).toEqual([expected, before]);
  });

  it('finds a picture of the blog’s own library, at any of its sizes', async () => {
    const [large, small] = blog.php(`
      $file = wp_upload_dir()['path'] . '/library picture.png'; $image = imagecreatetruecolor(900, 600); imagepng($image, $file);
      require_once ABSPATH . 'wp-admin/includes/image.php'; $id = wp_insert_attachment(['post_mime_type' => 'image/png', 'post_title' => 'library picture', 'post_status' => 'inherit'], $file);
      wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file)); return [wp_get_attachment_url($id), wp_get_attachment_image_src($id, 'medium')[0]];`);
    for (const url of [large, small]) {
      const id = published();
      expect(
        await edit(id, { featuredMedia: { ...aPicture(''), url } }, ['featuredMedia']),
      ).toEqual({ kind: 'edited' });
      expect({ url, ...shown(id) }).toMatchObject({
        url,
        picture: 'library picture.png',
        title: 'Old',
      });
    }
  });

  it('takes away what is cleared', async () => {
    const id = published();
    expect(
      await edit(id, { title: 'Kept title', content: CONTENT, featuredMedia: aPicture('a.png') }, [
        'title',
        'content',
        'featuredMedia',
      ]),
    ).toEqual({ kind: 'edited' });
    expect(
      await edit(
        id,
        {
          content: CONTENT,
          url: null,
          excerpt: null,
          featuredMedia: null,
          categories: [],
          tags: [],
        },
        ['url', 'excerpt', 'featuredMedia', 'categories', 'tags'],
      ),
    ).toEqual({ kind: 'edited' });
    expect(shown(id)).toEqual({
      title: 'Kept title',
      content: HTML,
      excerpt: '',
      slug: 'kept-title',
      status: 'publish',
      categories: [],
      tags: [],
      picture: null,
      alt: null,
    });
  });

  it('meets the blog’s own refusals', async () => {
    const [id, trashed, gone] = [published(), published(), published()];
    blog.php(
      `wp_trash_post(${trashed}); wp_delete_post(${gone}, true); wp_insert_user(['user_login' => 'reader', 'user_pass' => 'x', 'user_email' => 'r@example.com', 'role' => 'subscriber']);`,
    );
    const asReader = { ...keys, username: 'reader', applicationPassword: passwordOf('reader') };
    const edits = [
      edit(id, { title: 'New' }, ['title'], {
        ...keys,
        applicationPassword: 'wron gpas swor dwro ngpa ssww',
      }),
      edit(id, { title: 'New' }, ['title'], asReader),
      edit(trashed, { title: 'New' }, ['title']),
      edit(gone, { title: 'New' }, ['title']),
    ];
    expect(
      (await Promise.all(edits)).map((result) =>
        'code' in result ? [result.code, result.message] : result,
      ),
    ).toEqual([
      [
        'NETWORK_REAUTHORIZATION_NEEDED',
        'WordPress no longer takes the account’s credentials; connect the account again (401): Sorry, you are not allowed to edit this post.',
      ],
      [
        'NETWORK_FORBIDDEN',
        'WordPress does not let the account do this (403): Sorry, you are not allowed to edit this post.',
      ],
      ['NETWORK_POST_DELETED', 'WordPress no longer has the post: it lies in the trash.'],
      ['NETWORK_POST_DELETED', 'WordPress no longer has the post (404): Invalid post ID.'],
    ]);
    expect(shown(id)).toMatchObject({ title: 'Old' });
    expect(await adapter().check(asReader)).toEqual({
      kind: 'failed',
      code: 'NETWORK_FORBIDDEN',
      message: 'WordPress does not let reader edit published posts.',
    });
  });
});

describe('a started gateway', () => {
  const key = randomBytes(32);
  let db: TestDatabase;
  let gateway: Started;
  let url: string;
  let owner: KeyedViewer;
  let accountId: string;

  beforeAll(async () => {
    await buildWhatIsStarted();
    db = await testDatabase();
    gateway = start({ ...settings(), PORT: '0', NODE_EXTRA_CA_CERTS: pictures.certificate });
    await until(() => gateway.output().includes('REST v1'), gateway);
    url = new URL(/http:\S+\/graphql/.exec(gateway.output())![0]).origin;
  });
  afterAll(async () => {
    gateway?.child.kill('SIGTERM');
    await gateway?.exit;
    killStarted();
    await db?.drop();
  });

  const settings = () => ({
    DATABASE_URL: db.url,
    CREDENTIALS_KEY: key.toString('base64'),
    NETWORKS_ALLOW_LOOPBACK: '1',
  });
  /** What `accounts connect wordpress` makes of an application password. */
  const connect = (applicationPassword: string): Promise<any> =>
    anOperator(settings, () => piped(JSON.stringify({ ...keys, applicationPassword }))).json(
      'accounts',
      'connect',
      'wordpress',
      '--workspace',
      owner.workspace.id,
      '--stdin',
    );

  beforeEach(async () => {
    owner = await recordsIn(db).aViewer();
    const connected = await connect(passwordOf('ada'));
    expect(connected).toEqual({
      id: expect.stringMatching(/^acc_/),
      name: 'Kiosk',
      socialId: new URL(blog.url).host,
      isNew: true,
      restored: 0,
    });
    accountId = connected.id;
  });

  /** A post of the blog as the service has it; and its id there. */
  async function aPublishedPost() {
    const remoteId = published();
    const post = await recordsIn(db).aPost({
      by: owner,
      cell: 'published_posted',
      type: 'article',
      remoteId,
      title: 'Old',
      excerpt: 'Old',
      content: [{ type: 'paragraph', data: { text: 'Old' } }],
      categories: ['News & more'],
      tags: ['old'],
      account: {
        id: accountId,
        type: 'blog',
        name: 'Kiosk',
        picture: null,
        network: 'wordpress',
        socialId: new URL(blog.url).host,
        needsReauth: false,
        sandbox: false,
      },
    });
    return { remoteId, id: post.id };
  }
  const headers = () => ({
    Authorization: `Bearer-API ${owner.apiKey}`,
    'Service-Workspace-Id': owner.workspace.id,
    'Content-Type': 'application/json',
  });
  const graphql = async (query: string, variables: object): Promise<any> =>
    (
      (await (
        await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: headers(),
          body: JSON.stringify({ query, variables }),
        })
      ).json()) as any
    ).data;
  const v1 = (method: string, path: string, body?: object) =>
    fetch(`${url}/v1${path}`, {
      method,
      headers: headers(),
      ...(body && { body: JSON.stringify(body) }),
    });

  /** Polls as a client does. */
  async function finished(jobId: string): Promise<any> {
    let status: any;
    await until(async () => {
      status = await (await v1('GET', `/job_status/${jobId}`)).json();
      return status.status !== 'working';
    }, gateway);
    return status;
  }
  const standing = async (id: string): Promise<any> =>
    (
      await graphql(
        'query($id: ID!) { post(id: $id) { version state networkSync { status error job { status } } } }',
        { id },
      )
    ).post;
  const synced = (version: number) => ({
    version,
    state: 'PUBLISHED_POSTED',
    networkSync: { status: 'SYNCED', error: null, job: { status: 'COMPLETED' } },
  });
  const UPDATE =
    'mutation($id: ID!, $post: PostPatch!) { updatePost(input: {id: $id, post: $post}) { job { id } post { version } userErrors { code message } } }';

  it('brings every field of an update over GraphQL to the blog', async () => {
    const { id, remoteId } = await aPublishedPost();
    const post = {
      title: 'Harvest',
      excerpt: 'Short',
      url: 'harvest',
      content: CONTENT,
      featuredMedia: { path: pictureUrl('over-graphql.png', 'https') },
      categories: ['News & more', 'Harvest'],
      tags: ['coffee'],
    };
    const { updatePost } = await graphql(UPDATE, { id, post });
    expect(updatePost).toEqual({
      job: { id: expect.stringMatching(/^job_/) },
      post: { version: 2 },
      userErrors: [],
    });
    expect(await finished(updatePost.job.id)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect(await standing(id)).toEqual(synced(2));
    expect(shown(remoteId)).toEqual({
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

  it('brings every field of an update over v1 to the blog, and what is cleared as well', async () => {
    const { id, remoteId } = await aPublishedPost();
    const post = {
      title: 'Roast',
      excerpt: null,
      url: 'roast',
      content: CONTENT,
      featured_media: { path: pictureUrl('over-v1.png', 'https') },
      categories: ['Roast'],
      tags: [],
    };
    const put = await v1('PUT', `/posts/${id}`, { post });
    expect(put.status).toBe(200);
    expect(await finished(put.headers.get('x-job-id')!)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect(await standing(id)).toEqual(synced(2));
    expect(shown(remoteId)).toEqual({
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

  it('says that the blog has the post no longer, and keeps it as deleted there', async () => {
    const { id, remoteId } = await aPublishedPost();
    blog.php(`wp_delete_post(${remoteId}, true);`);
    const { updatePost } = await graphql(UPDATE, { id, post: { title: 'Too late' } });
    const message = 'WordPress no longer has the post (404): Invalid post ID.';
    expect(await finished(updatePost.job.id)).toEqual({
      status: 'failed',
      payload: { failures: { [id]: [message] } },
    });
    expect(await standing(id)).toMatchObject({
      state: 'PUBLISHED_DELETED',
      networkSync: { status: 'FAILED', error: message },
    });
  });

  it('says that the blog takes the credentials no longer, and goes on once the account is connected again', async () => {
    const { id, remoteId } = await aPublishedPost();
    blog.php(
      "$ada = get_user_by('login', 'ada'); WP_Application_Passwords::delete_all_application_passwords($ada->ID);",
    );
    const put = await v1('PUT', `/posts/${id}`, { post: { title: 'Not yet' } });
    const message =
      'WordPress no longer takes the account’s credentials; connect the account again (401): Sorry, you are not allowed to edit this post.';
    expect(await finished(put.headers.get('x-job-id')!)).toEqual({
      status: 'failed',
      payload: { failures: { [id]: [message] } },
    });
    expect((await graphql('{ accounts { needsReauthorization } }', {})).accounts).toEqual([
      { needsReauthorization: true },
    ]);
    expect([shown(remoteId), await standing(id)]).toMatchObject([
      { title: 'Old' },
      { state: 'PUBLISHED_POSTED', networkSync: { status: 'FAILED', error: message } },
    ]);

    expect(await connect(passwordOf('ada'))).toMatchObject({ id: accountId, isNew: false });
    const again = await v1('PUT', `/posts/${id}`, { post: { title: 'Now' } });
    expect(await finished(again.headers.get('x-job-id')!)).toEqual({
      status: 'completed',
      payload: { failures: {} },
    });
    expect([shown(remoteId), await standing(id)]).toMatchObject([{ title: 'Now' }, synced(3)]);
    expect((await graphql('{ accounts { needsReauthorization } }', {})).accounts).toEqual([
      { needsReauthorization: false },
    ]);
  });
});
