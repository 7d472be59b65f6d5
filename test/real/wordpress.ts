import { testAdapter } from './adapter-tests.js';
import { testGateway } from './gateway-tests.js';
import { startTestBlog, type TestBlog } from './test-blog.js';

jest.setTimeout(120_000);

let blog: TestBlog;
beforeAll(async () => {
  blog = await startTestBlog();
});
afterAll(() => blog?.stop());

describe('the adapter', () => testAdapter(() => blog));
describe('a started gateway', () => testGateway(() => blog));
