import type { Media } from '../../../src/domain/posts/post-content.js';
import { createWordpress } from '../../../src/networks/wordpress/wordpress.js';
import { aPost } from '../../fixtures/posts.js';
import { editOn, createTestHttpClient, outcomeOf } from '../stand-ins/edit-requests.js';
import type { Fault } from '../stand-ins/stand-in.js';
import { wordpressCase } from '../stand-ins/wordpress.js';
import { aBlog, startWordpress } from '../stand-ins/wordpress-server.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const http = createTestHttpClient();

const blog = aBlog();
beforeEach(async () => {
  Object.assign(blog, aBlog());
});
const standIn = forEachTest(() => startWordpress(blog), 'close');

const aPicture = (url: string, more: Partial<Media> = {}): Media => ({
  id: 'med_1',
  type: 'photo',
  url,
  altText: null,
  title: null,
  ...more,
});
const feature = (picture: Media) =>
  editOn(
    http,
    wordpressCase,
    standIn,
  )({ type: 'article', featuredMedia: picture }, 'featuredMedia');
const [MEDIA, POSTS] = ['/wp-json/wp/v2/media', 'POST /wp-json/wp/v2/posts/7'];
const externalUrl = (): string =>
  `${standIn.url.replace('127.0.0.1', 'localhost')}/elsewhere/R%C3%B6aster%20one.png`;

describe('a featured image', () => {
  it.each(['/wp-content/uploads/roaster.png', '/wp-content/uploads/roaster-300x200.png'])(
    'in the blog’s media library is found by its URL %s',
    async (path) => {
      blog.post.featured_media = 0;
      expect(await feature(aPicture(standIn.url + path))).toEqual({ kind: 'edited' });
      expect({ id: blog.post.featured_media, requests: standIn.requests }).toEqual({
        id: 5,
        requests: [`GET ${MEDIA}`, POSTS],
      });
    },
  );

  it('from another site is uploaded once, with its texts', async () => {
    const picture = aPicture(externalUrl(), { altText: 'A roaster', title: 'Roaster' });
    expect(await feature(picture)).toEqual({ kind: 'edited' });
    expect(standIn.requests).toEqual([
      `GET ${MEDIA}`,
      'GET /elsewhere/R%C3%B6aster%20one.png',
      `POST ${MEDIA}`,
      POSTS,
    ]);
    const uploaded = {
      id: 60,
      slug: expect.stringMatching(/^roaster-one-[0-9a-f]{12}$/),
      source_url: expect.any(String),
      title: 'Roaster',
      alt_text: 'A roaster',
    };
    expect({ id: blog.post.featured_media, files: blog.files }).toEqual({
      id: 60,
      files: [...aBlog().files, uploaded],
    });
    expect(await feature(picture)).toEqual({ kind: 'edited' });
    expect({ requests: standIn.requests.slice(4), complaints: standIn.violations }).toEqual({
      requests: [`GET ${MEDIA}`, POSTS],
      complaints: [],
    });
  });

  it.each([
    [
      'does not exist',
      { status: 404, text: '' },
      'NETWORK_REFUSED',
      /^Failed to download \S+ for WordPress \(404\)\.$/,
    ],
    [
      'is temporarily unavailable',
      { status: 503, text: '' },
      'NETWORK_UNAVAILABLE',
      /^Failed to download \S+ for WordPress \(503\)\.$/,
    ],
    [
      'redirects',
      { status: 301, headers: { Location: 'http://169.254.169.254/' } },
      'NETWORK_REFUSED',
      /^Failed to download \S+ for WordPress \(301\)\.$/,
    ],
    [
      'is an HTML page',
      { status: 200, text: '<p>', headers: { 'Content-Type': 'text/html' } },
      'NETWORK_REFUSED',
      /^WordPress does not accept the featured image: its type is text\/html\.$/,
    ],
    [
      'may contain scripts',
      { status: 200, text: '<svg/>', headers: { 'Content-Type': 'image/svg+xml' } },
      'NETWORK_REFUSED',
      /its type is image\/svg\+xml\.$/,
    ],
    [
      'is interrupted',
      'disconnect',
      'NETWORK_UNAVAILABLE',
      /^localhost:\d+ is unavailable: the connection was interrupted\.$/,
    ],
  ] as const)(
    'from another site that %s changes nothing',
    async (_name, fault: Fault, code, message) => {
      standIn.injectFault(1, fault);
      expect(outcomeOf(await feature(aPicture(externalUrl())))).toEqual([
        code,
        expect.stringMatching(message),
      ]);
      expect({ blog, complaints: standIn.violations }).toEqual({ blog: aBlog(), complaints: [] });
    },
  );

  it.each([
    ['https://10.0.0.1/a.png', 'Request to 10.0.0.1 blocked: 10.0.0.1 is not a public address.'],
    [
      'https://169.254.169.254/latest/meta-data',
      'Request to 169.254.169.254 blocked: 169.254.169.254 is not a public address.',
    ],
    ['https://[fd00::1]/a.png', 'Request to [fd00::1] blocked: [fd00::1] is not a public address.'],
    [
      'http://media.example/a.png',
      'Request to media.example blocked: http://media.example does not start with https://.',
    ],
  ])('is not downloaded from %s', async (url, message) => {
    expect(outcomeOf(await feature(aPicture(url)))).toEqual(['NETWORK_REFUSED', message]);
    expect(blog).toEqual(aBlog());
  });
});

it('treats a post in the trash as deleted', async () => {
  blog.post.status = 'trash';
  expect(
    outcomeOf(
      await editOn(http, wordpressCase, standIn)({ type: 'article', title: 'New' }, 'title'),
    ),
  ).toEqual(['NETWORK_POST_DELETED', 'WordPress no longer has the post: it is in the trash.']);
});

it.each([
  [
    404,
    { code: 'rest_no_route', message: 'No route was found matching the URL and request method.' },
    'NETWORK_UNAVAILABLE',
    'WordPress is unavailable (404): No route was found matching the URL and request method.',
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
    'WordPress rejected the account’s credentials; connect the account again (401): Error: The provided password is an invalid application password.',
  ],
  [
    400,
    {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): slug',
      data: { params: { slug: 'slug is too long.' } },
    },
    'NETWORK_REFUSED',
    'WordPress rejected the change (400): Invalid parameter(s): slug slug is too long.',
  ],
])('maps %s %j', async (status, body, code, message) => {
  standIn.injectFault(0, { status, json: body });
  expect(
    outcomeOf(
      await editOn(http, wordpressCase, standIn)({ type: 'article', title: 'New' }, 'title'),
    ),
  ).toEqual([code, message]);
});

it('shows no part of a secret in a shortened message', async () => {
  const { applicationPassword } = wordpressCase.credentials(standIn.url);
  standIn.injectFault(0, {
    status: 400,
    json: {
      code: 'rest_x',
      message: `${'x'.repeat(290)} ${applicationPassword} ${'y'.repeat(290)}`,
    },
  });
  expect(
    outcomeOf(
      await editOn(http, wordpressCase, standIn)({ type: 'article', title: 'New' }, 'title'),
    ),
  ).toEqual([
    'NETWORK_REFUSED',
    `WordPress rejected the change (400): ${'x'.repeat(290)} ••• yyyy…`,
  ]);
});

it('does not connect a user who cannot edit published posts', async () => {
  standIn.injectFault(0, { status: 200, json: { id: 2, capabilities: { read: true } } });
  expect(
    outcomeOf(
      await wordpressCase.adapter(http, standIn.url).check(wordpressCase.credentials(standIn.url)),
    ),
  ).toEqual(['NETWORK_FORBIDDEN', 'WordPress does not allow ada to edit published posts.']);
});

it('redacts the credentials in an internal error, which is logged', async () => {
  const { applicationPassword } = wordpressCase.credentials(standIn.url);
  const failing = createWordpress(http, () => {
    throw Object.assign(new Error(`broken by ${applicationPassword}`), {
      request: { headers: applicationPassword },
    });
  });
  const edit = failing.edit({
    account: aPost().account!,
    credentials: wordpressCase.credentials(standIn.url),
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
