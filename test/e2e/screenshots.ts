import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { openBrowser, watchedPage } from './browser.js';
import { openPlayground, openTab, run } from './graphiql.js';
import { startDemo } from './started-demo.js';

const IMAGES = path.resolve(__dirname, '../../docs/images');

/** Languages of the demo's posts whose scripts need fonts of their own, and emoji in colour. */
const LANGUAGES = ['ar', 'ja', 'th', 'zh-tw', 'und-zsye'];

/** @throws Error if the images would show empty boxes instead of letters */
function assertFonts(): void {
  const missing = LANGUAGES.filter(
    (language) => execFileSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' }) === '',
  );
  if (missing.length > 0)
    throw new Error(
      `No font for ${missing.join(', ')}. Install fonts (on Debian: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji).`,
    );
}

/** Not a test: `npm run screenshots` uses it to create the images of the README. */
it('takes the screenshots', async () => {
  assertFonts();
  const [browser, gateway] = await Promise.all([openBrowser(), startDemo()]);
  const { page: playground } = await openPlayground(browser, gateway.url);
  await openTab(playground, 'PostRights');
  await run(playground);
  await playground.mouse.move(0, 0);
  await playground.waitForTimeout(500);
  await playground.screenshot({ path: path.join(IMAGES, 'playground.png') });

  const { page: apiDocs } = await watchedPage(browser, `${gateway.url}/docs`);
  const update = apiDocs.locator('#operations-Posts-updatePost');
  await update.locator('.opblock-summary-control').click();
  await update.locator('.opblock-body textarea').waitFor();
  await update.evaluate((operation) => operation.scrollIntoView());
  await apiDocs.mouse.move(0, 0);
  await apiDocs.waitForTimeout(500);
  await apiDocs.screenshot({ path: path.join(IMAGES, 'reference.png') });

  const { page: sandbox } = await watchedPage(browser, `${gateway.url}/sandbox`, {
    reducedMotion: 'reduce',
  });
  await sandbox.locator('.post').first().waitFor();
  await sandbox.screenshot({ path: path.join(IMAGES, 'sandbox.png') });
  await Promise.all([browser.close(), gateway.stop()]);
});
