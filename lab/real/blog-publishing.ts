import type { TestBlog } from './test-blog.js';
import type { RealNetwork } from './publishing-tests.js';

/** The blog, as workers publish on it. */
export const blogNetwork = (blog: TestBlog): RealNetwork => ({
  network: 'wordpress',
  accountType: 'blog',
  url: blog.url,
  removes: true,
  publishingCall: /^POST \/wp-json\/wp\/v2\/posts$/,
  environment: { NODE_EXTRA_CA_CERTS: blog.pictures.certificate },
  credentials: (site) => ({
    ...blog.credentials,
    applicationPassword: blog.createPassword('ada'),
    site,
  }),
  post: (marker) => ({
    type: 'article',
    title: `Harvest & “roast” ${marker}`,
    text: `First\n\nSecond ${marker}`,
    categories: ['Harvest'],
    tags: ['coffee'],
    featuredMedia: {
      id: 'med_1',
      type: 'photo',
      url: blog.pictures.url('harvest.png', 'https'),
      altText: 'Beans',
      title: null,
    },
  }),
  async find(marker) {
    const ids: number[] = blog.php(
      `return get_posts(['s' => '${marker}', 'post_status' => 'any', 'numberposts' => -1, 'fields' => 'ids']);`,
    );
    return ids.map((id) => ({ remoteId: String(id) }));
  },
});
