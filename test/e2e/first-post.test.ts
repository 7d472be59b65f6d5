import { expectOutputsShown, startExampleGateway, type ExampleGateway } from './guide-examples.js';

let gateway: ExampleGateway;
beforeAll(async () => {
  gateway = await startExampleGateway({});
});
afterAll(() => gateway?.close());

it('the guide creates posts that are published while its commands run', async () => {
  await expectOutputsShown(gateway, 'docs/first-post.md');
  expect(gateway.proxy.violations).toEqual([]);
});
