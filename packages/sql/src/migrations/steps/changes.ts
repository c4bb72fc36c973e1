/**
 * On Postgres, triggers notify listening processes of changes to cached rows when their transaction commits.
 * SQLite has no notifications, so processes poll it.
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

/** Takes the topic, the column of the account and the column of the row id. */
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
