/** Renames tables, columns and the members of stored documents to the terms that the code uses. */
import type { Dialect } from "../../connection/dialect.ts"
import type { DocumentRewrite } from "../rewriteDocuments.ts"

export const standardTerms = (dialect: Dialect): ReadonlyArray<string | DocumentRewrite> => [
  // First, because on Postgres this locks the tables against writes until their documents are rewritten.
  ...columns.map(([table, from, to]) => `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`),
  `ALTER TABLE counters RENAME TO limit_counters`,
  `ALTER TABLE dead_steps RENAME TO dead_letters`,
  ...indexes.flatMap(([from, to, definition]) =>
    dialect === "postgres"
      ? [`ALTER INDEX ${from} RENAME TO ${to}`]
      : [`DROP INDEX ${from}`, `CREATE INDEX ${to} ON ${definition}`]
  ),
  ...(dialect === "postgres" ? postgresFunctions : []),
  ...documents
]

const columns = [
  ["accounts", "configured", "configured_document"],
  ["audit_entries", "made_at", "occurred_at"],
  ["budgets", "span", "interval_name"],
  ["counters", "name", "counter_key"],
  ["credentials", "place", "sort_order"],
  ["deliveries", "turn", "version"],
  ["grants", "endowed", "initial"],
  ["interns", "turn", "version"],
  ["reservations", "lapses_at", "expires_at"],
  ["reservations", "held", "limits"],
  ["spend", "span", "interval_name"],
  ["vaults", "key_under", "key_sealed_under"],
  ["video_jobs", "turn", "version"],
  ["video_jobs", "repeat_key", "idempotency_key"],
  ["video_jobs", "pictures", "inline_media"]
] as const

const indexes = [
  ["credentials_by_place", "credentials_by_sort_order", "credentials (account, sort_order, seq)"],
  ["counters_by_end", "limit_counters_by_end", "limit_counters (ends_at)"],
  ["reservations_by_end", "reservations_by_expiry", "reservations (expires_at)"],
  ["dead_steps_by_time", "dead_letters_by_time", "dead_letters (died_at, seq)"]
] as const

/** Returns no row on success, else the index of the first limit without room and the amount it has left. */
const createReserveFunction = `
  CREATE FUNCTION ledger_reserve(
    p_id text, p_amount bigint, p_now bigint, p_expires_at bigint, p_limits jsonb
  ) RETURNS TABLE (limit_index bigint, available bigint) LANGUAGE plpgsql AS $$
  DECLARE
    v_expired jsonb;
  BEGIN
    WITH due AS (
      SELECT id FROM reservations WHERE expires_at <= p_now
      ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ), expired AS (
      DELETE FROM reservations r USING due WHERE r.id = due.id RETURNING r.amount, r.limits
    )
    SELECT coalesce(
      jsonb_agg(jsonb_build_object('counterKey', l->>'counterKey', 'amount', e.amount)), '[]'
    ) INTO v_expired FROM expired e, jsonb_array_elements(e.limits::jsonb) l;

    INSERT INTO limit_counters (counter_key, settled, reserved, ends_at)
      SELECT DISTINCT ON (l->>'counterKey') l->>'counterKey', 0, 0, (l->>'endsAt')::bigint
      FROM jsonb_array_elements(p_limits) l ORDER BY l->>'counterKey'
      ON CONFLICT DO NOTHING;
    PERFORM 1 FROM limit_counters c
      WHERE c.counter_key IN (
        SELECT l->>'counterKey' FROM jsonb_array_elements(p_limits || v_expired) l
      ) ORDER BY c.counter_key FOR UPDATE;

    IF v_expired <> '[]' THEN
      UPDATE limit_counters c
        SET settled = c.settled + s.amount, reserved = c.reserved - s.amount
        FROM (
          SELECT l->>'counterKey' AS counter_key, sum((l->>'amount')::bigint)::bigint AS amount
          FROM jsonb_array_elements(v_expired) l GROUP BY 1
        ) s WHERE c.counter_key = s.counter_key;
    END IF;
    UPDATE limit_counters c SET settled = s.spent
      FROM (
        SELECT l->>'counterKey' AS counter_key,
          s.credits + CASE WHEN (l->>'countsByok')::boolean THEN s.byok ELSE 0 END AS spent
        FROM jsonb_array_elements(p_limits) l JOIN spend s
          ON s.subject = l->>'subject' AND s.interval_name = l->>'interval'
          AND s.began_at >= (l->>'beganAt')::bigint
      ) s WHERE c.counter_key = s.counter_key AND c.settled < s.spent;

    RETURN QUERY
      SELECT l.position - 1, greatest((l.value->>'cap')::bigint - c.settled - c.reserved, 0)
      FROM jsonb_array_elements(p_limits) WITH ORDINALITY l (value, position)
      JOIN limit_counters c ON c.counter_key = l.value->>'counterKey'
      WHERE p_amount > greatest((l.value->>'cap')::bigint - c.settled - c.reserved, 0)
      ORDER BY l.position LIMIT 1;
    IF FOUND THEN RETURN; END IF;

    UPDATE limit_counters c SET reserved = c.reserved + p_amount
      WHERE c.counter_key IN (SELECT l->>'counterKey' FROM jsonb_array_elements(p_limits) l);
    INSERT INTO reservations (id, amount, expires_at, limits)
      SELECT p_id, p_amount, p_expires_at, coalesce(jsonb_agg(reserved_limit), '[]')::text
      FROM (
        SELECT jsonb_build_object(
          'counterKey', l->>'counterKey', 'cap', min((l->>'cap')::bigint)::text
        ) AS reserved_limit
        FROM jsonb_array_elements(p_limits) l GROUP BY l->>'counterKey'
      ) reserved_limits;
  END $$`

/** Returns the amount charged, or no row if the reservation has already ended. */
const createEndFunction = `
  CREATE FUNCTION ledger_end(p_id text, p_owed bigint)
  RETURNS TABLE (charged bigint) LANGUAGE plpgsql AS $$
  DECLARE
    v_amount bigint;
    v_limits jsonb;
    v_room bigint;
    v_charged bigint;
  BEGIN
    DELETE FROM reservations WHERE id = p_id
      RETURNING amount, limits::jsonb INTO v_amount, v_limits;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM 1 FROM limit_counters c
      WHERE c.counter_key IN (SELECT l->>'counterKey' FROM jsonb_array_elements(v_limits) l)
      ORDER BY c.counter_key FOR UPDATE;
    SELECT min((l->>'cap')::bigint - c.settled - c.reserved + v_amount) INTO v_room
      FROM jsonb_array_elements(v_limits) l
      JOIN limit_counters c ON c.counter_key = l->>'counterKey';
    v_charged := greatest(least(p_owed, v_amount), least(p_owed, coalesce(v_room, p_owed)));
    UPDATE limit_counters c SET settled = c.settled + v_charged, reserved = c.reserved - v_amount
      WHERE c.counter_key IN (SELECT l->>'counterKey' FROM jsonb_array_elements(v_limits) l);
    RETURN QUERY SELECT v_charged;
  END $$`

const watchedTables = [
  "accounts",
  "credentials",
  "grants",
  "guardrails",
  "assignments",
  "api_keys",
  "workspaces",
  "budgets"
]

const postgresFunctions: ReadonlyArray<string> = [
  `DROP FUNCTION ledger_reserve(text, bigint, bigint, bigint, jsonb)`,
  `DROP FUNCTION ledger_end(text, bigint)`,
  createReserveFunction,
  createEndFunction,
  `ALTER FUNCTION tell_change() RENAME TO notify_change`,
  ...watchedTables.map((table) => `ALTER TRIGGER tell_change ON ${table} RENAME TO notify_change`)
]

/** Error tags in generations and dead letters. */
const errorTags = {
  CannotOpen: "UnsealFailed",
  CannotSeal: "SealingKeysMissing",
  FateUnknown: "SubmitOutcomeUnknown",
  Missing: "ResourceNotFound",
  NoWorkspace: "WorkspaceNotFound",
  NotPublic: "NonPublicAddress",
  OtherWorkspace: "WorkspaceMismatch",
  OutOfTime: "DeadlineExceeded",
  TooManyUnfinished: "TooManyActiveJobs",
  Unresolved: "HostUnresolved"
}

/** Members of the payloads of job steps. */
const payloads = {
  "payload.does": "kind",
  "payload.put_off": "deferrals",
  "payload.tried": "previousAttempts",
  "payload.turn": "version"
}

const documents: ReadonlyArray<DocumentRewrite> = [
  {
    table: "interns",
    column: "document",
    key: ["id"],
    rename: {
      turn: "version",
      "creation.provisions": "shouldProvision",
      "run.done": "completedSteps",
      "claim.by": "owner",
      "claim.until": "expiresAt"
    },
    replace: { "run.archive": { tried: "best_effort" } }
  },
  { table: "deliveries", column: "document", key: ["id"], rename: { turn: "version" } },
  {
    table: "video_jobs",
    column: "document",
    key: ["id"],
    rename: {
      turn: "version",
      repeat: "idempotency",
      held: "reservations",
      heldUntil: "reservedUntil",
      cancelWanted: "cancelRequested",
      "place.atMost": "maxUsage",
      place: "assignment",
      unanswered: "failedPolls",
      "end.kept": "storedFiles",
      "end.notKept": "notStoredReason",
      "attempts.implausible.stated": "reported"
    }
  },
  {
    table: "credentials",
    column: "document",
    key: ["account", "id"],
    rename: { "kept.sealed.box": "ciphertext", "kept.refused": "refusal", kept: "row" }
  },
  {
    table: "webhook_secrets",
    column: "document",
    key: ["account", "workspace", "id"],
    rename: { "secret.sealed.box": "ciphertext" }
  },
  {
    table: "vault_secrets",
    column: "document",
    key: ["vault", "name"],
    rename: { "secret.sealed.box": "ciphertext" }
  },
  { table: "vaults", column: "sealed_key", key: ["id"], rename: { "key.box": "ciphertext" } },
  {
    table: "generations",
    column: "document",
    key: ["id"],
    // Skips most rows: there may be millions, and only failed ones hold these members.
    where: `(document LIKE '%"implausible":%' OR document LIKE '%"error":%')`,
    rename: { "attempts.implausible.stated": "reported" },
    replace: { error: errorTags }
  },
  { table: "reservations", column: "limits", key: ["id"], rename: { name: "counterKey" } },
  {
    table: "dead_letters",
    column: "document",
    key: ["kind", "step_key"],
    where: `kind IN ('intern.task', 'video.submit', 'video.keep', 'webhook.delivery')`,
    rename: payloads,
    replace: { reason: errorTags }
  },
  {
    table: "job_steps",
    column: "element",
    key: ["id", "queue_name"],
    where: `state <> 'completed'
      AND queue_name IN ('intern.task', 'video.submit', 'video.keep', 'webhook.delivery')`,
    rename: payloads
  }
]
