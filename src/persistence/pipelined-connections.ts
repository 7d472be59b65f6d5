import type pg from 'pg';
import type { SqlRunner } from './sql.js';

/** Statements in one line on one connection; `client` is had from the pool while there are any. */
interface Lane {
  readonly client: Promise<pg.PoolClient>;
  underWay: number;
}

/** Lanes that a pool has room for: transactions and long statements want connections of their own. */
const SHARE = 0.4;
/** Statements on one lane at most. One that takes its time keeps those behind it waiting. */
const DEEPEST = 8;

/**
 * Runs short reads many at once on few connections: each is sent behind the others without waiting for their answers
 * (PostgreSQL's pipelining), which halves what a read costs both sides. Each stands alone, and fails alone; a connection
 * that is lost fails all that are on it. What finds every lane full gets a connection of its own.
 */
export function createLanes(pool: pg.Pool): SqlRunner {
  const most = Math.floor(pool.options.max * SHARE);
  const lanes = new Set<Lane>();

  function open(): Lane {
    const lane: Lane = { client: pool.connect(), underWay: 0 };
    lanes.add(lane);
    return lane;
  }

  /** The emptiest lane; another one sooner than a second statement on it. */
  function choose(): Lane | undefined {
    let emptiest: Lane | undefined;
    for (const lane of lanes) if (!emptiest || lane.underWay < emptiest.underWay) emptiest = lane;
    if (lanes.size < most && emptiest?.underWay !== 0) return open();
    return emptiest && emptiest.underWay < DEEPEST ? emptiest : undefined;
  }

  /** Nobody is on it: its connection is everybody's again, or closed by the pool where it was lost. */
  function close(lane: Lane): void {
    lanes.delete(lane);
    lane.client.then(
      (client) => client.release(),
      () => undefined,
    );
  }

  return {
    async query(config) {
      const lane = choose();
      if (!lane) return pool.query(config);
      lane.underWay += 1;
      try {
        return await (await lane.client).query(config);
      } finally {
        lane.underWay -= 1;
        if (lane.underWay === 0) close(lane);
      }
    },
  };
}

/** All who read by one pool share its lanes. */
const lanesByPool = new WeakMap<pg.Pool, SqlRunner>();

export function lanesOf(pool: pg.Pool): SqlRunner {
  const lanes = lanesByPool.get(pool) ?? createLanes(pool);
  lanesByPool.set(pool, lanes);
  return lanes;
}
