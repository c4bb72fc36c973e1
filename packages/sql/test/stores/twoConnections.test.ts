/** Runs the store contracts with calls that alternate between two connections to one database. */
import type { Stores } from "@signalbox/core/stores"
import {
  AccountStoreContract,
  AlertStoreContract,
  ApiKeyStoreContract,
  TransactionContract,
  AuditLogContract,
  CalibrationStoreContract,
  CredentialStoreContract,
  GenerationStoreContract,
  GuardrailStoreContract,
  PresetStoreContract,
  InternStoreContract,
  LedgerStoreContract,
  RollupStoreContract,
  SpendCountersContract,
  VaultStoreContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../../src/migrations/migrate.ts"
import { sqlStores } from "../../src/domains.ts"
import { pickScope } from "../../../../vitest.scope.ts"
import { emptyDatabase, postgresLeaseTime } from "../databases.ts"

/** Calls in a transaction stay on its connection, the first. */
const withTwoConnections = (
  client: Layer.Layer<SqlClient, unknown>
): Layer.Layer<Stores | SqlClient, unknown> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const connect = Layer.build(Layer.fresh(Layer.provideMerge(sqlStores, client)))
      const [first, second] = [yield* connect, yield* connect]
      yield* Effect.provideContext(migrate(), first)
      const { transactionService } = Context.get(first, SqlClient)
      let calls = 0
      const alternating = (key: string, service: object, other: object): object =>
        new Proxy(service, {
          get: (_, method) =>
            key.endsWith("/Transaction")
              ? Reflect.get(service, method)
              : typeof Reflect.get(service, method) === "object"
                ? alternating(key, Reflect.get(service, method), Reflect.get(other, method))
                : (...args: ReadonlyArray<unknown>) =>
                    Effect.flatMap(Effect.serviceOption(transactionService), (transaction) =>
                      Reflect.get(
                        Option.isSome(transaction) || calls++ % 2 === 0 ? service : other,
                        method
                      )(...args)
                    )
        })
      // Every member of a store is a function, or a store by itself.
      const entries = Array.from(
        first.mapUnsafe,
        ([key, service]) =>
          [
            key,
            key.startsWith("@signalbox/")
              ? alternating(key, Object(service), Object(second.mapUnsafe.get(key)))
              : service
          ] as const
      )
      return Context.makeUnsafe<Stores | SqlClient>(new Map(entries))
    })
  )

// The sample is Postgres, where two connections may write at the same time.
const databases = pickScope<Partial<typeof emptyDatabase>>({
  full: emptyDatabase,
  sample: { Postgres: emptyDatabase.Postgres }
})

for (const [name, empty] of Object.entries(databases)) {
  const both = withTwoConnections(empty())
  const implementation = `${name} over two connections`
  const options = name === "Postgres" ? { leaseTime: postgresLeaseTime } : undefined
  AccountStoreContract(implementation, both)
  AlertStoreContract(implementation, both)
  ApiKeyStoreContract(implementation, both)
  TransactionContract(implementation, both, options)
  AuditLogContract(implementation, both)
  CalibrationStoreContract(implementation, both)
  CredentialStoreContract(implementation, both)
  GenerationStoreContract(implementation, both)
  GuardrailStoreContract(implementation, both)
  PresetStoreContract(implementation, both)
  InternStoreContract(implementation, both)
  LedgerStoreContract(implementation, both, options)
  RollupStoreContract(implementation, both)
  SpendCountersContract(implementation, both)
  VaultStoreContract(implementation, both)
  WebhookStoreContract(implementation, both)
  WorkspaceStoreContract(implementation, both)
}
