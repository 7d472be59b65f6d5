import { testAdapter } from './adapter-tests.js';
import { testBlogPublisher } from './blog-publisher-tests.js';
import { blogNetwork } from './blog-publishing.js';
import { testConsentInBrowser, type BrowserPage } from './connection-tests.js';
import { testGateway } from './gateway-tests.js';
import { testRealPublishing } from './publishing-tests.js';
import { startTestBlog, type TestBlog } from './test-blog.js';

let blog: TestBlog;
beforeAll(async () => {
  blog = await startTestBlog();
});
afterAll(() => blog?.stop());

/** Signs in as the editor, if the browser has not, and waits for the question of the blog. */
async function signIn(page: BrowserPage): Promise<void> {
  const [user, question] = [page.locator('#user_login'), page.locator('#approve')];
  await user.or(question).waitFor();
  if (await question.isVisible()) return;
  await user.fill('ada');
  await page.locator('#user_pass').fill('a long password');
  await page.locator('#wp-submit').click();
  await question.waitFor();
}

describe('the adapter', () => testAdapter(() => blog));
describe('a started gateway', () => testGateway(() => blog));
describe('consent', () =>
  testConsentInBrowser(
    () => ({
      networkName: 'WordPress',
      accountName: 'Kiosk',
      find: blogNetwork(blog).find,
      page: {
        field: 'Address of your blog',
        server: blog.url,
        allow: async (page) => {
          await signIn(page);
          await page.getByRole('button', { name: 'Yes, I approve of this connection' }).click();
        },
        deny: async (page) => {
          await signIn(page);
          await page.getByRole('button', { name: 'No, I do not approve' }).click();
        },
      },
    }),
    'ARTICLE',
  ));
describe('publication by the adapter', () => testBlogPublisher(() => blog));
describe('publication by workers', () => testRealPublishing(() => blogNetwork(blog)));
