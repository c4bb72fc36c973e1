/** The stores, asked nothing twice that each request wants to know. */
import {
  AccountStore,
  ApiKeyStore,
  CredentialStore,
  GuardrailStore,
  LedgerStore,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StoreCache } from "./StoreCache.ts"

const accounts = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const changes = invalidateAfter("accounts")
    const configure = changes((_: string, ...args: Parameters<typeof store.configure>) =>
      store.configure(...args)
    )
    return {
      get: yield* cacheReads("accounts", store.get),
      update: changes(store.update),
      configure: (account) => configure(account.id, account)
    }
  })
)

const credentials = Layer.effect(
  CredentialStore,
  Effect.gen(function* () {
    const store = yield* CredentialStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const changes = invalidateAfter("credentials")
    return {
      ...store,
      listEnabled: yield* cacheReads("credentials", store.listEnabled),
      insert: changes(store.insert),
      put: changes(store.put),
      update: changes(store.update),
      remove: changes(store.remove),
      reorder: changes(store.reorder),
      recordRefusal: changes(store.recordRefusal),
      reseal: changes(store.reseal)
    }
  })
)

/** What was spent is never remembered, only what was granted. */
const ledger = Layer.effect(
  LedgerStore,
  Effect.gen(function* () {
    const store = yield* LedgerStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const changes = invalidateAfter("credits")
    return {
      ...store,
      findGrantedCredits: yield* cacheReads("credits", store.findGrantedCredits),
      grant: changes(store.grant),
      setInitialCredits: changes(store.setInitialCredits)
    }
  })
)

const guardrails = Layer.effect(
  GuardrailStore,
  Effect.gen(function* () {
    const store = yield* GuardrailStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const changes = invalidateAfter("guardrails")
    return {
      ...store,
      listEffective: yield* cacheReads("guardrails", store.listEffective),
      insert: changes(store.insert),
      update: changes(store.update),
      remove: changes(store.remove),
      assign: changes(store.assign),
      unassign: changes(store.unassign),
      unassignAll: changes(store.unassignAll)
    }
  })
)

const workspaces = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const { invalidateAfter, cacheReads } = yield* StoreCache
    const changes = invalidateAfter("workspaces")
    return {
      ...store,
      find: yield* cacheReads("workspaces", store.find),
      findById: yield* cacheReads("workspaces", store.findById),
      insert: changes(store.insert),
      ensure: changes(store.ensure),
      update: changes(store.update),
      remove: changes(store.remove),
      budgets: yield* cacheReads("workspaces", store.budgets),
      putBudget: changes(store.putBudget),
      removeBudget: changes(store.removeBudget)
    }
  })
)

/** Whoever opens boxes remembers them; what they may spend is told to whoever remembers spending. */
const apiKeys = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const { invalidateAfter } = yield* StoreCache
    return { ...store, update: invalidateAfter("keys")(store.update) }
  })
)

/** In front of the stores that they take the place of. */
export const readThroughCache = Layer.mergeAll(
  accounts,
  credentials,
  guardrails,
  apiKeys,
  ledger,
  workspaces
)
