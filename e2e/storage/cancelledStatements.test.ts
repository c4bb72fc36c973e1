import { afterAll, beforeAll, expect, test } from "vitest"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { checkFault, type Fault, maxLines } from "./checkFault.ts"
import { type HeldSession, holdLock } from "./holdSession.ts"
import { type LimitedInstance, startLimitedInstance } from "./startLimitedInstance.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

const tables = ["reservations", "api_keys"]

/** Statements wait for a lock until a setting of the database, which new sessions have, ends them. */
const timeOut = (setting: string): Fault<LimitedInstance> => {
  let held: HeldSession | undefined
  return {
    fail: async ({ admin, endSessions, ownerUrl, role, schema }) => {
      await admin(`ALTER ROLE ${role} SET ${setting} = '100ms'`)
      await endSessions()
      held = await holdLock(ownerUrl, schema, tables)
    },
    recover: async ({ admin, endSessions, role }) => {
      await admin(`ALTER ROLE ${role} RESET ${setting}`)
      await endSessions()
      await held?.end()
    }
  }
}

/** An operator cancels all statements that wait for the lock. */
const cancel = (): Fault<LimitedInstance> => {
  const over = new AbortController()
  let cancelling: Promise<unknown> | undefined
  return {
    fail: async ({ admin, ownerUrl, role, schema }) => {
      const held = await holdLock(ownerUrl, schema, tables)
      const cancelWaiting = async () => {
        while (!over.signal.aborted) {
          await admin(
            `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = '${role}' AND wait_event_type = 'Lock'`
          )
        }
        await held.end()
      }
      cancelling = cancelWaiting()
    },
    recover: async () => {
      over.abort()
      await cancelling
    }
  }
}

/** Each with what the log says. */
const faults: ReadonlyArray<readonly [string, Fault<LimitedInstance>, string]> = [
  ["57014, a statement timeout", timeOut("statement_timeout"), "(SQLSTATE 57014)"],
  ["57014, a cancelled query", cancel(), "(SQLSTATE 57014)"],
  ["55P03, a lock timeout", timeOut("lock_timeout"), "(SQLSTATE 55P03)"],
  // It ends the session, and the driver drops the code.
  [
    "25P04, a transaction timeout",
    timeOut("transaction_timeout"),
    "the connection to the database broke"
  ]
]

test.each(faults)(
  "%s is 503 with few lines in the log, and over without a restart",
  async (_, fault, line) => {
    await using running = await startLimitedInstance(server.url)
    expect(await checkFault(running, fault)).toBeLessThanOrEqual(maxLines)
    // The log waits for a look at the database.
    await expect.poll(() => running.lines.join("\n")).toContain(line)
  },
  120_000
)
