import { withGateway } from '../../test/fixtures/gateway.js';
import { testAdapter } from './adapter-tests.js';
import { testBlogPublisher } from './blog-publisher-tests.js';
import { blogNetwork } from './blog-publishing.js';
import { testGateway } from './gateway-tests.js';
import { testRealPublishing } from './publishing-tests.js';
import { startTestBlog, type TestBlog } from './test-blog.js';

let blog: TestBlog;
beforeAll(async () => {
  blog = await startTestBlog();
});
afterAll(() => blog?.stop());

describe('the adapter', () => testAdapter(() => blog));
describe('a started gateway', () => testGateway(() => blog));
describe('consent', () => {
  const gateway = withGateway({ networksAllowLoopback: true });

  /** Signs in as the editor and presses a button of the blog's own page, like a browser. */
  async function answerPage(page: string, button: 'approve' | 'reject'): Promise<string> {
    const credentials = new URLSearchParams({
      log: 'ada',
      pwd: 'a long password',
      testcookie: '1',
    });
    const signedIn = await fetch(`${blog.url}/wp-login.php`, {
      method: 'POST',
      body: credentials,
      redirect: 'manual',
      headers: { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    });
    const Cookie = signedIn.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0]!)
      .join('; ');
    const html = await (await fetch(page, { headers: { Cookie } })).text();
    const form = /<form[^>]*authorize-application[^>]*>(.*?)<\/form>/s.exec(html)![1]!;
    const body = new URLSearchParams({ app_name: 'Posts Gateway', [button]: '1' });
    for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g))
      body.set(
        /name="([^"]*)"/.exec(input)![1]!,
        /value="([^"]*)"/.exec(input)![1]!.replaceAll(/&(#038|amp);/g, '&'),
      );
    const answered = await fetch(page.split('?')[0]!, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { Cookie },
    });
    return answered.headers.get('location')!;
  }

  async function connect(button: 'approve' | 'reject') {
    const { body } = await gateway.v1('POST', '/connections', {
      body: { network: 'wordpress', server: blog.url },
    });
    const { pathname, search } = new URL(await answerPage(body.authorize_url, button));
    await fetch(`${gateway.url}${pathname}${search}`, { redirect: 'manual' });
    return (await gateway.v1('GET', `/connections/${body.id as string}`)).body;
  }

  it('connects the blog of the person who approves the application', async () => {
    expect(await connect('reject')).toMatchObject({
      status: 'failed',
      account_ids: [],
      error: { code: 'CONSENT_DENIED' },
    });
    const { status, account_ids: ids } = await connect('approve');
    expect(status).toBe('connected');
    expect(await gateway.v1('POST', `/accounts/${ids[0] as string}/check`)).toMatchObject({
      body: { name: 'Kiosk', connection: { method: 'oauth', health: 'ok' } },
    });
  });
});

describe('publication by the adapter', () => testBlogPublisher(() => blog));
describe('publication by workers', () => testRealPublishing(() => blogNetwork(blog)));
