import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/persistence/database.js';
import { brokenAnswers } from './answers.js';
import type { Asker } from './asking.js';
import type { Told } from './changes.js';
import { brokenHistory } from './history.js';
import type { Installation } from './installation.js';
import type { Change, Journal } from './journal.js';
import { brokenRows } from './rows.js';
import type { Stage } from './stage.js';

/** A worker that was killed keeps its jobs until its lease ends, 20 seconds later. */
const JOBS_END_WITHIN_MS = 90_000;
/** So many at once ask once more for their changes with a key. */
const REPLAYED_AT_ONCE = 8;
/** Lines of a report: what is broken a thousand times is broken. */
const MOST_TOLD = 30;

interface Scene {
  readonly installation: Installation;
  readonly journal: Journal;
  readonly stage: Stage;
  readonly asker: Asker;
}

async function jobsLeft({ pool }: Database): Promise<string[]> {
  const last = performance.now() + JOBS_END_WITHIN_MS;
  for (;;) {
    const { rows } = await pool.query<{ id: string; attempts: number }>(
      "SELECT id, attempts FROM job WHERE status = 'working'",
    );
    if (rows.length === 0 || performance.now() > last)
      return rows.map(
        ({ id, attempts }) => `the job ${id} has not ended after ${attempts} attempts`,
      );
    await sleep(200);
  }
}

const shown = (told: Told | null): string =>
  JSON.stringify(told && [told.outcome, told.version, told.job, told.text]);

/** What was told under a key is told so again, and of what was done v1 says that it was before; that it is not done again the history shows. */
async function brokenReplays({ journal, asker }: Scene): Promise<string[]> {
  const broken: string[] = [];
  const left = journal.changes.filter(
    (change): change is Change & Told => change.key !== null && change.outcome !== 'unknown',
  );
  const replay = async (): Promise<void> => {
    for (let change = left.pop(); change; change = left.pop()) {
      const { kind, mark, request, read, outcome } = change;
      const answer = await asker.ask(left.length % asker.count, request);
      const again = read(answer);
      const isSaid =
        outcome !== 'done' ||
        request.method === 'POST' ||
        answer.headers['idempotency-replayed'] === 'true';
      if (shown(again) !== shown(change) || !isSaid)
        broken.push(
          `${kind} ${mark} was told ${shown(change)}, and asked for again ${answer.status} ${answer.code} ${shown(again)}${isSaid ? '' : ' without a word of it'}`,
        );
    }
  };
  await Promise.all(Array.from({ length: REPLAYED_AT_ONCE }, replay));
  return broken;
}

/** Whatever processes wrote at the level `error` is a fault of the service. */
const loggedFaults = ({ gateways, workers }: Installation): string[] =>
  [...gateways, ...workers]
    .flatMap((one) =>
      one
        .log()
        .split('\n')
        .filter((line) => line !== ''),
    )
    .map((line) => `logged: ${line.slice(0, 600)}`);

/** Holds what the database has to what was answered: one line for each promise that is broken. */
export async function brokenData(
  database: Pick<Database, 'pool'>,
  { journal, stage }: Pick<Scene, 'journal' | 'stage'>,
): Promise<string[]> {
  return [
    ...(await brokenHistory(database, journal, stage)),
    ...(await brokenRows(database, journal, stage)),
  ];
}

/** Holds everything to what was promised, once all jobs have ended. */
export async function brokenPromises(scene: Scene): Promise<string[]> {
  const { installation, journal } = scene;
  const database = await installation.database();
  try {
    const broken = [
      ...journal.broken,
      ...brokenAnswers(journal),
      ...(await jobsLeft(database)),
      ...(await brokenReplays(scene)),
      ...(await brokenData(database, scene)),
      ...loggedFaults(installation),
    ];
    return broken.length > MOST_TOLD
      ? [...broken.slice(0, MOST_TOLD), `… and ${broken.length - MOST_TOLD} more`]
      : broken;
  } finally {
    await database.close();
  }
}
