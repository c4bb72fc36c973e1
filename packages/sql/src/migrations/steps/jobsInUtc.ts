/**
 * Moves unfinished steps of jobs to UTC. Their columns have no time zone, and sessions had that of the server. `offeredAt` of
 * a step, its last member, is milliseconds since the epoch and says by how much `created_at` was off; zones are multiples of
 * 15 minutes apart. Moving them again changes nothing.
 */
import type { Dialect } from "../../connection/dialect.ts"

export const jobsInUtc = (dialect: Dialect): ReadonlyArray<string> =>
  dialect === "postgres" ? [moveSteps] : []

/** The queue creates and alters its table itself when it first opens. */
const moveSteps = `
  DO $$ BEGIN
    IF EXISTS (
      SELECT FROM information_schema.columns WHERE table_schema = current_schema()
        AND table_name = 'job_steps' AND column_name = 'visible_at'
    ) THEN
      UPDATE job_steps SET
        created_at = created_at - ahead,
        updated_at = updated_at - ahead,
        visible_at = visible_at - ahead,
        acquired_at = acquired_at - ahead
      FROM (
        SELECT sequence AS moved, 900 * round((
          extract(epoch FROM created_at)
            - substring(element FROM '"offeredAt":([0-9]{1,15})\\}$')::numeric / 1000
        ) / 900) * interval '1 second' AS ahead
        FROM job_steps WHERE state = 'pending'
      ) AS steps WHERE sequence = moved AND ahead <> interval '0';
    END IF;
  END $$`
