/**
 * On Postgres each row that is remembered elsewhere tells of its change as part of the transaction that
 * makes it, whoever makes it. SQLite tells nobody: it is asked.
 */
import type { Dialect } from "../dialect.ts"

export const changes = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? []
    : [
        tell,
        told("accounts", "accounts", "id"),
        told("credentials", "credentials", "account"),
        told("grants", "credits", "account"),
        told("guardrails", "guardrails", "account"),
        told("assignments", "guardrails", "account"),
        told("api_keys", "keys", "account", "hash"),
        told("workspaces", "workspaces", "account"),
        told("budgets", "workspaces", "account")
      ]

/** Its arguments: the topic, the column that names the account, and the one that names the row. */
const tell = `
  CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    v_row jsonb := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
    v_told text := jsonb_build_object(
      'topic', TG_ARGV[0], 'account', v_row->>TG_ARGV[1], 'id', v_row->>TG_ARGV[2]);
  BEGIN
    IF octet_length(v_told) >= 8000 THEN
      v_told := jsonb_build_object('topic', TG_ARGV[0]);
    END IF;
    PERFORM pg_notify('signalbox_' || md5(TG_TABLE_SCHEMA), v_told);
    RETURN NULL;
  END $$`

const told = (table: string, ...args: ReadonlyArray<string>): string =>
  `CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION tell_change(${args.map((arg) => `'${arg}'`).join(", ")})`
