/** Manages customers' own credentials, and selects those a request may use. */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import { ApiKeyStore } from "../auth/keys/ApiKeyStore.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { makeAuditedRows } from "../../engine/observability/audit/makeAuditedRows.ts"
import { maskSecret } from "../../engine/secrets/redact.ts"
import type { UnsealFailed } from "../../engine/secrets/Sealer.ts"
import { AccountId } from "../../values/ids/Ids.ts"
import type { Actor } from "../../values/Actor.ts"
import {
  mapPage,
  type OffsetPage,
  type OffsetRequest,
  unlimitedPage
} from "../../values/pages/OffsetPage.ts"
import { InvalidRequest, type ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { checkRoles } from "./checkRoles.ts"
import * as Credential from "./Credential.ts"
import type { HostCredential } from "./Credential.ts"
import { makeCredentialSeals } from "./CredentialSeals.ts"
import { CredentialStore } from "./CredentialStore.ts"
import { makeAdopt } from "./makeAdopt.ts"
import { makeUsableCredentials } from "./makeUsableCredentials.ts"
import type { SealedCredential, UsableCredential } from "./UsableCredential.ts"
import type { OwnedResource, WorkspaceFilter } from "../../values/OwnedResource.ts"
import { toQuotas } from "../workspaces/quotas.ts"
import { Settings } from "../../instance/Settings.ts"
import { enforceQuota } from "../../values/enforceQuota.ts"

/** Customers' own credentials. A list has those of a workspace and those for every workspace. */
export class Credentials extends Context.Service<
  Credentials,
  OwnedResource<
    Credential.Credential,
    Credential.NewCredential,
    Credential.CredentialPatch,
    CredentialFilter
  > & {
    /** The credentials of `list` with their states. */
    readonly listStates: (
      actor: Actor,
      asked: CredentialFilter,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Credential.CredentialState>, InvalidRequest>
    /** Moves these credentials before the others of their providers, in this order. */
    readonly reorder: (
      actor: Actor,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<void, InvalidRequest>
    /**
     * Adds or updates a credential that the host configures, for every workspace unless it names one. Its id is
     * derived from account, provider and name. Dies with a `RangeError` when the config is invalid.
     */
    readonly adopt: (account: string, config: HostCredential) => Effect.Effect<void>
    /** Seals everything that is sealed under an older key under the current one; returns the count. */
    readonly reseal: Effect.Effect<number>
    /** Unseals a credential for work that began with it, even if it was disabled since. */
    readonly open: (
      account: string,
      id: string
    ) => Effect.Effect<Redacted.Redacted, ResourceNotFound | UnsealFailed>
    /** The credentials that a request of `caller` for `models` may use, or that exclude shared capacity. */
    readonly listUsable: (
      caller: Caller,
      models: ReadonlyArray<Model>,
      configuration: Pick<Configuration, "resolve">
    ) => Effect.Effect<ReadonlyArray<UsableCredential>>
  }
>()("@signalbox/core/tenants/byok/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const audit = yield* Audit
      const keys = yield* ApiKeyStore
      const store = yield* CredentialStore
      const quotas = toQuotas(yield* Settings)
      const workspaces = yield* Workspaces
      const seals = yield* makeCredentialSeals
      const now = Effect.map(DateTime.now, DateTime.formatIso)

      const rows = makeAuditedRows(audit, store, {
        action: "byok",
        resource: "credential",
        toState: toCredential
      })

      /** Hashes of deleted keys that were allowed before may stay, because an empty list would allow all keys. */
      const checkHashes = (
        { account }: Actor,
        { allowed_api_key_hashes: hashes }: AllowLists,
        { allowed_api_key_hashes: before }: AllowLists = {}
      ) =>
        Effect.forEach(
          hashes ?? [],
          Effect.fnUntraced(function* (hash, at) {
            if (before?.includes(hash) === true) return
            if ((yield* keys.find(account, hash)) !== undefined) return
            return yield* new InvalidRequest({
              path: ["allowed_api_key_hashes", at],
              problem: "there is no such key"
            })
          }),
          { discard: true }
        )

      const list = Effect.fnUntraced(function* (
        actor: Actor,
        { provider, workspace_id }: CredentialFilter,
        page: OffsetRequest
      ) {
        const scope = { workspace: yield* workspaces.resolve(actor, workspace_id) }
        return yield* store.list(
          actor.account,
          provider === undefined ? scope : { ...scope, provider: provider.toLowerCase() },
          page
        )
      })

      yield* workspaces.onWorkspaceDelete(
        Effect.fnUntraced(function* (actor, workspace) {
          const { rows: all } = yield* store.list(actor.account, { workspace }, unlimitedPage)
          for (const { credential } of all) {
            // Credentials for every workspace stay.
            if (credential.workspace_id === workspace)
              yield* rows.removeIfPresent(actor, credential.id)
          }
          return Effect.void
        })
      )

      return {
        get: (actor, id) => Effect.map(rows.get(actor, id), toCredential),
        list: (actor, asked, page) =>
          Effect.map(list(actor, asked, page), (found) => mapPage(found, toCredential)),
        listStates: (actor, asked, page) =>
          Effect.map(list(actor, asked, page), (found) => mapPage(found, toState)),
        create: Effect.fnUntraced(function* (actor, { key, name, workspace_id, ...config }) {
          yield* Effect.fromResult(checkRoles(config))
          const id = SecureRandom.uuidV4Unsafe()
          const at = yield* now
          const workspace = yield* workspaces.resolve(actor, workspace_id)
          yield* checkHashes(actor, config)
          const made = Credential.make(config, {
            id,
            at,
            label: maskSecret(Redacted.value(key)),
            name,
            workspace
          })
          const sealed = yield* seals.seal(actor.account, made, key)
          return yield* audit.change(
            actor,
            "byok.create",
            Effect.gen(function* () {
              // The workspace may have been deleted while the secret was sealed.
              yield* workspaces.resolveForUpdate(actor, workspace)
              const { credential } = yield* enforceQuota(
                quotas.credentials,
                (within) => store.count(actor.account, within),
                store.insert(actor.account, { credential: made, sealed }),
                made.workspace_id === null ? {} : { within: made.workspace_id }
              )
              return { result: credential, target: id, after: credential }
            })
          )
        }),
        update: Effect.fnUntraced(function* (actor, id, { key, name, ...patch }) {
          const { credential: before } = yield* rows.get(actor, id)
          yield* checkHashes(actor, patch, before)
          const renewed =
            key === undefined
              ? undefined
              : {
                  sealed: yield* seals.seal(actor.account, before, key),
                  label: maskSecret(Redacted.value(key))
                }
          const updated = yield* rows.update(
            actor,
            id,
            (kept) => {
              const credential = {
                ...kept.credential,
                ...patch,
                ...(name === undefined ? undefined : { name: name ?? "" }),
                ...(renewed === undefined ? undefined : { label: renewed.label })
              }
              return Result.map(checkRoles(credential), () =>
                renewed === undefined
                  ? { ...kept, credential }
                  : { credential, sealed: renewed.sealed }
              )
            },
            renewed === undefined ? {} : { facts: { key_replaced: true } }
          )
          return updated.credential
        }),
        remove: (actor, id) => Effect.asVoid(rows.remove(actor, id)),
        reorder: (actor, ids) =>
          audit.change(
            actor,
            "byok.order",
            Effect.flatMap(store.reorder(actor.account, ids), (moved) =>
              moved === undefined
                ? Effect.fail(
                    new InvalidRequest({
                      path: ["ids"],
                      problem: "names a credential there is not"
                    })
                  )
                : Effect.succeed({
                    result: undefined,
                    target: moved.length === 0 ? undefined : actor.account,
                    before: moved.map(({ before, id }) => ({ id, sort_order: before })),
                    after: moved.map(({ after, id }) => ({ id, sort_order: after }))
                  })
            )
          ),
        adopt: yield* makeAdopt(seals),
        reseal: seals.reseal,
        open: Effect.fnUntraced(function* (said, id) {
          const account = AccountId.make(said)
          return yield* seals.open(account, yield* rows.get({ account }, id))
        }),
        listUsable: makeUsableCredentials(store, seals)
      }
    })
  )
}

/** Selects credentials of an account. */
export interface CredentialFilter extends WorkspaceFilter {
  readonly provider?: string
}

const toCredential = ({ credential }: SealedCredential): Credential.Credential => credential

const toState = ({
  credential,
  refusal,
  sealed
}: SealedCredential): Credential.CredentialState => ({
  ...Struct.pick(credential, ["id", "name", "provider", "label", "disabled", "sort_order"]),
  sealed_under: sealed.keyId,
  last_error: refusal ?? null
})

type AllowLists = Partial<Pick<Credential.Credential, "allowed_api_key_hashes">>
