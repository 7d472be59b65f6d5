import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { buildWhatIsStarted, killStarted } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { anAsker, type Asker } from './asking.js';
import { brokenData, brokenPromises } from './broken-promises.js';
import { aChance, SEED } from './random.js';
import { aClient } from './clients.js';
import { FAULT_KINDS, type FaultKind } from './fault-kinds.js';
import { figuresOf } from './figures.js';
import { anInstallation, type Installation } from './installation.js';
import { aJournal, type Change, type FaultTime, type Journal } from './journal.js';
import { aStage, beginSeries, type Stage } from './stage.js';

/** `npm run test:faults -- --rounds 50`; in `npm test` even one of each kind would take too long. */
const ROUNDS = suite.number('rounds', { short: 3, quick: 20, full: 200 }[suite.form]);
const CLIENTS = 6;
const DOOMED_A_ROUND = 6;
const MOST_BEFORE_MS = 500;
const RECOVERS_WITHIN_MS = 5_000;
const LEASES_END_WITHIN_MS = 20_000;
const ROUND_MS = 15_000;
jest.setTimeout(180_000 + ROUNDS * ROUND_MS);

let installation: Installation;
beforeAll(async () => {
  buildWhatIsStarted();
  installation = await anInstallation();
}, 120_000);
afterAll(async () => {
  await installation?.close();
  killStarted();
});

/** `--only Redis`: those that have the word in their name. */
const KINDS = FAULT_KINDS.filter(({ name }) => name.includes(suite.option('only') ?? ''));

/** Each kind as often as the others, in an order of chance. */
function* kinds(count: number): Generator<FaultKind> {
  let left = KINDS;
  for (let round = 0; round < count; round++) {
    const kind = chance.oneOf(left);
    yield kind;
    left = left.length > 1 ? left.filter((one) => one !== kind) : KINDS;
  }
}

/** Waits until every gateway reads and writes again. */
async function recovered(asker: Asker, id: string): Promise<void> {
  const last = performance.now() + RECOVERS_WITHIN_MS;
  for (let gateway = 0; gateway < asker.count; gateway++) {
    while (
      (
        await asker.ask(gateway, {
          method: 'PUT',
          path: `/v1/posts/${id}?dry_run=true`,
          body: { post: { text: 'dry' } },
        })
      ).status !== 200
    ) {
      if (performance.now() > last)
        throw new Error(`gateway ${gateway + 1} did not recover (--seed ${SEED})`);
      await sleep(20);
    }
  }
}

/**
 * But for the full form nobody waits as long as killed processes hold things: claims of idempotency keys for 30 s, leases
 * of jobs for 20 s. A worker that lives renews its leases every 5 s; those that were not renewed for 8 s are of dead ones.
 */
async function endClaimsOfTheDead(): Promise<void> {
  if (suite.form !== 'full')
    await installation.postgres.admin(
      "UPDATE idempotency SET claimed_at = claimed_at - interval '1 minute' WHERE outcome IS NULL",
    );
}
async function endLeasesOfTheDead(): Promise<void> {
  if (suite.form === 'full') return;
  const { pool, close } = await installation.database();
  const isWorking = async (): Promise<boolean> =>
    (await pool.query("SELECT 1 FROM job WHERE status = 'working'")).rows.length > 0;
  for (
    const last = performance.now() + LEASES_END_WITHIN_MS;
    performance.now() < last && (await isWorking());
    await sleep(200)
  ) {
    await pool.query(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until BETWEEN now() AND now() + interval '12 seconds'",
    );
  }
  await close();
}

const chance = aChance(0);
const journal = aJournal();
let stage: Stage;

it('loses nothing that it acknowledged, does nothing by half, and answers 503 in time, whatever goes wrong under load', async () => {
  const database = await installation.database();
  stage = await aStage(database, { clients: CLIENTS, doomed: ROUNDS * DOOMED_A_ROUND });
  const asker = anAsker(
    installation.gateways.map(({ url }) => url),
    stage.viewer,
  );
  await beginSeries(asker, stage);
  await database.close();

  suite.tell(`seed ${SEED}`);
  let isOver = false;
  const clients = stage.own.map((own, at) =>
    aClient({ asker, journal, stage, chance: aChance(at + 1), isOver: () => isOver }, own),
  );
  for (const kind of kinds(ROUNDS)) {
    await sleep(chance.between([0, MOST_BEFORE_MS]));
    const fault: FaultTime = {
      kind,
      from: performance.now(),
      to: Infinity,
      recoveryMs: 0,
      victim: null,
    };
    journal.faults.push(fault);
    fault.victim = (await kind.begin(installation, chance)) ?? null;
    await sleep(chance.between(kind.lasts));
    await kind.end(installation);
    const mended = performance.now();
    await recovered(asker, stage.own[0]!.planned[0]!);
    Object.assign(fault, { to: performance.now(), recoveryMs: performance.now() - mended });
  }
  isOver = true;
  await endClaimsOfTheDead();
  await Promise.all(clients);
  await endLeasesOfTheDead();

  const broken = await brokenPromises({ installation, journal, stage, asker });
  figuresOf(journal).forEach((line) => suite.tell(line));
  await asker.close();
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
});

const LAST_CHANGE =
  "SELECT r.post_id FROM revision r WHERE r.changes ? 'text' ORDER BY r.at DESC LIMIT 1";
const LABELLED =
  "SELECT post_id, version FROM revision WHERE changes ? 'labels' ORDER BY post_id, version DESC LIMIT 1";
/** The last of several: the first change of a date shows what it was before. */
const TWICE_DATED =
  "SELECT post_id, max(version) FROM revision WHERE changes ? 'scheduledAt' GROUP BY post_id HAVING count(*) > 1 ORDER BY post_id LIMIT 1";
/** Of a series whose rule was changed after it was made. */
const RULED_CHILD =
  "SELECT min(c.id) FROM post c JOIN revision r ON r.post_id = c.parent_id AND r.version > 2 AND r.changes ? 'recurring' WHERE c.deleted_at IS NULL";
it.each<[string, string, RegExp]>([
  [
    'a change is lost',
    `DELETE FROM revision r WHERE r.post_id = (${LAST_CHANGE}) AND r.version = (SELECT p.version FROM post p WHERE p.id = r.post_id)`,
    /^post \S+ is \[(\d+),.* by its history \[(?!\1,)/,
  ],
  [
    'a text is another',
    `UPDATE post_body SET text = 'first' WHERE post_id = (${LAST_CHANGE})`,
    /is \[\d+,"first",.* by its history \[\d+,"mark \d+"/,
  ],
  [
    'a child of a series was left out',
    'DELETE FROM revision r WHERE r.post_id = (SELECT min(p.id) FROM post p JOIN revision r ON r.post_id = p.id WHERE p.parent_id IS NOT NULL)',
    /^series mark \d+ of \S+ was \w+, and is in (\d+) of (?!\1 )\d+ places/,
  ],
  [
    'a date is another',
    "UPDATE post SET scheduled_at = scheduled_at + interval '1 hour' WHERE id = (SELECT post_id FROM revision WHERE changes ? 'scheduledAt' ORDER BY at DESC LIMIT 1)",
    /^post \S+ is \[\d+,"[^"]*","([^"]+)",.* by its history \[\d+,"[^"]*","(?!\1)/,
  ],
  [
    'a version is made on another date',
    `UPDATE revision SET changes = jsonb_set(changes, '{scheduledAt,from}', '"2026-01-01T00:00:00.000Z"') WHERE (post_id, version) = (${TWICE_DATED})`,
    /was made on the date 2026-01-01T00:00:00.000Z, and it was/,
  ],
  [
    'half of the labels are lost',
    `UPDATE revision SET changes = jsonb_set(changes, '{labels,to}', (changes #> '{labels,to}') - 1) WHERE (post_id, version) = (${LABELLED})`,
    /^labels mark \d+ was to have the labels mark \d+,mark \d+ too, and has mark \d+$/,
  ],
  [
    'a series ends on another day',
    "UPDATE revision SET changes = jsonb_set(changes, '{recurring,to,endDate}', '\"2026-01-01T00:00:00Z\"') WHERE version > 2 AND changes ? 'recurring'",
    /^rule mark \d+ was to have the last day \S+, and has 2026-01-01$/,
  ],
  [
    'a series has a child too few',
    `UPDATE post SET deleted_at = now() WHERE id = (${RULED_CHILD})`,
    /^the series \S+ has the children .*, by its rule/,
  ],
  [
    'a version is left out',
    `UPDATE post SET version = version + 1 WHERE id = (${LAST_CHANGE})`,
    /^post \S+ is \[\d+,.* by its history/,
  ],
  [
    'a version is made on other labels',
    `UPDATE revision SET changes = jsonb_set(changes, '{labels,from}', '[{"name":"other"}]') WHERE (post_id, version) = (${LABELLED})`,
    /was made on the labels other, and they were/,
  ],
  [
    'a post is gone',
    'UPDATE post SET deleted_at = now() WHERE id = (SELECT min(post_id) FROM cap_slot)',
    /^a place is held for nothing/,
  ],
  [
    'a place of a daily cap is lost',
    'DELETE FROM cap_slot WHERE post_id = (SELECT min(post_id) FROM cap_slot)',
    /^a place is not held/,
  ],
  [
    'a count is wrong',
    'UPDATE post_count SET posts = posts + 1 WHERE cell = 1 AND slot = (SELECT min(slot) FROM post_count WHERE cell = 1)',
    /^1 more posts are kept as the count of cell 1/,
  ],
  [
    'the search is behind',
    `UPDATE post_search SET normal = 'old' WHERE post_id = (${LAST_CHANGE})`,
    /^the search has old for post/,
  ],
  [
    'a job is lost',
    "DELETE FROM job WHERE id = (SELECT min(id) FROM job WHERE kind = 'network_edit')",
    /^post \S+ has the versions .* and jobs for/,
  ],
  [
    'a network shows something else',
    'UPDATE sandbox_post SET fields = fields || \'{"text":"first"}\' WHERE edits > 0',
    /^post \S+ has .* its network shows first/,
  ],
])('would see it where %s', async (_what, harm, complaint) => {
  const { pool, close } = await installation.database();
  const alone = new pg.Pool({ ...pool.options, max: 1 }); // its one connection is in a transaction from here on
  const found = (): Promise<string[]> => brokenData({ pool: alone }, { journal, stage });
  await alone.query('BEGIN');
  expect(await found()).toEqual([]);
  expect((await alone.query(harm)).rowCount).toBeGreaterThan(0);
  expect(await found()).toContainEqual(expect.stringMatching(complaint));
  await alone.query('ROLLBACK');
  await alone.end();
  await close();
});

/** Lets the first change that is like this have been told something else. */
const toldOtherwise = (
  isMeant: (change: Change) => boolean,
  told: (change: Change) => Partial<Change>,
): Journal => {
  const at = journal.changes.findIndex(isMeant);
  return {
    ...journal,
    changes: journal.changes.with(at, { ...journal.changes[at]!, ...told(journal.changes[at]!) }),
  };
};
it.each<[string, () => Journal, RegExp]>([
  [
    'another version',
    () =>
      toldOtherwise(
        ({ kind, outcome }) => kind === 'text' && outcome === 'done',
        ({ version }) => ({ version: version! + 1 }),
      ),
    /^text mark \d+ was acknowledged as version \d+ of \S+, and is another$/,
  ],
  [
    'a version that does not follow the expected one',
    () =>
      toldOtherwise(
        ({ kind, outcome }) => kind === 'versioned' && outcome === 'done',
        ({ version }) => ({ expectedVersion: version! - 2 }),
      ),
    /^versioned mark \d+ of \S+ was asked for on version \d+, and acknowledged as version/,
  ],
  [
    'a change that is nowhere',
    () =>
      toldOtherwise(
        ({ kind, outcome }) => kind === 'text' && outcome === 'done',
        () => ({ mark: 'elsewhere' }),
      ),
    /^text elsewhere of \S+ was done, and is in 0 of 1 places$/,
  ],
  [
    'a refusal of what was done',
    () =>
      toldOtherwise(
        ({ outcome }) => outcome === 'done',
        () => ({ outcome: 'refused' }),
      ),
    / was refused, and is in \d+ of \d+ places$/,
  ],
  [
    'another date',
    () =>
      toldOtherwise(
        ({ kind, outcome }) => kind === 'date' && outcome === 'done',
        () => ({ scheduledAt: '2026-01-01T00:00:00Z' }),
      ),
    /^date mark \d+ was to have the date 2026-01-01T00:00:00.000Z, and has/,
  ],
  [
    'a job that there is not',
    () =>
      toldOtherwise(
        ({ job }) => job !== null,
        () => ({ job: 'no-job' }),
      ),
    /^the job no-job of mark \d+ does not exist$/,
  ],
])('would see it where an answer told %s', async (_what, harmed, complaint) => {
  const database = await installation.database();
  expect(await brokenData(database, { journal: harmed(), stage })).toContainEqual(
    expect.stringMatching(complaint),
  );
  await database.close();
});
