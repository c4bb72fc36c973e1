/** Manages API keys; every change is in the audit log. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Digest from "effect/crypto/Digest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Transaction } from "../../../instance/Transaction.ts"
import { getCalendar } from "../../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../../engine/ledger/LedgerStore.ts"
import { noSpend, type Spend, SpendCounters } from "../../../engine/ledger/SpendCounters.ts"
import * as Subject from "../../../engine/ledger/Subject.ts"
import { Audit } from "../../../engine/observability/audit/Audit.ts"
import { makeAuditedRows } from "../../../engine/observability/audit/makeAuditedRows.ts"
import { maskSecret } from "../../../engine/secrets/redact.ts"
import { hashKey } from "../../../engine/secrets/hashKey.ts"
import type { Actor } from "../../../values/Actor.ts"
import { KeyHash, UserId, type WorkspaceId } from "../../../values/ids/Ids.ts"
import { unlimitedPage } from "../../../values/pages/OffsetPage.ts"
import { InvalidRequest, ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import type { NanoUsd } from "../../../values/usage/NanoUsd.ts"
import { setUpdatedAt } from "../../../values/setUpdatedAt.ts"
import { Workspaces } from "../../workspaces/Workspaces.ts"
import * as ApiKey from "./ApiKey.ts"
import { ApiKeyStore } from "./ApiKeyStore.ts"
import { ApiKeyCache, toCaller } from "./ApiKeyCache.ts"
import { findRemaining } from "./findRemaining.ts"
import { generateKeyText } from "./generateKeyText.ts"
import type { OwnedResource, WorkspaceFilter } from "../../../values/OwnedResource.ts"
import { toQuotas } from "../../workspaces/quotas.ts"
import { Settings } from "../../../instance/Settings.ts"
import { enforceQuota, type QuotaExceeded } from "../../../values/enforceQuota.ts"

/** A key, its spend, and what is left of its limit. */
export interface KeyWithSpend {
  readonly key: ApiKey.ApiKey
  readonly spend: Spend
  /** Undefined without a limit. */
  readonly remaining: NanoUsd | undefined
}

/** A key with its secret, which cannot be shown again. */
export interface IssuedKey extends KeyWithSpend {
  readonly secret: Redacted.Redacted
}

/** Selects keys of an account; default: the enabled ones of all workspaces. */
export interface KeyListFilter extends WorkspaceFilter {
  readonly include_disabled?: boolean
  /** Which are listed first; default: the oldest. */
  readonly sort?: "newest" | "oldest"
}

/** API keys. A new key acts for the member in `creator_user_id`, by default for the actor. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  OwnedResource<KeyWithSpend, ApiKey.NewKey, ApiKey.KeyPatch, KeyListFilter, IssuedKey> & {
    /** They apply in addition to the limits of the host; null removes one, and omitted ones stay. */
    readonly setRateLimit: (
      actor: Actor,
      hash: string,
      limits: Partial<ApiKey.KeyLimits>
    ) => Effect.Effect<KeyWithSpend, ResourceNotFound>
    /** Like `create`, with what binds who consented to it. */
    readonly grant: (
      actor: Actor,
      config: ApiKey.NewKey,
      attributes: ApiKey.GrantedAttributes
    ) => Effect.Effect<IssuedKey, InvalidRequest | QuotaExceeded>
    /**
     * Replaces the secret. The former secret stays valid for `graceSeconds`, but not beyond the next rotation.
     */
    readonly rotate: (
      actor: Actor,
      hash: string,
      graceSeconds: number
    ) => Effect.Effect<IssuedKey, ResourceNotFound>
    /** Registers what to do once the secret of a key has been replaced. */
    readonly onRotate: (
      listener: (actor: Actor, hash: KeyHash) => Effect.Effect<void>
    ) => Effect.Effect<void>
    /**
     * Registers what to remove when keys are removed; runs in the same transaction, and returns the effect to run after the
     * commit.
     */
    readonly onRemove: (
      listener: (actor: Actor, hashes: ReadonlyArray<KeyHash>) => Effect.Effect<Effect.Effect<void>>
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/tenants/auth/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const audit = yield* Audit
      const { withTransaction } = yield* Transaction
      const counters = yield* SpendCounters
      const keyCache = yield* ApiKeyCache
      const ledger = yield* LedgerStore
      const store = yield* ApiKeyStore
      const settings = yield* Settings
      const calendar = getCalendar(settings)
      const quotas = toQuotas(settings)
      const workspaces = yield* Workspaces
      const digest = yield* Digest.Digest
      const nowIso = Effect.map(DateTime.now, DateTime.formatIso)
      const hashSecret = (secret: Redacted.Redacted) =>
        Effect.provideService(hashKey(secret), Digest.Digest, digest)

      const rows = makeAuditedRows(audit, store, {
        action: "key",
        resource,
        toState: toAuditState
      })

      const withRemaining = (
        key: ApiKey.ApiKey,
        spends: ReadonlyMap<Subject.Subject, Spend>,
        now: number
      ): Effect.Effect<KeyWithSpend> =>
        Effect.map(findRemaining(ledger, calendar, toCaller(key), now), (remaining) => ({
          key,
          spend: spends.get(Subject.fromKey(key.hash)) ?? noSpend,
          remaining
        }))
      const loadSpends = Effect.fnUntraced(function* (keys: ReadonlyArray<ApiKey.ApiKey>) {
        const subjects = keys.map(({ hash }) => Subject.fromKey(hash))
        const now = yield* Clock.currentTimeMillis
        const spends = yield* counters.findSpend(subjects, now)
        return yield* Effect.forEach(keys, (key) => withRemaining(key, spends, now), {
          concurrency: ledgerReads
        })
      })
      const loadSpend = (key: ApiKey.ApiKey) =>
        Effect.map(
          loadSpends([key]),
          ([one = { key, spend: noSpend, remaining: undefined }]) => one
        )

      const issueSecret = Effect.gen(function* () {
        const secret = yield* generateKeyText
        const opened: ApiKey.KeySecret = {
          secret_hash: yield* hashSecret(secret),
          label: maskSecret(Redacted.value(secret))
        }
        return { secret, opened }
      })

      const changeKey = Effect.fnUntraced(function* (
        actor: Actor,
        action: string,
        ref: string,
        patch: Partial<ApiKey.ApiKey>
      ) {
        const hash = yield* parseHash(ref)
        const at = yield* nowIso
        const after = yield* rows.update(
          actor,
          hash,
          (key) => Result.succeed(setUpdatedAt(key, { ...key, ...patch }, at)),
          { action }
        )
        yield* keyCache.invalidate(after)
        return yield* loadSpend(after)
      }, Effect.uninterruptible)

      const createKey = Effect.fnUntraced(function* (
        actor: Actor,
        config: ApiKey.NewKey,
        granted?: ApiKey.GrantedAttributes
      ) {
        const { creator_user_id, expires_at, external, workspace_id, ...attributes } = config
        const at = yield* DateTime.now
        const expires = typeof expires_at === "string" ? DateTime.makeUnsafe(expires_at) : undefined
        if (expires !== undefined && DateTime.isLessThanOrEqualTo(expires, at)) {
          return yield* new InvalidRequest({
            path: ["expires_at"],
            problem: "must lie in the future"
          })
        }
        const user = creator_user_id === undefined ? actor.user : creator_user_id
        const { opened, secret } = yield* issueSecret
        const external_key_hash =
          external?.api_key === undefined ? null : yield* hashSecret(external.api_key)
        const makeIn = (
          workspace: WorkspaceId,
          ofCustomer: Pick<ApiKey.KeyAttributes, "customer">
        ) =>
          ApiKey.make(
            {
              account: actor.account,
              workspace,
              ...(typeof user === "string"
                ? { kind: "member", user: UserId.make(user) }
                : { kind: "organization" })
            },
            opened,
            DateTime.formatIso(at),
            {
              ...granted,
              ...attributes,
              ...ofCustomer,
              expires_at: expires === undefined ? null : DateTime.formatIso(expires),
              external_user: external?.user ?? null,
              external_key_hash
            }
          )
        const key = yield* audit.change(
          actor,
          "key.create",
          Effect.gen(function* () {
            const workspace = yield* workspaces.resolveForUpdate(actor, workspace_id)
            const isOfCustomer = (yield* workspaces.find(actor, workspace))?.customer !== undefined
            const key = makeIn(workspace, isOfCustomer ? { customer: true } : {})
            yield* enforceQuota(
              quotas.keys,
              (workspace) => store.count(actor.account, workspace),
              store.put(key),
              { within: key.workspace }
            )
            return { result: key, target: key.hash, after: toAuditState(key) }
          })
        )
        return { ...(yield* loadSpend(key)), secret }
      }, Effect.uninterruptible)

      const removalListeners: Array<RemovalListener> = []
      const rotationListeners: Array<(actor: Actor, hash: KeyHash) => Effect.Effect<void>> = []

      const follow = (actor: Actor, hashes: ReadonlyArray<KeyHash>) =>
        Effect.map(
          Effect.forEach(removalListeners, (each) => each(actor, hashes)),
          (afterCommit) => Effect.all(afterCommit, { discard: true })
        )

      yield* workspaces.onWorkspaceDelete(
        Effect.fnUntraced(function* (actor, workspace) {
          const { rows: all } = yield* store.list(
            actor.account,
            { workspace, includeDisabled: true },
            unlimitedPage
          )
          // Management keys administer the account, wherever they were created.
          const hashes = all.flatMap(({ hash, kind }) => (kind === "management" ? [] : [hash]))
          const removed = yield* Effect.forEach(hashes, (hash) => rows.removeIfPresent(actor, hash))
          const afterCommit = yield* follow(actor, hashes)
          return Effect.andThen(
            keyCache.invalidate(...removed.filter((key) => key !== undefined)),
            afterCommit
          )
        })
      )

      return {
        onRotate: (added) => Effect.sync(() => void rotationListeners.push(added)),
        onRemove: (added) => Effect.sync(() => void removalListeners.push(added)),
        get: Effect.fnUntraced(function* (actor, ref) {
          return yield* loadSpend(yield* rows.get(actor, yield* parseHash(ref)))
        }),
        list: Effect.fnUntraced(function* (
          actor,
          { include_disabled = false, sort = "oldest", workspace_id },
          page
        ) {
          const { rows: found, total } = yield* store.list(
            actor.account,
            {
              includeDisabled: include_disabled,
              newestFirst: sort === "newest",
              ...(workspace_id === undefined
                ? undefined
                : { workspace: yield* workspaces.resolve(actor, workspace_id) })
            },
            page
          )
          return { rows: yield* loadSpends(found), total }
        }),
        create: (actor, config) => createKey(actor, config),
        grant: createKey,
        update: (actor, hash, patch) => changeKey(actor, "update", hash, patch),
        setRateLimit: (actor, hash, limits) => changeKey(actor, "rate_limit", hash, limits),
        rotate: Effect.fnUntraced(function* (actor, ref, graceSeconds) {
          const hash = yield* parseHash(ref)
          const { opened, secret } = yield* issueSecret
          const at = yield* DateTime.now
          const graceEnds =
            graceSeconds === 0
              ? undefined
              : DateTime.formatIso(DateTime.add(at, { seconds: graceSeconds }))
          const { after, before } = yield* audit.change(
            actor,
            "key.rotate",
            Effect.gen(function* () {
              const rotated = yield* store.rotate(actor.account, hash, (key) =>
                ApiKey.rotate(key, opened, DateTime.formatIso(at), graceEnds)
              )
              if (rotated === undefined) return yield* failMissing(ref)
              const { after, before } = rotated
              return {
                result: rotated,
                target: hash,
                before: toAuditState(before),
                after: toAuditState(after)
              }
            })
          )
          yield* keyCache.invalidate(before, after)
          yield* Effect.forEach(rotationListeners, (each) => each(actor, hash), { discard: true })
          return { ...(yield* loadSpend(after)), secret }
        }, Effect.uninterruptible),
        remove: Effect.fnUntraced(function* (actor, ref) {
          const hash = yield* parseHash(ref)
          const { afterCommit, removed } = yield* withTransaction(
            Effect.gen(function* () {
              const removed = yield* rows.remove(actor, hash)
              return { removed, afterCommit: yield* follow(actor, [hash]) }
            })
          )
          yield* keyCache.invalidate(removed)
          yield* afterCommit
        }, Effect.uninterruptible)
      }
    })
  )
}

/** Each key of a page is asked for by itself, but not all at once: other requests need connections, too. */
const ledgerReads = 4

type RemovalListener = Parameters<ApiKeys["Service"]["onRemove"]>[0]

const resource = "API key"

/** Anything but a hash names no key. */
const parseHash = (ref: string): Effect.Effect<KeyHash, ResourceNotFound> =>
  Schema.is(KeyHash)(ref) ? Effect.succeed(ref) : failMissing(ref)

const failMissing = (id: string): Effect.Effect<never, ResourceNotFound> =>
  Effect.fail(new ResourceNotFound({ resource, id }))

/** For the audit log: without hashes of secrets. */
const toAuditState = (key: ApiKey.ApiKey) => ({
  ...Struct.omit(key, ["external_key_hash", "former_secret", "secret_hash"]),
  former_secret_expires_at: key.former_secret?.expires_at ?? null
})
