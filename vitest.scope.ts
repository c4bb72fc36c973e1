/** Selects how much of the long tests runs: a sample, or everything with `SIGNALBOX_TESTS=full`. */

/** The tests of the lowest versions of hosts. */
export const lowest = "packages/*/test/lowest/*.test.ts"

/** Test files that run in full alone, because they take long and few changes concern them. */
export const onlyInFull: ReadonlyArray<string> = [
  lowest,
  // Measures thousands of requests, and replays whole traces.
  "bench/test/{byteBudgets,stickiness}.test.ts",
  // Processes that are killed, and databases that fail, hang or change hands.
  "e2e/crash/*.test.ts",
  "e2e/storage/{cancelledStatements,fullDisk,pendingSettlement,readOnlyDatabase}.test.ts",
  "e2e/storage/{refusedSessions,storageFailures}.test.ts",
  "e2e/videos/videoTakeover.test.ts",
  "packages/sql/test/{migrationFaults,processes,rollupProcesses,spans}.test.ts",
  "packages/sql/test/connection/pgbouncer.test.ts",
  // Several processes or connections on one database.
  "e2e/{interns/internConcurrency,management/managementConcurrency}.test.ts",
  "e2e/rateLimits/sharedRateLimits.test.ts",
  "packages/sql/test/stores/twoConnections.test.ts",
  // Frameworks, agents and other programs around an instance.
  "packages/{express,fastify}/test/nest.test.ts",
  "e2e/aiSdk/lowestVersions.test.ts",
  "e2e/clients/agents/*.test.ts",
  "e2e/console/accessibility.test.ts",
  "scripts/test/release.test.ts"
]

/** Test files that `npm test` leaves out until a file of their subject changes. `npm run test:rest` always runs them. */
export const testsOnDemand: ReadonlyArray<{
  readonly files: ReadonlyArray<string>
  readonly subject: ReadonlyArray<string>
}> = [
  {
    // Frameworks that are built, and programs that are started, take most of a minute each.
    files: ["packages/web/test/hosts.test.ts", "examples/**/*.test.ts"],
    subject: ["packages/{web,testing}/src/**", "packages/web/test/**", "examples/**"]
  },
  {
    files: ["e2e/console/*.test.ts", "packages/console/test/**"],
    subject: ["packages/console/**", "e2e/console/**"]
  },
  {
    files: ["scripts/test/snippets.test.ts"],
    subject: ["docs/**", "README.md", "packages/*/README.md", "scripts/*nippet*.ts"]
  },
  {
    files: ["e2e/cli/*.test.ts", "packages/cli/test/**"],
    subject: ["packages/cli/**", "e2e/cli/**"]
  },
  {
    // The stores on Postgres, and several processes on one database.
    files: ["packages/sql/test/**", "e2e/storage/*.test.ts"],
    subject: ["packages/sql/**", "e2e/storage/**", "packages/testing/src/storeContract/**"]
  },
  {
    // Every API to every provider, and every client that is not the API's own.
    files: ["e2e/{clients,dialects,quirks,translation}/**/*.test.ts"],
    subject: [
      "packages/core/src/{conversation,dialects}/**",
      "packages/core/src/{api,domains}/{chat,messages,responses}/**",
      "packages/{anthropic,google,openai}/src/**",
      "packages/testing/src/quirks/**"
    ]
  }
]

const isFull = process.env["SIGNALBOX_TESTS"] === "full"

/** One of two sizes of the same test. */
export const pickScope = <A>({ full, sample }: { readonly full: A; readonly sample: A }): A =>
  isFull ? full : sample

/** The number of runs of a property: `full`, or a tenth of it in a sample. */
export const scaleRuns = (full: number): number => pickScope({ full, sample: Math.ceil(full / 10) })

/** All items, or in a sample `count` evenly spaced ones, including the first and the last. */
export const pickSample = <A>(all: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  isFull || count >= all.length
    ? all
    : Array.from(
        { length: count },
        (_, at) => all[Math.round((at * (all.length - 1)) / (count - 1))] as A
      )
