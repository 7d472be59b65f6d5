import { testAdapter } from './adapter-tests.js';
import { testBlogPublisher } from './blog-publisher-tests.js';
import { blogNetwork } from './blog-publishing.js';
import { testGateway } from './gateway-tests.js';
import { testRealPublishing } from './publishing-tests.js';
import { startTestBlog, type TestBlog } from './test-blog.js';

jest.setTimeout(120_000);

let blog: TestBlog;
beforeAll(async () => {
  blog = await startTestBlog();
});
afterAll(() => blog?.stop());

describe('the adapter', () => testAdapter(() => blog));
describe('a started gateway', () => testGateway(() => blog));
describe('publication by the adapter', () => testBlogPublisher(() => blog));
describe('publication by workers', () => testRealPublishing(() => blogNetwork(blog)));
