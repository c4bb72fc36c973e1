/** Caches the reads that every request makes, in front of the stores. */
import {
  AccountStore,
  ApiKeyStore,
  CredentialStore,
  GuardrailStore,
  LedgerStore,
  PersonStore,
  PresetStore,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { serveStaleKeys } from "./serveStaleKeys.ts"
import { StoreCache } from "./StoreCache.ts"

const accounts = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("accounts")
    const configure = invalidating((_: string, ...args: Parameters<typeof store.configure>) =>
      store.configure(...args)
    )
    return {
      get: yield* cacheReads("accounts", store.get),
      update: invalidating(store.update),
      configure: (account) => configure(account.id, account)
    }
  })
)

const credentials = Layer.effect(
  CredentialStore,
  Effect.gen(function* () {
    const store = yield* CredentialStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("credentials")
    return {
      ...store,
      listEnabled: yield* cacheReads("credentials", store.listEnabled),
      insert: invalidating(store.insert),
      put: invalidating(store.put),
      update: invalidating(store.update),
      remove: invalidating(store.remove),
      reorder: invalidating(store.reorder),
      recordRefusal: invalidating(store.recordRefusal),
      reseal: invalidating(store.reseal)
    }
  })
)

/** Caches grants, never spending. */
const ledger = Layer.effect(
  LedgerStore,
  Effect.gen(function* () {
    const store = yield* LedgerStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("credits")
    return {
      ...store,
      findGrantedCredits: yield* cacheReads("credits", store.findGrantedCredits),
      grant: invalidating(store.grant),
      setInitialCredits: invalidating(store.setInitialCredits)
    }
  })
)

const guardrails = Layer.effect(
  GuardrailStore,
  Effect.gen(function* () {
    const store = yield* GuardrailStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("guardrails")
    return {
      ...store,
      listEffective: yield* cacheReads("guardrails", store.listEffective),
      insert: invalidating(store.insert),
      update: invalidating(store.update),
      remove: invalidating(store.remove),
      assign: invalidating(store.assign),
      unassign: invalidating(store.unassign),
      unassignAll: invalidating(store.unassignAll)
    }
  })
)

const workspaces = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("workspaces")
    return {
      ...store,
      find: yield* cacheReads("workspaces", store.find),
      findById: yield* cacheReads("workspaces", store.findById),
      insert: invalidating(store.insert),
      ensure: invalidating(store.ensure),
      update: invalidating(store.update),
      remove: invalidating(store.remove),
      budgets: yield* cacheReads("workspaces", store.budgets),
      putBudget: invalidating(store.putBudget),
      removeBudget: invalidating(store.removeBudget),
      scopedBudgets: {
        ...store.scopedBudgets,
        insert: invalidating(store.scopedBudgets.insert),
        update: invalidating(store.scopedBudgets.update),
        remove: invalidating(store.scopedBudgets.remove)
      }
    }
  })
)

const presets = Layer.effect(
  PresetStore,
  Effect.gen(function* () {
    const store = yield* PresetStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const invalidating = invalidateAfter("presets")
    return {
      ...store,
      find: yield* cacheReads("presets", store.find),
      insert: invalidating(store.insert),
      update: invalidating(store.update),
      remove: invalidating(store.remove)
    }
  })
)

/** Renames who made presets, in their table. */
const people = Layer.effect(
  PersonStore,
  Effect.gen(function* () {
    const store = yield* PersonStore
    const { invalidateAfter } = yield* StoreCache
    const rename = invalidateAfter("presets")(
      (_: string, ...args: Parameters<typeof store.rename>) => store.rename(...args)
    )
    return { rename: (renaming) => rename(renaming.account, renaming) }
  })
)

/** The core caches keys itself. Their limits matter to `batchedStores`, which watches the versions. */
const apiKeys = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const { invalidateAfter, onRemoteChange, outage } = yield* StoreCache
    const invalidating = { ...store, update: invalidateAfter("keys")(store.update) }
    return outage === undefined
      ? invalidating
      : yield* serveStaleKeys(invalidating, outage, onRemoteChange)
  })
)

/** Replaces the stores it is provided with. */
export const readThroughCache = Layer.mergeAll(
  accounts,
  credentials,
  guardrails,
  apiKeys,
  ledger,
  people,
  presets,
  workspaces
)
