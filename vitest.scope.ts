/** Selects how much of the long tests runs: a sample, or everything with `SIGNALBOX_TESTS=full`. */

/** The tests of the lowest versions of hosts. */
export const lowest = "packages/*/test/lowest/*.test.ts"

/** Test files that run in full alone, because they take long and few changes concern them. */
export const onlyInFull: ReadonlyArray<string> = [
  lowest,
  // Measures thousands of requests, and replays whole traces.
  "bench/test/{byteBudgets,affinity}.test.ts",
  // Processes that are killed, and databases that fail, hang or change hands.
  "e2e/{crash,fleet}/*.test.ts",
  "e2e/storage/{cancelledStatements,fullDisk,pendingSettlement,readOnlyDatabase}.test.ts",
  "e2e/storage/{refusedSessions,staleOnError,storageFailures}.test.ts",
  "e2e/videos/videoTakeover.test.ts",
  "packages/sql/test/{migrationFaults,processes,rollupProcesses,spans}.test.ts",
  "packages/sql/test/connection/pgbouncer.test.ts",
  // Several processes or connections on one database.
  "e2e/{interns/internConcurrency,management/managementConcurrency}.test.ts",
  "e2e/storage/threeProcesses.test.ts",
  "e2e/rateLimits/sharedRateLimits.test.ts",
  "packages/sql/test/stores/twoConnections.test.ts",
  // Frameworks, agents and other programs around an instance.
  "packages/{express,fastify}/test/nest.test.ts",
  "e2e/aiSdk/lowestVersions.test.ts",
  "e2e/clients/agents/*.test.ts",
  // Thousands of requests: one for each published field and provider.
  "e2e/fields/publishedFields.test.ts",
  "e2e/console/accessibility.test.ts",
  "scripts/test/release.test.ts"
]

/**
 * Test files that `npm test` leaves out until a file of their subject changes, because they take long: frameworks that are
 * built, programs that are started, Postgres, every client, and long properties. `npm run test:rest` always runs them.
 */
export const testsOnDemand: ReadonlyArray<{
  readonly files: ReadonlyArray<string>
  readonly subject: ReadonlyArray<string>
}> = [
  {
    // `packages/node/test/node.test.ts` runs the contract of hosts by default.
    files: [
      "packages/{express,fastify,web}/test/**/*.test.ts",
      "packages/node/test/{ResponseText,calibration,chat,chatBackpressure,effect,inflater,webStandard}.test.ts",
      "packages/node/test/transport/*.test.ts",
      "packages/testing/test/connections.test.ts",
      "packages/core/test/api/body/readBody.test.ts",
      "e2e/logins/*.test.ts",
      "examples/**/*.test.ts"
    ],
    subject: [
      "e2e/logins/**",
      "packages/{express,fastify,node,web}/**",
      "packages/testing/src/hostContract/**",
      "packages/core/src/api/{body,operation,server}/**",
      "packages/core/src/engine/upstreams/transport/**",
      "examples/**"
    ]
  },
  {
    files: ["e2e/console/**/*.test.ts", "packages/console/test/**/*.test.ts"],
    subject: ["packages/console/**", "e2e/console/**"]
  },
  {
    files: ["e2e/cli/*.test.ts", "packages/cli/test/**/*.test.ts"],
    subject: ["packages/cli/**", "e2e/cli/**"]
  },
  {
    files: ["e2e/fields/!(usualRequests|strictRequests|serverFields).test.ts"],
    subject: [
      "e2e/fields/**",
      "packages/core/src/{conversation,dialects}/**",
      "packages/core/src/domains/{chat,decisions,embeddings,images,messages,rerank,responses,speech,transcription,videos}/**",
      "packages/{ai-sdk,anthropic,google,openai,openrouter}/src/**"
    ]
  },
  {
    files: ["scripts/test/snippets.test.ts"],
    subject: ["docs/**", "README.md", "packages/*/README.md", "scripts/*nippet*.ts"]
  },
  {
    files: ["scripts/test/{layers,listScopedTests,noOutboundTraffic,selectTests}.test.ts"],
    subject: ["scripts/**", "vitest.*.ts"]
  },
  {
    // `packages/core/test/memoryStores.test.ts` runs the contracts of stores by default.
    files: [
      "packages/sql/test/**/*.test.ts",
      "e2e/{catalog,management,storage}/!(apiKeys|inputLimits|unknownFields).test.ts",
      "packages/redis/test/*.test.ts"
    ],
    subject: [
      "packages/{redis,sql}/**",
      "packages/core/src/{codecs,memory}/**",
      "packages/core/src/engine/{catalog,jobs}/**",
      "packages/core/src/tenants/**",
      "packages/testing/src/storeContract/**",
      "e2e/{catalog,management,storage}/**"
    ]
  },
  {
    files: [
      "e2e/{aiSdk,clients,dialects,quirks,translation}/**/*.test.ts",
      "e2e/{chat,messages,responses}/!(anthropic|chat|messages|native|responses).test.ts",
      "packages/{ai-sdk,anthropic,bedrock,google,openai,openrouter}/test/{contract,estimateWorstCase,*.properties}.test.ts",
      "packages/core/test/dialects/{conversations,streamEvents}.test.ts",
      "packages/core/test/dialects/messages/{cloudContract,writeEvents}.test.ts",
      "packages/core/test/dialects/responses/events.test.ts",
      "packages/core/test/domains/chat/pushedAndPulled.test.ts",
      "packages/core/test/domains/chat/stream/ChatAccumulator.test.ts"
    ],
    subject: [
      "packages/core/src/{ai,conversation,dialects}/**",
      "packages/core/src/{api,domains}/{chat,messages,responses}/**",
      "packages/{ai-sdk,anthropic,bedrock,google,openai,openrouter}/src/**",
      "packages/testing/src/quirks/**",
      "e2e/{chat,messages,responses}/**"
    ]
  },
  {
    files: [
      "e2e/{billing,rateLimits,routing}/!(decisionCharges|dryRun|routeReport|zeroUsage).test.ts",
      "packages/core/test/engine/ledger/LedgerStore.test.ts",
      "packages/core/test/engine/health/breaker.properties.test.ts",
      "packages/core/test/routing/**/*.properties.test.ts",
      "packages/core/test/routing/plan/strategies/leastLatency.test.ts"
    ],
    subject: [
      "packages/core/src/routing/**",
      "packages/core/src/engine/{health,ledger}/**",
      "packages/core/src/domains/experiments/**",
      "e2e/{billing,rateLimits,routing}/**"
    ]
  },
  {
    files: [
      "bench/test/*.test.ts",
      "e2e/{decisions,embeddings}/*.test.ts",
      "packages/core/test/domains/calibration/Calibrations.test.ts",
      "packages/core/test/domains/decisions/escalation/{escalate,statedConfidences}.test.ts"
    ],
    subject: [
      "bench/**",
      "packages/core/src/questions/**",
      "packages/core/src/{api,domains}/{calibration,decisions,embeddings,rerank,simulator}/**",
      "e2e/{decisions,embeddings}/**"
    ]
  },
  {
    files: [
      "e2e/{interns,videos,webhooks}/*.test.ts",
      "packages/core/test/domains/interns/**/{InternCreator,InternWorker}.test.ts",
      "packages/core/test/domains/vaults/Vaults.test.ts",
      "packages/core/test/domains/videos/VideoWorker.test.ts",
      "packages/core/test/tenants/webhooks/deliveries.test.ts"
    ],
    subject: [
      "packages/core/src/engine/jobs/**",
      "packages/core/src/tenants/webhooks/**",
      "packages/core/src/{api,domains}/{interns,vaults,videos}/**",
      "e2e/{interns,videos,webhooks}/**"
    ]
  },
  {
    files: [
      "e2e/{auth,byok,http,observability,security}/!(customAuth|generations|helmet|ignoredFields|mediaAddresses).test.ts",
      "packages/core/test/domains/listing/search.properties.test.ts",
      "packages/core/test/engine/observability/audit/truncateState.test.ts",
      "packages/core/test/engine/secrets/{Redactor,StreamRedactor,hasPossibleSecretInJson}.test.ts",
      "packages/core/test/engine/upstreams/transport/EventDecoder.test.ts"
    ],
    subject: [
      "packages/core/src/api/{contract,errors,listing,observability,operation,server}/**",
      "packages/core/src/engine/{observability,secrets}/**",
      "packages/core/src/engine/upstreams/transport/**",
      "packages/core/src/domains/listing/**",
      "packages/core/src/tenants/{auth,byok}/**",
      "e2e/{auth,byok,http,observability,security}/**"
    ]
  },
  {
    files: [
      "e2e/{alerts,cache,customers,filters,presets}/!(chats|customers|operations|presets|rules).test.ts",
      "e2e/{audio,images}/!(images|speech|transcriptions).test.ts",
      "packages/core/test/engine/filters/{attacks,disguises}.test.ts"
    ],
    subject: [
      "packages/core/src/engine/{cache,filters}/**",
      "packages/core/src/{api,domains}/{alerts,images,presets,speech,transcription}/**",
      "packages/core/src/tenants/**",
      "e2e/{alerts,audio,cache,customers,filters,images,presets}/**"
    ]
  },
  {
    // `packages/testing/test/simulation.test.ts` has the same worlds on stores in memory.
    files: ["e2e/simulation/*.test.ts"],
    subject: ["packages/sql/**", "packages/testing/test/simulation/**", "e2e/simulation/**"]
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
