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
import { Snapshot } from "./Snapshot.ts"

const accounts = Layer.effect(
  AccountStore,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const { changing, remembered } = yield* Snapshot
    const changes = changing("accounts")
    const configure = changes((_: string, ...args: Parameters<typeof store.configure>) =>
      store.configure(...args)
    )
    return {
      find: yield* remembered("accounts", store.find),
      update: changes(store.update),
      configure: (account) => configure(account.id, account)
    }
  })
)

const credentials = Layer.effect(
  CredentialStore,
  Effect.gen(function* () {
    const store = yield* CredentialStore
    const { changing, remembered } = yield* Snapshot
    const changes = changing("credentials")
    return {
      ...store,
      enabled: yield* remembered("credentials", store.enabled),
      insert: changes(store.insert),
      put: changes(store.put),
      update: changes(store.update),
      remove: changes(store.remove),
      arrange: changes(store.arrange),
      noteRefused: changes(store.noteRefused),
      reseal: changes(store.reseal)
    }
  })
)

/** What was spent is never remembered, only what was granted. */
const ledger = Layer.effect(
  LedgerStore,
  Effect.gen(function* () {
    const store = yield* LedgerStore
    const { changing, remembered } = yield* Snapshot
    const changes = changing("credits")
    return {
      ...store,
      granted: yield* remembered("credits", store.granted),
      grant: changes(store.grant),
      endow: changes(store.endow)
    }
  })
)

const guardrails = Layer.effect(
  GuardrailStore,
  Effect.gen(function* () {
    const store = yield* GuardrailStore
    const { changing, remembered } = yield* Snapshot
    const changes = changing("guardrails")
    return {
      ...store,
      effective: yield* remembered("guardrails", store.effective),
      insert: changes(store.insert),
      update: changes(store.update),
      remove: changes(store.remove),
      assign: changes(store.assign),
      unassign: changes(store.unassign),
      release: changes(store.release)
    }
  })
)

const workspaces = Layer.effect(
  WorkspaceStore,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const { changing, remembered } = yield* Snapshot
    const changes = changing("workspaces")
    return {
      ...store,
      find: yield* remembered("workspaces", store.find),
      findById: yield* remembered("workspaces", store.findById),
      insert: changes(store.insert),
      ensure: changes(store.ensure),
      update: changes(store.update),
      remove: changes(store.remove),
      budgets: yield* remembered("workspaces", store.budgets),
      putBudget: changes(store.putBudget),
      removeBudget: changes(store.removeBudget)
    }
  })
)

/** Whoever opens boxes remembers them; what they may spend is told to whoever remembers spending. */
const keys = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const store = yield* ApiKeyStore
    const { changing } = yield* Snapshot
    return { ...store, update: changing("keys")(store.update) }
  })
)

/** In front of the stores that they take the place of. */
export const remembering = Layer.mergeAll(
  accounts,
  credentials,
  guardrails,
  keys,
  ledger,
  workspaces
)
