/**
 * Creates the tables of spending and reservations, in nano-USD. On Postgres the ledger's operations are
 * functions, so that each takes one round trip. They lock reservations before counters, and counters by name,
 * so that they cannot deadlock.
 */
import type { Dialect } from "../../connection/dialect.ts"

export const ledger = (dialect: Dialect): ReadonlyArray<string> => [
  `CREATE TABLE spend (
    subject text NOT NULL,
    span text NOT NULL,
    began_at bigint NOT NULL,
    credits bigint NOT NULL,
    byok bigint NOT NULL,
    PRIMARY KEY (subject, span)
  )`,
  `CREATE TABLE grants (
    account text PRIMARY KEY,
    granted bigint NOT NULL,
    endowed bigint NOT NULL
  )`,
  `CREATE TABLE counters (
    name text PRIMARY KEY,
    settled bigint NOT NULL,
    reserved bigint NOT NULL,
    ends_at bigint
  )`,
  `CREATE INDEX counters_by_end ON counters (ends_at)`,
  // `held` is JSON: the name of each counter and the cap it had when the money was reserved.
  `CREATE TABLE reservations (
    id text PRIMARY KEY,
    amount bigint NOT NULL,
    lapses_at bigint NOT NULL,
    held text NOT NULL
  )`,
  `CREATE INDEX reservations_by_end ON reservations (lapses_at)`,
  ...(dialect === "postgres"
    ? [makeReserveFunction("CREATE FUNCTION", "="), createEndFunction]
    : [])
]

/** Returns no row on success, else the index of the first limit without room and the amount it has left. */
export const makeReserveFunction = (create: string, isSpentIn: "=" | ">="): string => `
  ${create} ledger_reserve(
    p_id text, p_amount bigint, p_now bigint, p_lapses_at bigint, p_limits jsonb
  ) RETURNS TABLE (place bigint, available bigint) LANGUAGE plpgsql AS $$
  DECLARE
    v_lapsed jsonb;
  BEGIN
    WITH due AS (
      SELECT id FROM reservations WHERE lapses_at <= p_now
      ORDER BY lapses_at LIMIT 100 FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM reservations r USING due WHERE r.id = due.id RETURNING r.amount, r.held
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('name', h->>'name', 'amount', g.amount)), '[]')
      INTO v_lapsed FROM gone g, jsonb_array_elements(g.held::jsonb) h;

    INSERT INTO counters (name, settled, reserved, ends_at)
      SELECT DISTINCT ON (l->>'name') l->>'name', 0, 0, (l->>'endsAt')::bigint
      FROM jsonb_array_elements(p_limits) l ORDER BY l->>'name'
      ON CONFLICT DO NOTHING;
    PERFORM 1 FROM counters c
      WHERE c.name IN (
        SELECT l->>'name' FROM jsonb_array_elements(p_limits || v_lapsed) l
      ) ORDER BY c.name FOR UPDATE;

    IF v_lapsed <> '[]' THEN
      UPDATE counters c SET settled = c.settled + s.amount, reserved = c.reserved - s.amount
        FROM (
          SELECT l->>'name' AS name, sum((l->>'amount')::bigint)::bigint AS amount
          FROM jsonb_array_elements(v_lapsed) l GROUP BY 1
        ) s WHERE c.name = s.name;
    END IF;
    UPDATE counters c SET settled = s.spent
      FROM (
        SELECT l->>'name' AS name,
          s.credits + CASE WHEN (l->>'countsByok')::boolean THEN s.byok ELSE 0 END AS spent
        FROM jsonb_array_elements(p_limits) l JOIN spend s
          ON s.subject = l->>'subject' AND s.span = l->>'span'
          AND s.began_at ${isSpentIn} (l->>'beganAt')::bigint
      ) s WHERE c.name = s.name AND c.settled < s.spent;

    RETURN QUERY
      SELECT l.place - 1, greatest((l.value->>'cap')::bigint - c.settled - c.reserved, 0)
      FROM jsonb_array_elements(p_limits) WITH ORDINALITY l (value, place)
      JOIN counters c ON c.name = l.value->>'name'
      WHERE p_amount > greatest((l.value->>'cap')::bigint - c.settled - c.reserved, 0)
      ORDER BY l.place LIMIT 1;
    IF FOUND THEN RETURN; END IF;

    UPDATE counters c SET reserved = c.reserved + p_amount
      WHERE c.name IN (SELECT l->>'name' FROM jsonb_array_elements(p_limits) l);
    INSERT INTO reservations (id, amount, lapses_at, held)
      SELECT p_id, p_amount, p_lapses_at, coalesce(jsonb_agg(held), '[]')::text
      FROM (
        SELECT jsonb_build_object('name', l->>'name', 'cap', min((l->>'cap')::bigint)::text) AS held
        FROM jsonb_array_elements(p_limits) l GROUP BY l->>'name'
      ) h;
  END $$`

/** Returns the amount charged, or no row if the reservation has already ended. */
const createEndFunction = `
  CREATE FUNCTION ledger_end(p_id text, p_owed bigint)
  RETURNS TABLE (charged bigint) LANGUAGE plpgsql AS $$
  DECLARE
    v_amount bigint;
    v_held jsonb;
    v_room bigint;
    v_charged bigint;
  BEGIN
    DELETE FROM reservations WHERE id = p_id RETURNING amount, held::jsonb INTO v_amount, v_held;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM 1 FROM counters c
      WHERE c.name IN (SELECT h->>'name' FROM jsonb_array_elements(v_held) h)
      ORDER BY c.name FOR UPDATE;
    SELECT min((h->>'cap')::bigint - c.settled - c.reserved + v_amount) INTO v_room
      FROM jsonb_array_elements(v_held) h JOIN counters c ON c.name = h->>'name';
    v_charged := greatest(least(p_owed, v_amount), least(p_owed, coalesce(v_room, p_owed)));
    UPDATE counters c SET settled = c.settled + v_charged, reserved = c.reserved - v_amount
      WHERE c.name IN (SELECT h->>'name' FROM jsonb_array_elements(v_held) h);
    RETURN QUERY SELECT v_charged;
  END $$`
