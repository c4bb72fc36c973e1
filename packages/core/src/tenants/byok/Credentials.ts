/** Manages customers' own credentials, and selects those a request may use. */
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { ApiKeyStore } from "../auth/keys/ApiKeyStore.ts"
import type { Caller } from "../auth/Caller.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { makeAuditedRows } from "../../engine/observability/audit/makeAuditedRows.ts"
import { maskSecret } from "../../engine/secrets/maskSecret.ts"
import { resealAll } from "../../engine/secrets/resealAll.ts"
import { Sealer, type UnsealFailed } from "../../engine/secrets/Sealer.ts"
import { AccountId } from "../../values/ids/Ids.ts"
import type { Actor } from "../../values/Actor.ts"
import { deriveId } from "../../values/ids/deriveId.ts"
import {
  mapPage,
  type OffsetPage,
  type OffsetRequest,
  unlimitedPage
} from "../../values/pages/OffsetPage.ts"
import { InvalidRequest, type ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import {
  type CredentialRefusal,
  type SealedCredential,
  type UsableCredential,
  appliesTo
} from "./UsableCredential.ts"
import * as Credential from "./Credential.ts"
import { CredentialStore, type OwnedCredential } from "./CredentialStore.ts"
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
>()("@signalbox/core/byok/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const audit = yield* Audit
      const keys = yield* ApiKeyStore
      const store = yield* CredentialStore
      const quotas = toQuotas(yield* Settings)
      const sealing = yield* Sealer
      const workspaces = yield* Workspaces
      const digest = yield* Digest.Digest
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

      const seal = (account: AccountId, placed: SealingSubject, key: Redacted.Redacted) =>
        Effect.mapError(sealing.seal(key, toAssociatedData(account, placed)), toSealingProblem)

      /** Unsealed secrets by row: rows are immutable, so each is unsealed once. */
      const openedSecrets = new WeakMap<SealedCredential, Redacted.Redacted>()
      const open = (
        account: AccountId,
        kept: SealedCredential
      ): Effect.Effect<Redacted.Redacted, UnsealFailed> => {
        const known = openedSecrets.get(kept)
        if (known !== undefined) return Effect.succeed(known)
        const place = toAssociatedData(account, kept.credential)
        return Effect.map(sealing.unseal(kept.sealed, place), (secret) => {
          openedSecrets.set(kept, secret)
          return secret
        })
      }

      /** Skips rows that were removed or changed since they were read. */
      const resealOne = Effect.fnUntraced(function* ({
        account,
        row: { credential, sealed }
      }: OwnedCredential) {
        const place = toAssociatedData(account, credential)
        const secret = yield* sealing.unseal(sealed, place)
        const after = yield* sealing.seal(secret, place)
        return yield* audit.change(
          { account },
          "byok.reseal",
          Effect.map(store.reseal(account, credential.id, sealed, after), (done) => ({
            result: done ? 1 : 0,
            target: done ? credential.id : undefined,
            before: { sealed_under: sealed.keyId },
            after: { sealed_under: after.keyId }
          }))
        )
      })

      /**
       * The credentials of a request. Memoized, because everything they depend on is immutable, and most requests share
       * it with others.
       */
      const getSelections = memoize((rows: ReadonlyArray<SealedCredential>) =>
        memoize((caller: Caller) =>
          memoize((configuration: Pick<Configuration, "resolve">) =>
            memoize((models: ReadonlyArray<Model>) =>
              rows.flatMap((kept) => toUsable(kept, caller, models, configuration))
            )
          )
        )
      )

      const toUsable = (
        kept: SealedCredential,
        caller: Caller,
        models: ReadonlyArray<Model>,
        configuration: Pick<Configuration, "resolve">
      ): ReadonlyArray<UsableCredential> => {
        const { account } = caller
        const { credential } = kept
        if (!appliesTo(credential, caller)) return []
        const covered = listCoveredModels(credential, models, configuration)
        if (covered.size === 0 && !credential.is_byok_only) return []
        return [
          {
            credential,
            models: covered,
            get secret() {
              return open(account, kept)
            },
            reportRefusal: (refusal) => recordRefusal(account, kept, refusal)
          }
        ]
      }

      const recordRefusal = (
        account: AccountId,
        { credential, sealed }: SealedCredential,
        { at, kind, status }: CredentialRefusal
      ) =>
        store
          .recordRefusal(account, credential.id, sealed, {
            at: DateTime.formatIso(DateTime.makeUnsafe(at)),
            kind,
            status: status ?? null
          })
          .pipe(
            Effect.catchCause((cause) =>
              Effect.logError(`the refusal of credential ${credential.id} was not recorded`, cause)
            )
          )

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
          const made = Credential.make(config, { id, at, label: toLabel(key), name, workspace })
          const sealed = yield* seal(actor.account, made, key)
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
              : { sealed: yield* seal(actor.account, before, key), label: toLabel(key) }
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
        adopt: Effect.fnUntraced(
          function* (said, given) {
            const account = AccountId.make(said)
            const plainKey = Redacted.isRedacted(given.key) ? Redacted.value(given.key) : given.key
            const { key, name, workspace_id, ...config } = yield* Effect.mapError(
              decodeNewCredential({ ...given, key: plainKey }),
              toInvalidRequest
            )
            const workspace =
              workspace_id === undefined
                ? null
                : yield* workspaces.findId({ account }, workspace_id)
            // A deleted workspace must not prevent the start of the host.
            if (workspace === undefined) {
              return yield* Effect.logWarning(
                `a credential for ${config.provider} is left out: the account "${account}" has no workspace "${workspace_id}"`
              )
            }
            const id = yield* deriveId(digest, [account, config.provider, name ?? ""])
            yield* Effect.fromResult(checkRoles(config))
            const credential = Credential.make(config, {
              id,
              at: yield* now,
              label: toLabel(key),
              name,
              workspace
            })
            const sealed = yield* seal(account, credential, key)
            const before = yield* store.find(account, id)
            const isSame =
              before !== undefined &&
              (yield* Effect.match(
                sealing.unseal(before.sealed, toAssociatedData(account, credential)),
                {
                  onSuccess: (opened) => Redacted.value(opened) === Redacted.value(key),
                  onFailure: () => false
                }
              ))
            yield* store.put(account, { credential, sealed }, isSame)
          },
          Effect.catchTag("InvalidRequest", ({ path, problem }) =>
            Effect.die(new RangeError(`credentials: ${[...path, problem].join(" ")}`))
          )
        ),
        reseal: resealAll({
          sealer: sealing,
          page: store.listToReseal,
          reseal: resealOne,
          describeRow: ({ row }) => `credential ${row.credential.id}`
        }),
        open: Effect.fnUntraced(function* (said, id) {
          const account = AccountId.make(said)
          return yield* open(account, yield* rows.get({ account }, id))
        }),
        listUsable: (caller, models, configuration) =>
          Effect.mapEager(store.listEnabled(caller.account), (rows) =>
            rows.length === 0 ? noCredentials : getSelections(rows)(caller)(configuration)(models)
          )
      }
    })
  )
}

/** Selects credentials of an account. */
export interface CredentialFilter extends WorkspaceFilter {
  readonly provider?: string
}

/** A credential that the host configures. */
export interface HostCredential extends Omit<
  Credential.NewCredential,
  "key" | "name" | "workspace_id"
> {
  readonly key: string | Redacted.Redacted
  /** Distinguishes several credentials of one provider. */
  readonly name?: string
  /** The id or slug of a workspace; default: every workspace. If it does not exist, the credential is skipped with a warning. */
  readonly workspace_id?: string
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

const decodeNewCredential = Schema.decodeUnknownEffect(Credential.NewCredential)

const toLabel = (key: Redacted.Redacted): string => maskSecret(Redacted.value(key))

const noCredentials: ReadonlyArray<UsableCredential> = []

type SealingSubject = Pick<Credential.Credential, "id" | "provider">

/** Binds the seal to the row and its provider, so that altering rows cannot send a secret elsewhere. */
const toAssociatedData = (
  account: AccountId,
  { id, provider }: SealingSubject
): ReadonlyArray<string> => ["byok", account, id, provider]

const toSealingProblem = (): InvalidRequest =>
  new InvalidRequest({
    path: ["key"],
    problem: "cannot be kept: this service has no key to seal it with; set the option `sealing`"
  })

type AllowLists = Partial<Pick<Credential.Credential, "allowed_api_key_hashes">>

type Roles = Partial<Pick<Credential.Credential, "is_byok_only" | "is_fallback">>

const checkRoles = ({ is_byok_only, is_fallback }: Roles): Result.Result<void, InvalidRequest> =>
  is_byok_only === true && is_fallback === true
    ? Result.fail(
        new InvalidRequest({
          path: ["is_byok_only"],
          problem: "cannot be combined with is_fallback"
        })
      )
    : Result.void

/** `allowed_models` names models as requests do: by id, canonical slug or alias. */
const listCoveredModels = (
  { allowed_models }: Credential.Credential,
  models: ReadonlyArray<Model>,
  { resolve }: Pick<Configuration, "resolve">
): ReadonlySet<string> => {
  const ids = models.map(({ id }) => id)
  if (allowed_models === null) return new Set(ids)
  const allowed = new Set<string>(allowed_models.map((slug) => resolve(slug)?.model.id ?? slug))
  return new Set(ids.filter((id) => allowed.has(id)))
}
