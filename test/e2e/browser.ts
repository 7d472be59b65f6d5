import { chromium, type Browser, type Page } from 'playwright-core';
import { findProgram } from '../setup/program.js';

/** No request of the browser's own: what leaves is the page's. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page, and what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console and of scripts, refusals of the content policy among them, and requests to anywhere but the page's origin. */
  readonly complaints: string[];
}

const CHROMIUM = {
  whose: 'browser',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debianPackage: 'chromium',
};

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findProgram(CHROMIUM), args: FLAGS });

/** A page in a window of its own, with nothing stored. */
export async function watchedPage(browser: Browser, url: string): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 760 },
    colorScheme: 'light',
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
