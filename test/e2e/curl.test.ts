import {
  bodiesIn,
  examplesOf,
  expectOutputsShown,
  PAGES,
  startExampleGateway,
  type ExampleGateway,
} from './guide-examples.js';

/** Publishes posts: see first-post.test.ts. */
const FIRST_POST = 'docs/first-post.md';

let gateway: ExampleGateway;
beforeAll(async () => {
  // The posts stay as they are while the commands run.
  gateway = await startExampleGateway({ PUBLISH_POSTS: '0' });
});
afterAll(() => gateway?.close());

const pagesWithExamples = PAGES.filter(
  (page) => page !== FIRST_POST && examplesOf(page).length > 0,
);

it('runs the examples of the README and of the guides', () => {
  expect(pagesWithExamples).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/first-query.md',
      'docs/filters.md',
      'docs/editing-published-posts.md',
      'docs/bulk-delete.md',
      'docs/limits.md',
      'docs/keys.md',
    ]),
  );
});

it.each(pagesWithExamples)('the examples of %s work unchanged and print the output shown', (page) =>
  expectOutputsShown(gateway, page),
);

it('shows an edit that the network accepts, and one that it rejects', async () => {
  const bodies = (await gateway.outputsOf('docs/editing-published-posts.md')).flatMap(
    bodiesIn,
  ) as Record<string, any>[];
  expect(bodies).toContainEqual({ status: 'completed', payload: { failures: {} } });
  expect(bodies).toContainEqual(
    expect.objectContaining({
      network: 'mastodon',
      type: 'poll',
      text: 'Which milk in your flat white?',
    }),
  );
  const { id } = bodies.find(({ text }) => text === 'Which milk in your flat white?')!;
  expect(bodies).toContainEqual({
    status: 'failed',
    payload: {
      failures: {
        [id]: ['Sandbox network: The network rejected the change.'],
      },
    },
  });
});

it('receives only REST responses that match the OpenAPI document', async () => {
  await Promise.all(pagesWithExamples.map(gateway.outputsOf));
  expect(gateway.proxy.violations).toEqual([]);
});
