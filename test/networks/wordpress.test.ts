import type { Media } from '../../src/domain/posts/post.js';
import { createWordpress } from '../../src/networks/wordpress/wordpress.js';
import { aPost } from '../fixtures/posts.js';
import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import type { Fault } from './stand-ins/stand-in.js';
import { openWordpress, wordpressCase, aBlog } from './stand-ins/wordpress.js';

const web = openTestWeb();

const blog = aBlog();
let there: Awaited<ReturnType<typeof openWordpress>>;
beforeEach(async () => {
  Object.assign(blog, aBlog());
  there = await openWordpress(blog);
});
afterEach(() => there.close());

const aPicture = (url: string, given: Partial<Media> = {}): Media => ({
  id: 'med_1',
  type: 'photo',
  url,
  altText: null,
  title: null,
  ...given,
});
const feature = (picture: Media) =>
  editAt(web, wordpressCase, there)({ type: 'article', featuredMedia: picture }, 'featuredMedia');
const [MEDIA, POSTS] = ['/wp-json/wp/v2/media', 'POST /wp-json/wp/v2/posts/7'];
const elsewhere = (): string =>
  `${there.url.replace('127.0.0.1', 'localhost')}/elsewhere/R%C3%B6aster%20one.png`;

describe('a featured picture', () => {
  it.each(['/wp-content/uploads/roaster.png', '/wp-content/uploads/roaster-300x200.png'])(
    'of the blog’s library is found by its address %s',
    async (path) => {
      blog.post.featured_media = 0;
      expect(await feature(aPicture(there.url + path))).toEqual({ kind: 'edited' });
      expect({ id: blog.post.featured_media, asked: there.received }).toEqual({
        id: 5,
        asked: [`GET ${MEDIA}`, POSTS],
      });
    },
  );

  it('from elsewhere is brought there once, with its words', async () => {
    const picture = aPicture(elsewhere(), { altText: 'A roaster', title: 'Roaster' });
    expect(await feature(picture)).toEqual({ kind: 'edited' });
    expect(there.received).toEqual([
      `GET ${MEDIA}`,
      'GET /elsewhere/R%C3%B6aster%20one.png',
      `POST ${MEDIA}`,
      POSTS,
    ]);
    const brought = {
      id: 60,
      slug: expect.stringMatching(/^roaster-one-[0-9a-f]{12}$/),
      source_url: expect.any(String),
      title: 'Roaster',
      alt_text: 'A roaster',
    };
    expect({ id: blog.post.featured_media, files: blog.files }).toEqual({
      id: 60,
      files: [...aBlog().files, brought],
    });
    expect(await feature(picture)).toEqual({ kind: 'edited' });
    expect({ asked: there.received.slice(4), complaints: there.complaints }).toEqual({
      asked: [`GET ${MEDIA}`, POSTS],
      complaints: [],
    });
  });

  it.each([
    [
      'is not there',
      { status: 404, text: '' },
      'NETWORK_REFUSED',
      / could not be fetched for WordPress \(404\)\.$/,
    ],
    [
      'cannot be had now',
      { status: 503, text: '' },
      'NETWORK_UNAVAILABLE',
      / could not be fetched for WordPress \(503\)\.$/,
    ],
    [
      'moved',
      { status: 301, headers: { Location: 'http://169.254.169.254/' } },
      'NETWORK_REFUSED',
      / could not be fetched for WordPress \(301\)\.$/,
    ],
    [
      'is a page',
      { status: 200, text: '<p>', headers: { 'Content-Type': 'text/html' } },
      'NETWORK_REFUSED',
      /^The featured picture is not one that a blog takes: it is text\/html\.$/,
    ],
    [
      'may be a program',
      { status: 200, text: '<svg/>', headers: { 'Content-Type': 'image/svg+xml' } },
      'NETWORK_REFUSED',
      /it is image\/svg\+xml\.$/,
    ],
    [
      'breaks off',
      'cut',
      'NETWORK_UNAVAILABLE',
      /^localhost:\d+ is not available: the connection was cut\.$/,
    ],
  ] as const)('from elsewhere that %s is no change', async (_name, fault: Fault, code, message) => {
    there.breakAt(1, fault);
    expect(told(await feature(aPicture(elsewhere())))).toEqual([
      code,
      expect.stringMatching(message),
    ]);
    expect({ blog, complaints: there.complaints }).toEqual({ blog: aBlog(), complaints: [] });
  });

  it.each([
    ['https://10.0.0.1/a.png', '10.0.0.1 cannot be asked: 10.0.0.1 is not a public address.'],
    [
      'https://169.254.169.254/latest/meta-data',
      '169.254.169.254 cannot be asked: 169.254.169.254 is not a public address.',
    ],
    ['https://[fd00::1]/a.png', '[fd00::1] cannot be asked: [fd00::1] is not a public address.'],
    [
      'http://media.example/a.png',
      'media.example cannot be asked: http://media.example does not begin with https://.',
    ],
  ])('is not fetched from %s', async (url, message) => {
    expect(told(await feature(aPicture(url)))).toEqual(['NETWORK_REFUSED', message]);
    expect(blog).toEqual(aBlog());
  });
});

it('takes a post in the trash for deleted', async () => {
  blog.post.status = 'trash';
  expect(
    told(await editAt(web, wordpressCase, there)({ type: 'article', title: 'New' }, 'title')),
  ).toEqual(['NETWORK_POST_DELETED', 'WordPress no longer has the post: it lies in the trash.']);
});

it.each([
  [
    404,
    { code: 'rest_no_route', message: 'No route was found matching the URL and request method.' },
    'NETWORK_UNAVAILABLE',
    'WordPress is not available (404): No route was found matching the URL and request method.',
  ],
  [
    404,
    { code: 'rest_post_invalid_id', message: 'Invalid post ID.' },
    'NETWORK_POST_DELETED',
    'WordPress no longer has the post (404): Invalid post ID.',
  ],
  [
    401,
    {
      code: 'incorrect_password',
      message:
        '<strong>Error:</strong> The provided password is an\n invalid application password.',
    },
    'NETWORK_REAUTHORIZATION_NEEDED',
    'WordPress no longer takes the account’s credentials; connect the account again (401): Error: The provided password is an invalid application password.',
  ],
  [
    400,
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): slug',
      data: { params: { slug: 'slug is too long.' } },
    },
    'NETWORK_REFUSED',
    'WordPress does not accept the change (400): Invalid parameter(s): slug slug is too long.',
  ],
])('understands %s %j', async (status, body, code, message) => {
  there.breakAt(0, { status, json: body });
  expect(
    told(await editAt(web, wordpressCase, there)({ type: 'article', title: 'New' }, 'title')),
  ).toEqual([code, message]);
});

it('shows no half of a secret where it cuts long words', async () => {
  const { applicationPassword } = wordpressCase.credentials(there.url);
  there.breakAt(0, {
    status: 400,
    json: {
      code: 'rest_x',
      message: `${'x'.repeat(290)} ${applicationPassword} ${'y'.repeat(290)}`,
    },
  });
  expect(
    told(await editAt(web, wordpressCase, there)({ type: 'article', title: 'New' }, 'title')),
  ).toEqual([
    'NETWORK_REFUSED',
    `WordPress does not accept the change (400): ${'x'.repeat(290)} ••• yyyy…`,
  ]);
});

it('connects no user who may not edit published posts', async () => {
  there.breakAt(0, { status: 200, json: { id: 2, capabilities: { read: true } } });
  expect(
    told(await wordpressCase.adapter(web, there.url).check(wordpressCase.credentials(there.url))),
  ).toEqual(['NETWORK_FORBIDDEN', 'WordPress does not let ada edit published posts.']);
});

it('hides the credentials in a fault of its own, which goes to the log', async () => {
  const { applicationPassword } = wordpressCase.credentials(there.url);
  const faulty = createWordpress(web, () => {
    throw Object.assign(new Error(`broken by ${applicationPassword}`), {
      request: { headers: applicationPassword },
    });
  });
  const edit = faulty.edit({
    account: aPost().account!,
    credentials: wordpressCase.credentials(there.url),
    remoteId: '7',
    post: aPost({ network: 'wordpress' }),
    changed: new Set(['content'] as const),
  });
  const error = (await edit.catch((caught: unknown) => caught)) as Error;
  const { message, stack, ...more } = error;
  expect({ message, stack, more }).toEqual({
    message: 'broken by •••',
    stack: expect.not.stringContaining(applicationPassword!),
    more: {},
  });
});
