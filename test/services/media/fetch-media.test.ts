import type { RequestListener } from 'node:http';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { aFileServer, serving, type FileServer } from '../../fixtures/file-server.js';
import { aPdf } from '../../fixtures/media-files.js';
import { mediaLibraryOn } from '../../fixtures/media-library.js';
import { withWorker } from '../../fixtures/test-worker.js';

const fixture = withWorker();
let server: FileServer;
beforeEach(async () => {
  await fixture.clearJobs();
  let failures = 1;
  const later: RequestListener = (request, response) =>
    failures-- > 0 ? void response.writeHead(503).end() : serving(aPdf())(request, response);
  const file = serving(aPdf());
  server = await aFileServer({
    '/a1': file,
    '/a2': file,
    '/a3': file,
    '/b1': file,
    '/later': later,
  });
});
afterEach(() => server.close());

/** Imports files, and returns the ID of the job. */
async function imported(by: Viewer, ...paths: string[]): Promise<string> {
  const items = paths.map((path) => ({
    url: server.url + path,
    name: null,
    altText: null,
    path: [],
  }));
  const library = mediaLibraryOn(fixture.database, fixture.clock);
  const outcome = await library.import(by, { items, inLibrary: true, dryRun: false });
  if (outcome.kind === 'refused') throw new Error(outcome.refusals[0]!.message);
  return outcome.jobId!;
}

it('jobs with many files and other jobs take turns', async () => {
  const job = await imported(await fixture.aViewer(), '/a1', '/a2', '/a3');
  await imported(await fixture.aViewer(), '/b1');
  expect(await fixture.runDueJobs()).toEqual(['postponed', 'completed']);
  expect([...server.requests.keys()].map(([, name]) => name)).toEqual(['a', 'b']);
  expect(await fixture.runDueJobs()).toEqual(['postponed']);
  expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 0 });
  expect(await fixture.runDueJobs()).toEqual(['completed']);
  expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 1, failures: [] });
  expect([...server.requests.values()]).toEqual([1, 1, 1, 1]);
});

it('a file whose server does not respond is tried again after the other files', async () => {
  const job = await imported(await fixture.aViewer(), '/later', '/a1');
  expect(await fixture.runDueJobs()).toEqual(['postponed']);
  expect(await fixture.runDueJobs()).toEqual(['retried']);
  expect(await fixture.job(job)).toMatchObject({ status: 'working', attempts: 1 });
  expect(await fixture.runDueJobs()).toEqual([]);
  await fixture.makeJobsDue();
  expect(await fixture.runDueJobs()).toEqual(['completed']);
  expect(await fixture.job(job)).toMatchObject({ status: 'completed', attempts: 2, failures: [] });
  expect(Object.fromEntries(server.requests)).toEqual({ '/later': 2, '/a1': 1 });
});
