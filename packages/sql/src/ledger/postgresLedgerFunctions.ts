/**
 * The functions of the ledger on Postgres of the migration `standardTerms`, which versions before `createApplyFunction.ts`
 * call. That migration has run, so these texts never change.
 */

/** Returns no row on success, else the index of the first limit without room and the amount it has left. */
export const createReserveFunction = `
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
export const createEndFunction = `
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
