/** Manages the webhooks of workspaces and their signing secrets; every change is in the audit log. */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import { maskSecret, redactUrlQuery } from "../../engine/secrets/redact.ts"
import { resealAll, toResealChange } from "../../engine/secrets/resealAll.ts"
import { Sealer, toSealingProblem } from "../../engine/secrets/Sealer.ts"
import { Settings } from "../../instance/Settings.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import type { Actor } from "../../values/Actor.ts"
import { parseCallbackUrl } from "../../engine/outbound/parseCallbackUrl.ts"
import { InvalidRequest, ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { maxSecrets, type WebhookSecret } from "./Webhook.ts"
import {
  type StoredWebhook,
  type StoredWebhookSecret,
  type OwnedWebhookSecret,
  WebhookStore
} from "./WebhookStore.ts"
import { CurrentWorkspaceDefaults } from "./WorkspaceDefaults.ts"
import { Workspaces } from "./Workspaces.ts"
import { Webhooks } from "./Webhooks.ts"

export const layerWebhooks = Layer.effect(
  Webhooks,
  Effect.gen(function* () {
    const audit = yield* Audit
    const sealing = yield* Sealer
    const store = yield* WebhookStore
    const workspaces = yield* Workspaces
    const settings = yield* Settings
    const defaults = yield* CurrentWorkspaceDefaults
    const now = Effect.map(DateTime.now, DateTime.formatIso)

    const removeAll = (actor: Actor, id: string) =>
      audit.change(
        actor,
        "webhook.delete",
        Effect.map(store.remove(actor.account, id), (before) => ({
          result: before,
          target: before === undefined ? undefined : id,
          before: before === undefined ? undefined : toAuditRecord(before)
        }))
      )

    yield* workspaces.onWorkspaceDelete((actor, id) => Effect.as(removeAll(actor, id), Effect.void))

    const resealOne = Effect.fnUntraced(function* (owned: OwnedWebhookSecret) {
      const { account, secret } = owned
      const sealContext = toSealContext(account, owned.workspace, secret.id)
      const after = yield* sealing.seal(
        yield* sealing.unseal(secret.sealed, sealContext),
        sealContext
      )
      return yield* audit.change(
        { account },
        "webhook.secret.reseal",
        Effect.map(store.reseal(owned, after), toResealChange(secret.id, secret.sealed, after))
      )
    })

    return {
      get: Effect.fnUntraced(function* (actor, workspace) {
        const { id } = yield* workspaces.get(actor, workspace)
        const found = yield* store.find(actor.account, id)
        return {
          workspace_id: id,
          callback_url: found?.callback_url ?? defaults.callbackUrl ?? null,
          updated_at: found?.updated_at ?? null
        }
      }),
      put: Effect.fnUntraced(function* (actor, workspace, { callback_url }) {
        const { id } = yield* workspaces.get(actor, workspace)
        const url =
          callback_url === null
            ? null
            : yield* Effect.mapError(
                Effect.fromResult(parseCallbackUrl(callback_url, settings)),
                (problem) => new InvalidRequest({ path: ["callback_url"], problem })
              )
        const after = { callback_url: url, updated_at: yield* now }
        yield* audit.change(
          actor,
          "webhook.put",
          Effect.gen(function* () {
            yield* workspaces.hold(actor, id)
            const before = yield* store.putUrl(actor.account, id, after)
            return {
              result: undefined,
              target: findChangedTarget(id, before, url),
              before: { callback_url: toAuditUrl(before) },
              after: { callback_url: toAuditUrl(url) }
            }
          })
        )
        return { workspace_id: id, ...after }
      }),
      remove: Effect.fnUntraced(function* (actor, workspace) {
        const { id } = yield* workspaces.get(actor, workspace)
        if ((yield* removeAll(actor, id)) === undefined) {
          return yield* new ResourceNotFound({ resource: "webhook", id })
        }
      }),
      listSecrets: Effect.fnUntraced(function* (actor, workspace) {
        const { id } = yield* workspaces.get(actor, workspace)
        const found = yield* store.find(actor.account, id)
        return (found?.secrets ?? []).map(toWebhookSecret)
      }),
      createSecret: Effect.fnUntraced(function* (actor, workspace) {
        const { id } = yield* workspaces.get(actor, workspace)
        const secret = yield* generateSecret
        const created: WebhookSecret = {
          id: SecureRandom.uuidV4Unsafe(),
          label: maskSecret(Redacted.value(secret)),
          created_at: yield* now
        }
        const sealed = yield* Effect.mapError(
          sealing.seal(secret, toSealContext(actor.account, id, created.id)),
          toSealingProblem([], "a signing secret cannot be kept")
        )
        yield* audit.change(
          actor,
          "webhook.secret.create",
          Effect.gen(function* () {
            yield* workspaces.hold(actor, id)
            const isAdded = yield* store.addSecret(
              actor.account,
              id,
              { ...created, sealed },
              maxSecrets
            )
            if (!isAdded) return yield* tooManySecrets
            return {
              result: undefined,
              target: created.id,
              after: { workspace_id: id, ...created }
            }
          })
        )
        return { ...created, secret }
      }),
      removeSecret: Effect.fnUntraced(function* (actor, workspace, secretId) {
        const { id } = yield* workspaces.get(actor, workspace)
        const removed = yield* audit.change(
          actor,
          "webhook.secret.delete",
          Effect.map(store.removeSecret(actor.account, id, secretId), (before) => ({
            result: before,
            target: before?.id,
            before:
              before === undefined ? undefined : { workspace_id: id, ...toWebhookSecret(before) }
          }))
        )
        if (removed === undefined) {
          return yield* new ResourceNotFound({ resource: "signing secret", id: secretId })
        }
      }),
      getDeliveryConfig: Effect.fnUntraced(function* (account, workspace) {
        const found = yield* store.find(account, workspace)
        return {
          callbackUrl: found?.callback_url ?? undefined,
          secrets: yield* Effect.forEach(found?.secrets ?? [], ({ id, sealed }) =>
            sealing.unseal(sealed, toSealContext(account, workspace, id))
          )
        }
      }),
      disable: Effect.fnUntraced(
        function* (account, workspace, url) {
          const after = { callback_url: null, updated_at: yield* now }
          yield* audit.change(
            { account },
            "webhook.disable",
            Effect.gen(function* () {
              const before = yield* store.putUrl(account, workspace, after)
              // Rolls back, because the URL has changed.
              if (before !== url) return yield* Effect.fail("another address")
              return {
                result: undefined,
                target: workspace,
                before: { callback_url: redactUrlQuery(before) },
                after: { callback_url: null }
              }
            })
          )
        },
        Effect.catch(() => Effect.void)
      ),
      reseal: resealAll({
        sealer: sealing,
        page: store.listToReseal,
        reseal: resealOne,
        describeRow: ({ secret }) => `signing secret ${secret.id}`
      })
    }
  })
)

/** The format of https://www.standardwebhooks.com secrets. */
const generateSecret: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(`whsec_${Base64.encode(SecureRandom.randomBytesUnsafe(32))}`, {
    label: "signing secret"
  })
)

/** Binds the seal to the workspace, so that altering rows cannot make a secret sign for another one. */
const toSealContext = (
  account: AccountId,
  workspace: string,
  id: string
): ReadonlyArray<string> => ["webhook", account, workspace, id]

const toWebhookSecret = (stored: StoredWebhookSecret): WebhookSecret =>
  Struct.omit(stored, ["sealed"])

/** For the audit log. */
const toAuditUrl = (url: string | null): string | null =>
  url === null ? null : redactUrlQuery(url)

const toAuditRecord = ({ callback_url, secrets }: StoredWebhook) => ({
  callback_url: toAuditUrl(callback_url),
  secrets: secrets.map(toWebhookSecret)
})

const tooManySecrets = new InvalidRequest({
  path: [],
  problem: `${maxSecrets} signing secrets are active; delete one before making another`
})
