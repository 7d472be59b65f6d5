// better-sqlite3, as far as Bluesky's server uses it, over Node's own SQLite: nothing to compile.
import { DatabaseSync } from 'node:sqlite';

/** The codes that the server distinguishes, by SQLite's extended result codes. */
const CODES = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  517: 'SQLITE_BUSY_SNAPSHOT',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

const withCodes = (work) => {
  try {
    return work();
  } catch (error) {
    if (CODES[error.errcode]) error.code = CODES[error.errcode];
    throw error;
  }
};

const toRow = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  );

class Statement {
  constructor(statement) {
    this.statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(values = []) {
    return withCodes(() => this.statement.all(...values).map(toRow));
  }

  get(values = []) {
    return this.all(values)[0];
  }

  iterate(values = []) {
    return this.all(values)[Symbol.iterator]();
  }

  run(values = []) {
    return withCodes(() => this.statement.run(...values));
  }
}

export default class Database {
  constructor(location) {
    this.database = new DatabaseSync(location, { timeout: 5_000 });
  }

  prepare(sql) {
    return withCodes(() => new Statement(this.database.prepare(sql)));
  }

  exec(sql) {
    withCodes(() => this.database.exec(sql));
  }

  pragma(text) {
    return this.prepare(`PRAGMA ${text}`).all();
  }

  close() {
    this.database.close();
  }
}
