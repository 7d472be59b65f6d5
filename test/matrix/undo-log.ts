import type { Pool } from 'pg';

/** A committed change of a row. */
export interface RowChange {
  readonly table: string;
  /** `delete` also if the row is marked as deleted. */
  readonly kind: 'insert' | 'update' | 'delete';
  /** Of tables with a column `id`. */
  readonly id: string | null;
}

/** Records every committed change of every row of a database, and reverts it. */
export interface UndoLog {
  /**
   * Reverts the changes that were committed since the last call, and returns them. No change may be
   * committed meanwhile.
   */
  undo(): Promise<readonly RowChange[]>;
  /** Keeps the changes that were committed since the last call. */
  keep(): Promise<void>;
}

/**
 * Each row is found by its primary key. Generated columns cannot be inserted. While rows are
 * restored, no trigger runs: those that count posts would count twice, foreign keys would cascade,
 * and the undo log would record the restoration.
 */
const INSTALL = `
CREATE SCHEMA undo;
CREATE UNLOGGED TABLE undo.changed_row (number bigserial PRIMARY KEY, relation oid NOT NULL, old jsonb, new jsonb);
CREATE TABLE undo.statement (relation oid PRIMARY KEY, remove text NOT NULL, restore text NOT NULL);

CREATE FUNCTION undo.record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO undo.changed_row (relation, old, new) VALUES (
    TG_RELID,
    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
    CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;
END $$;

CREATE FUNCTION undo.revert() RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  changed record;
  changes jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object(
      'table', relation::regclass::text,
      'kind', CASE WHEN old IS NULL THEN 'insert' WHEN new IS NULL OR (new ->> 'deleted_at' IS NOT NULL AND old ->> 'deleted_at' IS NULL) THEN 'delete' ELSE 'update' END,
      'id', coalesce(old, new) ->> 'id') ORDER BY number)
    INTO changes FROM undo.changed_row;
  IF changes IS NULL THEN RETURN '[]'; END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  FOR changed IN SELECT * FROM undo.changed_row JOIN undo.statement USING (relation) ORDER BY number DESC LOOP
    IF changed.new IS NOT NULL THEN EXECUTE changed.remove USING changed.new; END IF;
    IF changed.old IS NOT NULL THEN EXECUTE changed.restore USING changed.old; END IF;
  END LOOP;
  TRUNCATE undo.changed_row;
  RETURN changes;
END $$;

DO $$
DECLARE relation_id regclass;
BEGIN
  FOR relation_id IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
    INSERT INTO undo.statement
      SELECT relation_id,
        format('DELETE FROM %1$s stored USING jsonb_populate_record(NULL::%1$s, $1) changed WHERE %2$s', relation_id, keys.equal),
        format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM jsonb_populate_record(NULL::%1$s, $1)', relation_id, stored.names)
      FROM
        (SELECT string_agg(format('stored.%1$I = changed.%1$I', attname), ' AND ') AS equal
           FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
           WHERE indrelid = relation_id AND indisprimary) keys,
        (SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
           WHERE attrelid = relation_id AND attnum > 0 AND NOT attisdropped AND attgenerated = '') stored
      WHERE keys.equal IS NOT NULL;
    IF FOUND THEN
      EXECUTE format('CREATE TRIGGER undo AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION undo.record()', relation_id);
    END IF;
  END LOOP;
END $$;`;

/** Starts to record. Requires the rights of a superuser. */
export async function installUndoLog(pool: Pool): Promise<UndoLog> {
  await pool.query(INSTALL);
  return {
    async undo() {
      const { rows } = await pool.query<{ changes: RowChange[] }>(
        'SELECT undo.revert() AS changes',
      );
      return rows[0]!.changes;
    },
    async keep() {
      await pool.query('TRUNCATE undo.changed_row');
    },
  };
}
