/** `20270601090000_major_2`: the first migration of major version 2. */
const MAJOR_MIGRATION = /^\d+_major_(\d+)$/;

/**
 * Major version of the schema that these migrations make: the highest one that a migration's name
 * begins, 0 if none does. All other migrations only add, so a build works with every later
 * migration of its own major version.
 */
export const schemaMajor = (migrations: readonly string[]): number =>
  Math.max(0, ...migrations.map((name) => Number(MAJOR_MIGRATION.exec(name)?.[1] ?? 0)));

/** Whether a build with the migrations `known` can use a database that has `applied`. */
export const isCompatibleSchema = (known: readonly string[], applied: readonly string[]): boolean =>
  schemaMajor(applied) <= schemaMajor(known);
