/** Records the store calls of an instance. */
import { type Signalbox as Box } from "@signalbox/core"
import {
  AccountStore,
  ApiKeyStore,
  AuditLog,
  CredentialStore,
  DeliveryStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  SpendCounters,
  VaultStore,
  VideoStore,
  WebhookStore,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Context from "effect/Context"

/** Notes every call from now on, as `Store.method` in order; gives those since it was asked last. */
export const recordStoreCalls = ({ context }: Box): (() => ReadonlyArray<string>) => {
  let calls: Array<string> = []
  const stores = {
    AccountStore: Context.get(context, AccountStore),
    ApiKeyStore: Context.get(context, ApiKeyStore),
    AuditLog: Context.get(context, AuditLog),
    CredentialStore: Context.get(context, CredentialStore),
    DeliveryStore: Context.get(context, DeliveryStore),
    GenerationStore: Context.get(context, GenerationStore),
    GuardrailStore: Context.get(context, GuardrailStore),
    InternStore: Context.get(context, InternStore),
    SpendCounters: Context.get(context, SpendCounters),
    VaultStore: Context.get(context, VaultStore),
    VideoStore: Context.get(context, VideoStore),
    WebhookStore: Context.get(context, WebhookStore),
    WorkspaceStore: Context.get(context, WorkspaceStore)
  }
  for (const [name, store] of Object.entries(stores)) {
    for (const [method, original] of Object.entries(store)) {
      const noted = (...args: ReadonlyArray<unknown>): unknown => {
        calls.push(`${name}.${method}`)
        return Reflect.apply(original, store, args)
      }
      // In place: the services hold on to the stores they were made with.
      Object.assign(store, { [method]: noted })
    }
  }
  return () => {
    const noted = calls
    calls = []
    return noted
  }
}
