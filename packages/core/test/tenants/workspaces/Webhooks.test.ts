import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { Sealer, type SealingKeys } from "../../../src/engine/secrets/Sealer.ts"
import { AccountId, UserId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { Webhooks } from "../../../src/tenants/workspaces/Webhooks.ts"
import { WebhookStore } from "../../../src/tenants/workspaces/WebhookStore.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryWebhookStore } from "../../../src/memory/memoryWebhookStore.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const stores = Layer.mergeAll(
  memoryTransaction,
  memoryAuditLog,
  memoryWebhookStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

const first = { current: "k1", keys: { k1: "1".repeat(32) } } satisfies SealingKeys
const second: SealingKeys = { current: "k2", keys: { ...first.keys, k2: "2".repeat(32) } }

/** Uses existing stores, like a restarted instance. */
const withInstance = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  sealing: SealingKeys | undefined = first
) =>
  Effect.provide(
    effect,
    Webhooks.layer.pipe(
      Layer.provideMerge(Workspaces.layer),
      Layer.provide(Audit.layer),
      Layer.provide(Sealer.layer(sealing))
    ),
    { local: true }
  )

const actor = { account: AccountId.make("acme"), user: UserId.make("ada") }
const stranger = { account: AccountId.make("other") }

const listAuditEntries = AuditLog.use((log) =>
  Effect.map(log.list(actor.account, { limit: 100 }), ({ rows }) => rows)
)

const getDelivery = Webhooks.use((webhooks) =>
  Effect.map(
    webhooks.getDeliveryConfig(actor.account, defaultWorkspaceId),
    ({ callbackUrl, secrets }) => ({
      callbackUrl,
      secrets: secrets.map(Redacted.value)
    })
  )
)

describe("Webhooks", () => {
  it.effect("passes the configuration to deliveries of the workspace only", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const empty = { workspace_id: defaultWorkspaceId, callback_url: null, updated_at: null }
      assert.deepStrictEqual(yield* webhooks.get(actor, "default"), empty)
      const put = yield* webhooks.put(actor, "default", {
        callback_url: "https://A.example/hook?token=planted"
      })
      assert.strictEqual(put.callback_url, "https://a.example/hook?token=planted")
      assert.deepStrictEqual(yield* webhooks.get(actor, defaultWorkspaceId), put)
      const one = yield* webhooks.createSecret(actor, "default")
      const two = yield* webhooks.createSecret(actor, "default")
      const secrets = [one, two].map(({ secret }) => Redacted.value(secret))
      for (const secret of secrets) {
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.strictEqual(Buffer.from(secret.slice(6), "base64").length, 32)
      }
      assert.strictEqual(one.label, `whsec_...${secrets[0]?.slice(-3)}`)
      assert.deepStrictEqual(yield* getDelivery, {
        callbackUrl: "https://a.example/hook?token=planted",
        secrets
      })
      const foreign = yield* webhooks.getDeliveryConfig(stranger.account, defaultWorkspaceId)
      assert.deepStrictEqual(foreign, { callbackUrl: undefined, secrets: [] })
      assert.deepStrictEqual(yield* webhooks.get(stranger, "default"), empty)

      const third = yield* Effect.flip(webhooks.createSecret(actor, "default"))
      assert.strictEqual(third._tag, "InvalidRequest")
      yield* webhooks.removeSecret(actor, "default", one.id)
      assert.deepStrictEqual((yield* getDelivery).secrets, secrets.slice(1))
      assert.strictEqual(
        (yield* Effect.flip(webhooks.removeSecret(actor, "default", one.id)))._tag,
        "ResourceNotFound"
      )
      yield* webhooks.put(actor, "default", { callback_url: null })
      assert.deepStrictEqual(yield* getDelivery, {
        callbackUrl: undefined,
        secrets: secrets.slice(1)
      })
      yield* webhooks.remove(actor, "default")
      assert.deepStrictEqual(yield* getDelivery, { callbackUrl: undefined, secrets: [] })
      assert.strictEqual(
        (yield* Effect.flip(webhooks.remove(actor, "default")))._tag,
        "ResourceNotFound"
      )

      const rows = yield* listAuditEntries
      assert.deepStrictEqual(rows.map(({ action, target }) => [action, target]).toReversed(), [
        ["webhook.put", defaultWorkspaceId],
        ["webhook.secret.create", one.id],
        ["webhook.secret.create", two.id],
        ["webhook.secret.delete", one.id],
        ["webhook.put", defaultWorkspaceId],
        ["webhook.delete", defaultWorkspaceId]
      ])
      const everything = inspect(
        [
          rows,
          one,
          two,
          yield* WebhookStore.use((store) => store.listToReseal("", undefined, 100))
        ],
        { depth: 20 }
      )
      assert.include(everything, one.label)
      for (const secret of [...secrets.map((each) => each.slice(6, 40)), "planted"]) {
        assert.notInclude(everything, secret)
      }
    }).pipe(withInstance, Effect.provide(stores))
  )

  it.effect("is removed with its workspace", () =>
    Effect.gen(function* () {
      const [webhooks, workspaces] = [yield* Webhooks, yield* Workspaces]
      const { id } = yield* workspaces.create(actor, { name: "lab", slug: "lab" })
      yield* webhooks.put(actor, id, { callback_url: "https://a.example/" })
      const { label } = yield* webhooks.createSecret(actor, id)
      yield* workspaces.remove(actor, id)
      assert.isUndefined(yield* WebhookStore.use((store) => store.find(actor.account, id)))
      const entry = (yield* listAuditEntries).find(({ action }) => action === "webhook.delete")
      assert.strictEqual(entry?.target, id)
      assert.include(JSON.stringify(entry?.before), label)
    }).pipe(withInstance, Effect.provide(stores))
  )

  it.effect("reseals secrets under a new key, so that the old one can be removed", () =>
    Effect.gen(function* () {
      const { secret } = yield* withInstance(
        Webhooks.use((webhooks) => webhooks.createSecret(actor, "default"))
      )
      const reseal = Webhooks.use((webhooks) => webhooks.reseal)
      assert.strictEqual(yield* withInstance(reseal, second), 1)
      assert.strictEqual(yield* withInstance(reseal, second), 0)
      const later: SealingKeys = { current: "k2", keys: { k2: "2".repeat(32) } }
      const { secrets } = yield* withInstance(getDelivery, later)
      assert.deepStrictEqual(secrets, [Redacted.value(secret)])
    }).pipe(Effect.provide(stores))
  )

  it.effect("creates no secret without a sealing key, and names the option to set", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const error = yield* Effect.flip(webhooks.createSecret(actor, "default"))
      assert.include(inspect(error), "sealing")
      assert.deepStrictEqual(yield* webhooks.listSecrets(actor, "default"), [])
      assert.deepStrictEqual(yield* listAuditEntries, [])
    }).pipe(
      Effect.provide(
        Webhooks.layer.pipe(
          Layer.provideMerge(Workspaces.layer),
          Layer.provide(Audit.layer),
          Layer.provide(Sealer.layer(undefined)),
          Layer.provideMerge(stores)
        )
      )
    )
  )
})
