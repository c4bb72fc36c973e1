/** A process that dies at any point of an intern's life neither loses nor duplicates it, and leaves no rows behind. */
import { afterAll, describe, inject, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { InternCrashRunner } from "./InternCrashRunner.ts"
import { internCrashPoints } from "./internCrashPoints.ts"

// Two runners per database, so that one works while the other waits for a lease to expire.
const makeRunners = (postgresUrl?: string) => [
  new InternCrashRunner(postgresUrl),
  new InternCrashRunner(postgresUrl)
]

describe.concurrent("an intern survives the death of its process", () => {
  const runners = { sqlite: makeRunners(), postgres: makeRunners(inject("postgresUrl")) }
  const all = [...runners.sqlite, ...runners.postgres]
  afterAll(async () => {
    for (const runner of all) await runner.close()
  })
  const cases = pickSample(internCrashPoints, 4).flatMap((crashPoint, at) =>
    (["sqlite", "postgres"] as const)
      .filter((kind) => kind === (crashPoint.on ?? kind))
      .flatMap((kind) =>
        runners[kind]
          .slice(at % 2, (at % 2) + 1)
          .map((runner) => [crashPoint.name, kind, runner, crashPoint] as const)
      )
  )

  test.for(cases)(
    "%s, on %s",
    { timeout: 900_000 },
    async ([, , runner, crashPoint], { expect }) => {
      const { transitions, statuses, ...survived } = await runner.runUntilCrash(crashPoint)
      const there = { interns: 1, vaults: 1, isOwned: true, claims: 0, steps: 0, dead: 0 }
      expect(survived).toEqual({
        ended: [[null, "SIGKILL"]],
        ids: 1,
        running: ["running", true],
        listed: [true],
        whileRunning: { ...there, secrets: 0 },
        put: 200,
        failed: "Booting: the machine is on fire",
        afterFailure: { ...there, secrets: 1 },
        sequence: [
          "0: prepare",
          "1: step 0",
          "1: step 1",
          "2: suspend",
          "3: step 0",
          "3: step 1",
          "3: undo 1",
          "3: undo 0",
          "4: archive",
          "4: destroy"
        ],
        isRepeated: false,
        others: 0,
        secrets: true,
        left: { ...there, interns: 0, vaults: 0, secrets: 0, hosts: 0 }
      })
      expect(statuses).toEqual([expect.toBeOneOf([200, 201])])
      // A repeated request for a transition that has already happened is a conflict.
      expect(transitions).toSatisfy(
        ([suspended, provisioned, deleted]: ReadonlyArray<number>) =>
          [suspended !== 200, provisioned !== 202, deleted !== 202].filter(Boolean).length <= 1
      )
      expect([200, 409]).toContain(transitions[0])
      expect([202, 409]).toContain(transitions[1])
      expect([202, 404, 409]).toContain(transitions[2])
    }
  )

  test.for(all.map((runner, at) => ({ at, runner })))(
    "no rows remain, and every action is audited once ($at)",
    { timeout: 900_000 },
    async ({ runner }, { expect }) => {
      const { left, lives } = await runner.rest()
      const { audited, ...rest } = left
      expect(rest).toEqual({
        interns: 0,
        claims: 0,
        vaults: 0,
        isOwned: true,
        secrets: 0,
        hosts: 0,
        steps: 0,
        waiting: 0,
        dead: 0
      })
      const count = (action: string) => audited.filter((each) => each === action).length
      expect(
        ["intern.create", "intern.suspend", "intern.provision", "intern.delete", "vault.close"].map(
          count
        )
      ).toEqual([lives, lives, lives, lives, lives])
    }
  )
})
