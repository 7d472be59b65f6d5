import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findProgram } from '../setup/system-program.js';

/** Disables requests of the browser itself, so that every request comes from the page. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page and its errors. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Console errors and warnings, exceptions, violations of the content security policy, and
   * requests to other origins.
   */
  readonly complaints: string[];
}

const CHROMIUM = {
  neededBy: 'browser',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debianPackage: 'chromium',
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findProgram(CHROMIUM), args: FLAGS });

/** Opens a page in a new browser context with empty storage: by default a wide, light window. */
export async function watchedPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    colorScheme: 'light',
    ...options,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`outside: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}
