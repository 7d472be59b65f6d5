import type { Post } from '../../src/domain/posts/post.js';
import type { EditablePath } from '../../src/domain/networks/network-definition.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { createWordpress } from '../../src/networks/wordpress/wordpress.js';
import { blogHtml } from '../../src/services/posts/blog-html/blog-html.js';
import { systemClock } from '../../src/services/clock.js';
import { aPost } from '../../test/fixtures/posts.js';
import { CONTENT, HTML, type TestBlog } from './test-blog.js';

const ALL_FIELDS = [
  'title',
  'content',
  'excerpt',
  'url',
  'featuredMedia',
  'categories',
  'tags',
] as const;

/** Tests the adapter alone against the blog. */
export function testAdapter(blog: () => TestBlog): void {
  const aPicture = (name: string) => ({
    id: 'med_1',
    type: 'photo' as const,
    url: blog().pictures.url(name),
    altText: 'Beans',
    title: null,
  });
  const adapter = () =>
    createWordpress(createHttpClient({ allowLoopback: true, clock: systemClock }), blogHtml);
  const edit = (
    remoteId: string,
    post: Partial<Post>,
    changed: readonly EditablePath[] = ALL_FIELDS,
    credentials = blog().credentials,
  ) =>
    adapter().edit({
      account: aPost().account!,
      credentials,
      remoteId,
      post: aPost({
        network: 'wordpress',
        type: 'article',
        storedState: 'published_posted',
        ...post,
      }),
      changed: new Set(changed),
    });

  it('returns the account of the credentials', async () => {
    expect(await adapter().check(blog().credentials)).toEqual({
      kind: 'connected',
      socialId: blog().url.replace('http://', ''),
      name: 'Kiosk',
      type: 'blog',
      picture: null,
    });
  });

  it('edits every field, and creates nothing twice when it repeats the edit', async () => {
    const id = blog().publish();
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
    expect(blog().readPost(id)).toEqual(expected);
    const countRows = () =>
      blog().php(
        'global $wpdb; return [(int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->terms"), (int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->posts WHERE post_type = \'attachment\'")];',
      );
    const before = countRows();
    expect(await edit(id, post)).toEqual({ kind: 'edited' });
    expect([blog().readPost(id), countRows()]).toEqual([expected, before]);
  });

  it('finds a picture in the blog’s media library, in any size', async () => {
    const [large, small] = blog().php(`
      $file = wp_upload_dir()['path'] . '/library picture.png'; $image = imagecreatetruecolor(900, 600); imagepng($image, $file);
      require_once ABSPATH . 'wp-admin/includes/image.php'; $id = wp_insert_attachment(['post_mime_type' => 'image/png', 'post_title' => 'library picture', 'post_status' => 'inherit'], $file);
      wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file)); return [wp_get_attachment_url($id), wp_get_attachment_image_src($id, 'medium')[0]];`);
    for (const url of [large, small]) {
      const id = blog().publish();
      expect(
        await edit(id, { featuredMedia: { ...aPicture(''), url } }, ['featuredMedia']),
      ).toEqual({ kind: 'edited' });
      expect({ url, ...blog().readPost(id) }).toMatchObject({
        url,
        picture: 'library picture.png',
        title: 'Old',
      });
    }
  });

  it('clears fields', async () => {
    const id = blog().publish();
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
    expect(blog().readPost(id)).toEqual({
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

  it('reports the errors of the blog', async () => {
    const [id, trashed, deleted] = [blog().publish(), blog().publish(), blog().publish()];
    blog().php(
      `wp_trash_post(${trashed}); wp_delete_post(${deleted}, true); wp_insert_user(['user_login' => 'reader', 'user_pass' => 'x', 'user_email' => 'r@example.com', 'role' => 'subscriber']);`,
    );
    const asReader = {
      ...blog().credentials,
      username: 'reader',
      applicationPassword: blog().createPassword('reader'),
    };
    const edits = [
      edit(id, { title: 'New' }, ['title'], {
        ...blog().credentials,
        applicationPassword: 'wron gpas swor dwro ngpa ssww',
      }),
      edit(id, { title: 'New' }, ['title'], asReader),
      edit(trashed, { title: 'New' }, ['title']),
      edit(deleted, { title: 'New' }, ['title']),
    ];
    expect(
      (await Promise.all(edits)).map((result) =>
        'code' in result ? [result.code, result.message] : result,
      ),
    ).toEqual([
      [
        'NETWORK_REAUTHORIZATION_NEEDED',
        'WordPress rejected the account’s credentials; connect the account again (401): Sorry, you are not allowed to edit this post.',
      ],
      [
        'NETWORK_FORBIDDEN',
        'WordPress does not allow the account to do this (403): Sorry, you are not allowed to edit this post.',
      ],
      ['NETWORK_POST_DELETED', 'WordPress no longer has the post: it is in the trash.'],
      ['NETWORK_POST_DELETED', 'WordPress no longer has the post (404): Invalid post ID.'],
    ]);
    expect(blog().readPost(id)).toMatchObject({ title: 'Old' });
    expect(await adapter().check(asReader)).toEqual({
      kind: 'failed',
      code: 'NETWORK_FORBIDDEN',
      message: 'WordPress does not allow reader to edit published posts.',
    });
  });
}
