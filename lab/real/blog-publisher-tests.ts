import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { createWordpress } from '../../src/networks/wordpress/wordpress.js';
import { systemClock } from '../../src/services/clock.js';
import { blogHtml } from '../../src/services/posts/blog-html/blog-html.js';
import { adapterPublishing } from './adapter-publishing.js';
import { CONTENT, HTML, type BlogCredentials, type TestBlog } from './test-blog.js';

/** Tests how the adapter publishes on the blog, and what it finds there. */
export function testBlogPublisher(blog: () => TestBlog): void {
  let credentials: BlogCredentials;
  beforeAll(() => {
    credentials = { ...blog().credentials, applicationPassword: blog().createPassword('ada') };
  });
  const adapter = createWordpress(
    createHttpClient({ allowLoopback: true, clock: systemClock }),
    blogHtml,
  );
  const publishing = () => adapterPublishing('wordpress', adapter, credentials);

  it('publishes an article with all fields, finds it, edits it and moves it to the trash', async () => {
    const { publisher, prepare, publish, remove, lookWithoutAttempt } = publishing();
    const sent = await prepare({
      type: 'article',
      title: 'First & “foremost”',
      content: CONTENT,
      excerpt: 'Short',
      url: 'first-foremost',
      featuredMedia: {
        id: 'med_1',
        type: 'photo',
        url: blog().pictures.url('first.png'),
        altText: 'Beans',
        title: null,
      },
      categories: ['Firsts & more'],
      tags: ['coffee'],
    });
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
    const live = await publish(sent);
    expect(live).toEqual({
      kind: 'live',
      remoteId: expect.stringMatching(/^\d+$/),
      url: `${blog().url}/first-foremost/`,
    });
    const { remoteId } = live;
    expect(blog().readPost(remoteId)).toEqual({
      title: 'First & “foremost”',
      content: HTML,
      excerpt: 'Short',
      slug: 'first-foremost',
      status: 'publish',
      categories: ['Firsts &amp; more'],
      tags: ['coffee'],
      picture: expect.stringMatching(/^first-[0-9a-f]{12}\.png$/),
      alt: 'Beans',
    });
    expect(await publisher.look(sent)).toEqual(live);
    expect(await lookWithoutAttempt(sent)).toEqual(live);
    expect(
      await adapter.edit({ ...sent, remoteId, changed: new Set(['excerpt'] as const) }),
    ).toEqual({ kind: 'edited' });
    for (let times = 0; times < 2; times += 1)
      expect(await remove(remoteId)).toEqual({ kind: 'removed' });
    expect(blog().readPost(remoteId)).toMatchObject({ status: 'trash' });
    expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
  });

  it.each([
    'Röstung & Café: Größe, Øre',
    '咖啡豆的新收成 2026',
    'Ernte '.repeat(60),
    '新'.repeat(200),
    'embed',
    '2026',
    '🙂 …',
    'Ada\'s <i>first</i> \\ "post", 100 %',
  ])('finds each of two posts with the title %j by its slug', async (title) => {
    const { publisher, prepare, publish } = publishing();
    for (const text of ['one', 'two']) {
      const sent = await prepare({ type: 'article', title, text });
      expect(await publisher.look(sent)).toEqual({ kind: 'not_there' });
      const live = await publish(sent);
      expect(await publisher.look(sent)).toEqual(live);
    }
  });

  it('cannot tell which post is its own if another one took the slug', async () => {
    const { publisher, prepare } = publishing();
    const sent = await prepare({ type: 'article', title: 'Contested', text: 'own' });
    blog().php(
      "return wp_insert_post(['post_title' => 'Stranger', 'post_name' => 'contested', 'post_status' => 'publish', 'post_content' => 'x']);",
    );
    expect(await publisher.look(sent)).toEqual({ kind: 'cannot_tell' });
  });
}
