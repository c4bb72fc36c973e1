/**
 * On Postgres each row that is remembered elsewhere tells of its change as part of the transaction that
 * makes it, whoever makes it. SQLite tells nobody: it is asked.
 */
import type { Dialect } from "../../connection/dialect.ts"

export const changes = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "sqlite"
    ? []
    : [
        createChangeFunction,
        createChangeTrigger("accounts", "accounts", "id"),
        createChangeTrigger("credentials", "credentials", "account"),
        createChangeTrigger("grants", "credits", "account"),
        createChangeTrigger("guardrails", "guardrails", "account"),
        createChangeTrigger("assignments", "guardrails", "account"),
        createChangeTrigger("api_keys", "keys", "account", "hash"),
        createChangeTrigger("workspaces", "workspaces", "account"),
        createChangeTrigger("budgets", "workspaces", "account")
      ]

/** Its arguments: the topic, the column that names the account, and the one that names the row. */
const createChangeFunction = `
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

const createChangeTrigger = (table: string, ...args: ReadonlyArray<string>): string =>
  `CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION tell_change(${args.map((arg) => `'${arg}'`).join(", ")})`
