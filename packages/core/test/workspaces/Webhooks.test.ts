import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Atomically } from "../../src/Atomically.ts"
import { MemoryJournal } from "../../src/MemoryJournal.ts"
import { Audit } from "../../src/observability/Audit.ts"
import { AuditLog } from "../../src/observability/AuditLog.ts"
import { Sealing, type SealingKeys } from "../../src/secrets/Sealing.ts"
import { AccountId } from "../../src/values/AccountId.ts"
import { UserId } from "../../src/values/UserId.ts"
import { defaultWorkspaceId } from "../../src/values/WorkspaceId.ts"
import { Webhooks } from "../../src/workspaces/Webhooks.ts"
import { WebhookStore } from "../../src/workspaces/WebhookStore.ts"
import { Workspaces } from "../../src/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../src/workspaces/WorkspaceStore.ts"

const stores = Layer.mergeAll(
  Atomically.layerMemory,
  AuditLog.layerMemory,
  WebhookStore.layerMemory,
  WorkspaceStore.layerMemory
).pipe(Layer.provide(MemoryJournal.layer))

const first = { current: "k1", keys: { k1: "1".repeat(32) } } satisfies SealingKeys
const second: SealingKeys = { current: "k2", keys: { ...first.keys, k2: "2".repeat(32) } }

/** Over the stores there are: a box that starts anew. */
const inBox = <A, E, R>(effect: Effect.Effect<A, E, R>, sealing: SealingKeys | undefined = first) =>
  Effect.provide(
    effect,
    Webhooks.layer.pipe(
      Layer.provideMerge(Workspaces.layer),
      Layer.provide(Audit.layer),
      Layer.provide(Sealing.layer(sealing))
    ),
    { local: true }
  )

const actor = { account: AccountId.make("acme"), user: UserId.make("ada") }
const stranger = { account: AccountId.make("other") }

const told = AuditLog.use((log) =>
  Effect.map(log.list(actor.account, { limit: 100 }), ({ rows }) => rows)
)

const delivered = Webhooks.use((webhooks) =>
  Effect.map(webhooks.delivery(actor.account, defaultWorkspaceId), ({ callbackUrl, secrets }) => ({
    callbackUrl,
    secrets: secrets.map(Redacted.value)
  }))
)

describe("Webhooks", () => {
  it.effect("hands what was set to deliveries of the workspace, and to nobody else", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const empty = { workspace_id: defaultWorkspaceId, callback_url: null, updated_at: null }
      assert.deepStrictEqual(yield* webhooks.find(actor, "default"), empty)
      const put = yield* webhooks.put(actor, "default", {
        callback_url: "https://A.example/hook?token=planted"
      })
      assert.strictEqual(put.callback_url, "https://a.example/hook?token=planted")
      assert.deepStrictEqual(yield* webhooks.find(actor, defaultWorkspaceId), put)
      const one = yield* webhooks.createSecret(actor, "default")
      const two = yield* webhooks.createSecret(actor, "default")
      const secrets = [one, two].map(({ secret }) => Redacted.value(secret))
      for (const secret of secrets) {
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.strictEqual(Buffer.from(secret.slice(6), "base64").length, 32)
      }
      assert.strictEqual(one.label, `whsec_...${secrets[0]?.slice(-3)}`)
      assert.deepStrictEqual(yield* delivered, {
        callbackUrl: "https://a.example/hook?token=planted",
        secrets
      })
      const nobody = yield* webhooks.delivery(stranger.account, defaultWorkspaceId)
      assert.deepStrictEqual(nobody, { callbackUrl: undefined, secrets: [] })
      assert.deepStrictEqual(yield* webhooks.find(stranger, "default"), empty)

      const third = yield* Effect.flip(webhooks.createSecret(actor, "default"))
      assert.strictEqual(third._tag, "InvalidRequest")
      yield* webhooks.removeSecret(actor, "default", one.id)
      assert.deepStrictEqual((yield* delivered).secrets, secrets.slice(1))
      assert.strictEqual(
        (yield* Effect.flip(webhooks.removeSecret(actor, "default", one.id)))._tag,
        "Missing"
      )
      yield* webhooks.put(actor, "default", { callback_url: null })
      assert.deepStrictEqual(yield* delivered, {
        callbackUrl: undefined,
        secrets: secrets.slice(1)
      })
      yield* webhooks.remove(actor, "default")
      assert.deepStrictEqual(yield* delivered, { callbackUrl: undefined, secrets: [] })
      assert.strictEqual((yield* Effect.flip(webhooks.remove(actor, "default")))._tag, "Missing")

      const rows = yield* told
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
          yield* WebhookStore.use((store) => store.sealedOtherwise("", undefined, 100))
        ],
        { depth: 20 }
      )
      assert.include(everything, one.label)
      for (const secret of [...secrets.map((each) => each.slice(6, 40)), "planted"]) {
        assert.notInclude(everything, secret)
      }
    }).pipe(inBox, Effect.provide(stores))
  )

  it.effect("goes with its workspace", () =>
    Effect.gen(function* () {
      const [webhooks, workspaces] = [yield* Webhooks, yield* Workspaces]
      const { id } = yield* workspaces.create(actor, { name: "lab", slug: "lab" })
      yield* webhooks.put(actor, id, { callback_url: "https://a.example/" })
      const { label } = yield* webhooks.createSecret(actor, id)
      yield* workspaces.remove(actor, id, false)
      assert.isUndefined(yield* WebhookStore.use((store) => store.find(actor.account, id)))
      const entry = (yield* told).find(({ action }) => action === "webhook.delete")
      assert.strictEqual(entry?.target, id)
      assert.include(JSON.stringify(entry?.before), label)
    }).pipe(inBox, Effect.provide(stores))
  )

  it.effect("seals anew what another key sealed, so that the other can be taken away", () =>
    Effect.gen(function* () {
      const { secret } = yield* inBox(
        Webhooks.use((webhooks) => webhooks.createSecret(actor, "default"))
      )
      const reseal = Webhooks.use((webhooks) => webhooks.reseal)
      assert.strictEqual(yield* inBox(reseal, second), 1)
      assert.strictEqual(yield* inBox(reseal, second), 0)
      const later: SealingKeys = { current: "k2", keys: { k2: "2".repeat(32) } }
      const { secrets } = yield* inBox(delivered, later)
      assert.deepStrictEqual(secrets, [Redacted.value(secret)])
    }).pipe(Effect.provide(stores))
  )

  it.effect("makes no secret that cannot be sealed, and says what to set", () =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const error = yield* Effect.flip(webhooks.createSecret(actor, "default"))
      assert.include(inspect(error), "sealing")
      assert.deepStrictEqual(yield* webhooks.secrets(actor, "default"), [])
      assert.deepStrictEqual(yield* told, [])
    }).pipe(
      Effect.provide(
        Webhooks.layer.pipe(
          Layer.provideMerge(Workspaces.layer),
          Layer.provide(Audit.layer),
          Layer.provide(Sealing.layer(undefined)),
          Layer.provideMerge(stores)
        )
      )
    )
  )
})
