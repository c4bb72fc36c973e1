/**
 * The function of the ledger on Postgres since the migration `ledgerBatches`. Its text never changes: a new version is a text of
 * its own, and a migration that replaces the function.
 */

/**
 * Ends reservations, then makes others in their order, all in one transaction. Returns a row with `charged` for each that it
 * ended, and one with the room under each limit, as decimals with commas, for each that it refused. Leases are durations
 * on the clock of the database, which all processes share.
 *
 * It cannot deadlock: it locks reservations by id, then all counters by key, and skips expired reservations that others lock.
 */
export const createApplyFunction = `
  CREATE OR REPLACE FUNCTION ledger_apply(p_ends jsonb, p_counters jsonb, p_reserves jsonb)
  RETURNS TABLE (operation text, charged bigint, rooms text) LANGUAGE plpgsql AS $$
  DECLARE
    v_ended jsonb := '[]';
    v_expired jsonb := '[]';
    v_one jsonb;
    v_amount bigint;
    v_extra bigint;
    v_held bigint[];
    v_added bigint[];
    v_rooms bigint[];
    v_accepted jsonb[] := '{}';
    v_counter int;
  BEGIN
    IF p_ends <> '[]' THEN
      PERFORM 1 FROM reservations r
        WHERE r.id IN (SELECT e->>'id' FROM jsonb_array_elements(p_ends) e)
        ORDER BY r.id FOR UPDATE;
      WITH gone AS (
        DELETE FROM reservations r USING jsonb_array_elements(p_ends) e WHERE r.id = e->>'id'
        RETURNING r.id, r.amount, r.limits::jsonb AS limits, (e->>'owed')::bigint AS owed
      )
      SELECT coalesce(jsonb_agg(to_jsonb(gone)), '[]') INTO v_ended FROM gone;
    END IF;

    IF p_reserves <> '[]' THEN
      WITH due AS (
        SELECT id FROM reservations
        WHERE expires_at <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM reservations r USING due WHERE r.id = due.id RETURNING r.amount, r.limits
      )
      SELECT coalesce(
        jsonb_agg(jsonb_build_object('counterKey', l->>'counterKey', 'amount', g.amount)), '[]'
      ) INTO v_expired FROM gone g, jsonb_array_elements(g.limits::jsonb) l;
      INSERT INTO limit_counters (counter_key, settled, reserved, ends_at)
        SELECT l->>'counterKey', 0, 0, (l->>'endsAt')::bigint
        FROM jsonb_array_elements(p_counters) l ORDER BY l->>'counterKey'
        ON CONFLICT DO NOTHING;
    END IF;

    PERFORM 1 FROM limit_counters c WHERE c.counter_key IN (
      SELECT l->>'counterKey' FROM jsonb_array_elements(p_counters || v_expired) l
      UNION ALL
      SELECT l->>'counterKey' FROM jsonb_array_elements(v_ended) e, jsonb_array_elements(e->'limits') l
    ) ORDER BY c.counter_key FOR UPDATE;

    IF v_ended <> '[]' THEN
      UPDATE limit_counters c
        SET settled = c.settled + s.charged, reserved = c.reserved - s.amount
        FROM (
          SELECT l->>'counterKey' AS counter_key, sum((e->>'amount')::bigint)::bigint AS amount,
            sum(least((e->>'owed')::bigint, (e->>'amount')::bigint))::bigint AS charged
          FROM jsonb_array_elements(v_ended) e, jsonb_array_elements(e->'limits') l GROUP BY 1
        ) s WHERE c.counter_key = s.counter_key;
      FOR v_one IN SELECT e FROM jsonb_array_elements(v_ended) e LOOP
        v_amount := (v_one->>'amount')::bigint;
        v_extra := greatest((v_one->>'owed')::bigint - v_amount, 0);
        IF v_extra > 0 THEN
          SELECT least(v_extra, greatest(min((l->>'cap')::bigint - c.settled - c.reserved), 0))
            INTO v_extra FROM jsonb_array_elements(v_one->'limits') l
            JOIN limit_counters c ON c.counter_key = l->>'counterKey';
          UPDATE limit_counters c SET settled = c.settled + v_extra WHERE c.counter_key IN (
            SELECT l->>'counterKey' FROM jsonb_array_elements(v_one->'limits') l
          );
        END IF;
        operation := v_one->>'id';
        charged := least((v_one->>'owed')::bigint, v_amount) + v_extra;
        RETURN NEXT;
      END LOOP;
      charged := NULL;
    END IF;
    IF p_reserves = '[]' THEN RETURN; END IF;

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
        FROM jsonb_array_elements(p_counters) l JOIN spend s
          ON s.subject = l->>'subject' AND s.interval_name = l->>'interval'
          AND s.began_at >= (l->>'beganAt')::bigint
      ) s WHERE c.counter_key = s.counter_key AND c.settled < s.spent;

    SELECT array_agg(coalesce(c.settled + c.reserved, 0) ORDER BY l.position),
        array_agg(0 ORDER BY l.position)
      INTO v_held, v_added
      FROM jsonb_array_elements(p_counters) WITH ORDINALITY l (value, position)
      LEFT JOIN limit_counters c ON c.counter_key = l.value->>'counterKey';
    FOR v_one IN
      SELECT r.value FROM jsonb_array_elements(p_reserves) WITH ORDINALITY r (value, position)
      ORDER BY r.position
    LOOP
      v_amount := (v_one->>'amount')::bigint;
      SELECT array_agg(
        greatest((l.value->>1)::bigint - v_held[(l.value->>0)::int], 0) ORDER BY l.position
      ) INTO v_rooms
        FROM jsonb_array_elements(v_one->'limits') WITH ORDINALITY l (value, position);
      IF v_amount > ANY (v_rooms) THEN
        operation := v_one->>'id';
        rooms := array_to_string(v_rooms, ',');
        RETURN NEXT;
      ELSE
        FOR v_counter IN SELECT c::int FROM jsonb_array_elements_text(v_one->'counters') c LOOP
          v_held[v_counter] := v_held[v_counter] + v_amount;
          v_added[v_counter] := v_added[v_counter] + v_amount;
        END LOOP;
        v_accepted := array_append(v_accepted, v_one);
      END IF;
    END LOOP;

    UPDATE limit_counters c SET reserved = c.reserved + s.amount
      FROM (
        SELECT l.value->>'counterKey' AS counter_key, v_added[l.position] AS amount
        FROM jsonb_array_elements(p_counters) WITH ORDINALITY l (value, position)
      ) s WHERE c.counter_key = s.counter_key AND s.amount > 0;
    INSERT INTO reservations (id, amount, expires_at, limits)
      SELECT a->>'id', (a->>'amount')::bigint,
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint + (a->>'leaseMillis')::bigint,
        a->>'reserved'
      FROM unnest(v_accepted) a;
  END $$`
