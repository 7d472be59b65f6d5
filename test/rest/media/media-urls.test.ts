import { forAllTests } from '../../fixtures/lifecycle.js';
import { gatewayWith, withGateway, type TestGateway } from '../../fixtures/gateway.js';
import { aForm, aPicture } from '../../fixtures/media-files.js';

const OLD = 'https://old.example.com';
const NEW = 'https://posts.example.com';
const gateway = withGateway({ mediaBaseUrl: OLD });
/** Another process of the installation, in which MEDIA_BASE_URL has changed. */
const moved: TestGateway = forAllTests(
  () =>
    gatewayWith({
      databaseUrl: gateway.db.url,
      dataDir: gateway.config.dataDir,
      mediaBaseUrl: NEW,
    }),
  'close',
);

const POST = `query ($id: ID!) {
  post(id: $id) { media { url thumbnailUrl } featuredMedia { url } history(first: 9) { nodes { changes { field before after } } } }
  media(first: 9) { nodes { id url thumbnailUrl } }
  node(id: "MEDIA") { ... on Media { url } }
}`;

/** A blog post with an uploaded picture, whose caption was changed, and what both APIs show of it. */
async function aPostWithPicture() {
  const { body: media } = await gateway.request('/v1/media', {
    method: 'POST',
    body: aForm(await aPicture('jpeg')),
  });
  expect(media).toMatchObject({ type: 'photo' });
  const account = await gateway.records.anAccount({
    workspaceId: gateway.owner.workspace.id,
    network: 'wordpress',
    type: 'blog',
    sandbox: true,
  });
  const post = await gateway.records.aPost({
    by: gateway.owner,
    account,
    type: 'article',
    title: 'Shop',
  });
  for (const item of [
    { id: media.id, caption: 'One' },
    { path: media.path, caption: 'Two' },
  ])
    expect(
      (
        await gateway.v1('PUT', `/posts/${post.id}`, {
          body: { post: { media: [item], featured_media: { path: media.path } } },
        })
      ).body.errors,
    ).toBeUndefined();
  return { media, post };
}

/** Every URL in the answers of both APIs about the post, by the text after the base. */
async function urlsOf({ graphql, v1 }: TestGateway, postId: string, mediaId: string) {
  const caller = { as: gateway.owner };
  const answers = await Promise.all([
    graphql(POST.replace('MEDIA', mediaId), { id: postId }, caller),
    v1('GET', `/posts/${postId}`, caller),
    v1('GET', `/posts/${postId}/history`, caller),
    v1('GET', '/media', caller),
  ]);
  expect(answers.map(({ status, body }) => [status, body.errors])).toEqual(
    answers.map(() => [200, undefined]),
  );
  return answers.map(
    ({ body }) => JSON.stringify(body).match(/[^"]*\/media\/med_[^"]*/g) as readonly string[],
  );
}

describe('URLs of files', () => {
  it('start with the MEDIA_BASE_URL of now, in both APIs and in the history', async () => {
    const { media, post } = await aPostWithPicture();
    const before = await urlsOf(gateway, post.id, media.id);
    expect(before.map(({ length }) => length)).toEqual([10, 1, 4, 1]);
    expect(before.flat().filter((url) => !url.startsWith(`${OLD}/media/`))).toEqual([]);
    const rows = await gateway.db.scan<{ url: string; featured: string }>(
      "SELECT m.url, b.featured_media->>'url' AS featured FROM media m, post_body b WHERE m.id = $1 AND b.featured_media->>'id' = m.id",
      [media.id],
    );
    const path = (media.path as string).slice(OLD.length);
    expect(rows).toEqual([{ url: path, featured: path }]);

    const moveAll = (urls: readonly (readonly string[])[]) =>
      urls.map((some) => some.map((url) => url.replace(OLD, NEW)));
    expect(await urlsOf(moved, post.id, media.id)).toEqual(moveAll(before));

    // rows of processes that stored the whole URL
    await gateway.db.change('UPDATE media SET url = $2 WHERE id = $1', [media.id, media.path]);
    expect(await urlsOf(moved, post.id, media.id)).toEqual(moveAll(before));
  });

  it('name the same files after a move', async () => {
    const { media, post } = await aPostWithPicture();
    const url = (media.path as string).replace(OLD, NEW);
    const { status, body } = await moved.v1('PUT', `/posts/${post.id}`, {
      as: gateway.owner,
      body: { post: { media: [{ path: url, caption: 'Three' }], featured_media: { path: url } } },
    });
    expect([status, body.media]).toEqual([
      200,
      [expect.objectContaining({ id: media.id, url, alt_text: 'Three' })],
    ]);
  });
});
