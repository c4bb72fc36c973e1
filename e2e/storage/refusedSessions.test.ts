import { afterAll, beforeAll, expect, test } from "vitest"
import { type RunningPostgres, startPostgres } from "../../packages/sql/test/startPostgres.ts"
import { checkFault, type Fault, maxLines, requests } from "./checkFault.ts"
import { type HeldSession, holdSession } from "./holdSession.ts"
import { type LimitedInstance, startLimitedInstance } from "./startLimitedInstance.ts"

let server: RunningPostgres
beforeAll(async () => {
  server = await startPostgres(["fsync=off"])
})
afterAll(() => server.stop())

/** What makes the server refuse new sessions, whose old ones it ends. */
const refuse = (
  reason: string,
  fail: (running: LimitedInstance) => Promise<unknown>,
  recover: (running: LimitedInstance) => Promise<unknown>
): Fault<LimitedInstance> => ({
  fail: async (running) => {
    await fail(running)
    await running.endSessions()
  },
  recover,
  reason
})

const faults: Readonly<Record<string, Fault<LimitedInstance>>> = {
  "53300, too many connections": refuse(
    "the database has too many connections (SQLSTATE 53300)",
    ({ admin, role }) => admin(`ALTER ROLE ${role} CONNECTION LIMIT 0`),
    ({ admin, role }) => admin(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
  ),
  "28P01, another password": refuse(
    "the database rejects the user or the password (SQLSTATE 28P01)",
    ({ admin, role }) => admin(`ALTER ROLE ${role} PASSWORD 'other'`),
    ({ admin, role }) => admin(`ALTER ROLE ${role} PASSWORD 'password'`)
  ),
  "28000, a role that may not log in": refuse(
    "the database rejects the user or the password (SQLSTATE 28000)",
    ({ admin, role }) => admin(`ALTER ROLE ${role} NOLOGIN`),
    ({ admin, role }) => admin(`ALTER ROLE ${role} LOGIN`)
  ),
  "3D000, a database that is gone": {
    reason: "the database does not exist (SQLSTATE 3D000)",
    fail: async ({ admin, endSessions, role }) => {
      // Only a database without sessions can be renamed.
      await admin(`ALTER DATABASE ${role} ALLOW_CONNECTIONS false`)
      await endSessions()
      await expect
        .poll(
          () =>
            admin(`ALTER DATABASE ${role} RENAME TO moved_${role}`).then(
              () => true,
              () => false
            ),
          { timeout: 240_000 }
        )
        .toBe(true)
      await admin(`ALTER DATABASE moved_${role} ALLOW_CONNECTIONS true`)
    },
    recover: ({ admin, role }) => admin(`ALTER DATABASE moved_${role} RENAME TO ${role}`)
  },
  "55000, a database that takes no connections": refuse(
    "(SQLSTATE 55000)",
    ({ admin, role }) => admin(`ALTER DATABASE ${role} ALLOW_CONNECTIONS false`),
    ({ admin, role }) => admin(`ALTER DATABASE ${role} ALLOW_CONNECTIONS true`)
  ),
  "42501, no right to connect": refuse(
    "(SQLSTATE 42501)",
    ({ admin, role }) => admin(`REVOKE CONNECT ON DATABASE ${role} FROM PUBLIC, ${role}`),
    ({ admin, role }) => admin(`GRANT CONNECT ON DATABASE ${role} TO ${role}`)
  )
}

test.each(Object.entries(faults))(
  "%s is 503 with few lines in the log, and over without a restart",
  async (_, fault) => {
    await using running = await startLimitedInstance(server.url)
    expect(await checkFault(running, fault)).toBeLessThanOrEqual(maxLines)
  },
  120_000
)

test("57P03, a server that shuts down, is 503 with few lines in the log, and over without a restart", async () => {
  await using ownServer = await startPostgres(["fsync=off"])
  await using running = await startLimitedInstance(ownServer.url)
  let last: HeldSession | undefined
  const lineCount = await checkFault(running, {
    fail: async ({ role }) => {
      last = await holdSession(ownServer.url, "public")
      ownServer.shutDown()
      await last.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`
      )
    },
    recover: async () => {
      await last?.end()
      await ownServer.startAgain()
    },
    reason: "the database is starting up or shutting down (SQLSTATE 57P03)"
  })
  expect(lineCount).toBeLessThanOrEqual(maxLines)
}, 120_000)

test("53300, fewer connections than the pool wants, leaves the instance ready, with few lines in the log", async () => {
  await using running = await startLimitedInstance(server.url)
  const { admin, endSessions, isReady, lines, origin, role } = running
  await admin(`ALTER ROLE ${role} CONNECTION LIMIT 2`)
  await endSessions()
  const statuses = new Set<number>()
  for (let n = 0; n < 20; n++) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => requests.management(origin)))
    for (const { headers, status } of answers) {
      statuses.add(status)
      expect([201, 503]).toContain(status)
      expect(headers["retry-after"]).toBe(status === 503 ? "1" : undefined)
    }
    expect(await isReady()).toBe(200)
  }
  expect(statuses).toEqual(new Set([201, 503]))
  // The log waits for a look at the database.
  await expect.poll(() => lines.join("\n")).toContain("(SQLSTATE 53300)")
  expect(lines.length).toBeLessThanOrEqual(maxLines)
}, 120_000)
