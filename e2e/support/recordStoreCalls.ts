/** Records the store calls of an instance. */
import type { Signalbox as Instance } from "@signalbox/core"
import {
  AccountStore,
  AlertRuleStore,
  ApiKeyStore,
  AuditLog,
  CredentialStore,
  DeliveryStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  PresetStore,
  SavedViewStore,
  SpendCounters,
  VaultStore,
  VideoStore,
  WebhookStore,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Context from "effect/Context"

/** Returns a function that returns the calls since its last call, in order, as `Store.method`. */
export const recordStoreCalls = ({ context }: Instance): (() => ReadonlyArray<string>) => {
  let calls: Array<string> = []
  const stores = {
    AccountStore: Context.get(context, AccountStore),
    AlertRuleStore: Context.get(context, AlertRuleStore),
    ApiKeyStore: Context.get(context, ApiKeyStore),
    AuditLog: Context.get(context, AuditLog),
    CredentialStore: Context.get(context, CredentialStore),
    DeliveryStore: Context.get(context, DeliveryStore),
    GenerationStore: Context.get(context, GenerationStore),
    GuardrailStore: Context.get(context, GuardrailStore),
    InternStore: Context.get(context, InternStore),
    PresetStore: Context.get(context, PresetStore),
    SavedViewStore: Context.get(context, SavedViewStore),
    SpendCounters: Context.get(context, SpendCounters),
    VaultStore: Context.get(context, VaultStore),
    VideoStore: Context.get(context, VideoStore),
    WebhookStore: Context.get(context, WebhookStore),
    WorkspaceStore: Context.get(context, WorkspaceStore),
    "WorkspaceStore.scopedBudgets": Context.get(context, WorkspaceStore).scopedBudgets
  }
  for (const [name, store] of Object.entries(stores)) {
    for (const [method, original] of Object.entries<unknown>({ ...store })) {
      if (typeof original !== "function") continue
      const recordCall = (...args: ReadonlyArray<unknown>): unknown => {
        calls.push(`${name}.${method}`)
        return Reflect.apply(original, store, args)
      }
      // The stores are changed in place, as services already refer to them.
      Object.assign(store, { [method]: recordCall })
    }
  }
  return () => {
    const recorded = calls
    calls = []
    return recorded
  }
}
