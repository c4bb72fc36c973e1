import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Webhook } from "standardwebhooks"
import { assert, describe, it } from "vitest"
import { Transaction } from "../../../src/instance/Transaction.ts"
import { DurableJobs } from "../../../src/engine/jobs/DurableJobs.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { NonPublicAddress, OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import { Sealer } from "../../../src/engine/secrets/Sealer.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { Deliveries } from "../../../src/tenants/webhooks/Deliveries.ts"
import type { WebhookEvent } from "../../../src/tenants/webhooks/Delivery.ts"
import type { Delivery } from "../../../src/tenants/webhooks/Delivery.ts"
import { layerDeliveryWorker } from "../../../src/tenants/webhooks/DeliveryWorker.ts"
import { Webhooks } from "../../../src/tenants/workspaces/Webhooks.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { settle } from "../../settle.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryDeliveryStore } from "../../../src/memory/memoryDeliveryStore.ts"
import { memoryJobStore } from "../../../src/memory/memoryJobStore.ts"
import { memoryWebhookStore } from "../../../src/memory/memoryWebhookStore.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

interface SentRequest {
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

type Receive = (sent: SentRequest) => Effect.Effect<Response, unknown>

const textOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""

const stores = Layer.mergeAll(
  memoryTransaction,
  memoryAuditLog,
  memoryDeliveryStore,
  memoryJobStore,
  memoryWebhookStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

const makeServices = <E>(receivers: Layer.Layer<OutboundHttp, E>) =>
  layerDeliveryWorker.pipe(
    Layer.provideMerge(Deliveries.layer),
    Layer.provideMerge(Webhooks.layer),
    Layer.provideMerge([Workspaces.layer, DurableJobs.layer]),
    Layer.provideMerge(Audit.layer),
    Layer.provide([
      Sealer.layer({ current: "k", keys: { k: "a sealing key that is hard to guess, for tests" } }),
      receivers
    ]),
    Layer.provideMerge(stores)
  )

type Services = Layer.Success<ReturnType<typeof makeServices>>

/** Halfway between the extremes. */
const half: typeof Random.Random.Service = { nextDoubleUnsafe: () => 0.5, nextIntUnsafe: () => 0 }

const chance: typeof Random.Random.Service = {
  nextDoubleUnsafe: Math.random,
  nextIntUnsafe: () => 0
}

/** Runs a test with its own receivers. */
const run = (
  receive: Receive,
  test: (sent: ReadonlyArray<SentRequest>) => Effect.Effect<void, unknown, Services | Scope.Scope>,
  { random = half, ...settings }: Partial<Settings.SettingsShape> & { random?: typeof half } = {}
): Promise<void> => {
  const sent: Array<SentRequest> = []
  const receivers = Layer.succeed(
    OutboundHttp,
    HttpClient.make((request, url) =>
      Effect.gen(function* () {
        const one = {
          at: yield* Clock.currentTimeMillis,
          url: url.href,
          headers: request.headers,
          body: textOf(request)
        }
        sent.push(one)
        return HttpClientResponse.fromWeb(request, yield* receive(one))
      }).pipe(
        Effect.mapError(
          (cause) =>
            new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause })
            })
        )
      )
    )
  )
  return Effect.runPromise(
    test(sent).pipe(
      Effect.scoped,
      Effect.provide(
        makeServices(receivers).pipe(
          Layer.provideMerge([TestClock.layer(), Settings.layer(settings), Logger.layer([])])
        )
      ),
      Effect.provideService(Random.Random, random)
    )
  )
}

const status =
  (code: number, headers: Record<string, string> = {}): Receive =>
  () =>
    Effect.sync(() => new Response(null, { status: code, headers }))

/** Runs everything that is due, including crypto and long queues, second by second. */
const elapse = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second++) {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => settle(20))
  }
})

const dead = ({ url }: SentRequest): boolean => url.includes("dead")

/** The number of different deliveries that were tried. */
const countAttempts = (sent: ReadonlyArray<SentRequest>): number =>
  new Set(sent.map(({ headers }) => headers["webhook-id"])).size

const actor = { account: AccountId.make("acme") }
const url = "https://hooks.example.com/in?token=planted"

const event = (job: string, changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
  account: actor.account,
  workspace: defaultWorkspaceId,
  id: `${job}-completed`,
  type: "video.generation.completed",
  at: 0,
  data: { id: job, status: "completed" },
  callbackUrl: url,
  ...changes
})

const offer = (one: WebhookEvent) => Deliveries.use((deliveries) => deliveries.offer(one))
const find = (id: string) => Deliveries.use((deliveries) => deliveries.get(actor, id))
const redeliver = (id: string) => Deliveries.use((deliveries) => deliveries.redeliver(actor, id))
const getState = (id: string) => Effect.map(find(id), ({ state }) => state)
const statuses = ({ attempts }: Delivery) => attempts.map(({ error, status }) => status ?? error)

describe("Deliveries", () => {
  it("sends an event once, signed with every secret of its workspace, and records the response", () =>
    run(status(204), (sent) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const secrets = [
          yield* webhooks.createSecret(actor, "default"),
          yield* webhooks.createSecret(actor, "default")
        ]
        assert.isTrue(yield* offer(event("job")))
        assert.isFalse(yield* offer(event("job")))
        yield* elapse(20)
        assert.strictEqual(sent.length, 1)
        const [{ body, headers, url: to }] = sent as [SentRequest]
        assert.strictEqual(to, url)
        assert.strictEqual(headers["content-type"], "application/json")
        assert.strictEqual(headers["x-openrouter-idempotency-key"], "job-completed")
        assert.isUndefined(headers["traceparent"])
        assert.deepStrictEqual(JSON.parse(body), {
          type: "video.generation.completed",
          created_at: "1970-01-01T00:00:00.000Z",
          data: { id: "job", status: "completed" }
        })
        const at = new Date(1_000 * Number(headers["webhook-timestamp"]))
        for (const { secret } of secrets) {
          assert.include(
            headers["webhook-signature"] ?? "",
            new Webhook(Redacted.value(secret)).sign("job-completed", at, body)
          )
        }
        const delivery = yield* find("job-completed")
        assert.deepStrictEqual([delivery.state, statuses(delivery)], ["delivered", [204]])
      })
    ))

  it("makes the ten attempts of the schedule, with the same id and body and a new timestamp", () =>
    run(status(500), (sent) =>
      Effect.gen(function* () {
        yield* offer(event("job"))
        yield* TestClock.adjust("1 second")
        for (const { seconds } of [
          { seconds: 5 },
          { seconds: 300 },
          { seconds: 1_800 },
          { seconds: 7_200 },
          { seconds: 18_000 },
          { seconds: 36_000 },
          { seconds: 50_400 },
          { seconds: 72_000 },
          { seconds: 86_400 }
        ]) {
          const { length } = sent
          yield* TestClock.adjust((seconds - 2) * 1_000)
          assert.strictEqual(sent.length, length)
          yield* TestClock.adjust(2_000)
          assert.strictEqual(sent.length, length + 1)
        }
        assert.strictEqual(yield* getState("job-completed"), "failed")
        yield* TestClock.adjust("7 days")
        assert.strictEqual(sent.length, 10)
        assert.strictEqual(new Set(sent.map(({ body }) => body)).size, 1)
        assert.strictEqual(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, 1)
        for (const { at, headers } of sent) {
          assert.strictEqual(headers["webhook-timestamp"], String(Math.floor(at / 1_000)))
          assert.isUndefined(headers["webhook-signature"])
          assert.isUndefined(headers["x-openrouter-signature"])
        }
      })
    ))

  it("retries at the time that the receiver requests", () =>
    run(status(503, { "retry-after": "3600" }), (sent) =>
      Effect.gen(function* () {
        yield* offer(event("job"))
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual(sent.length, 1)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(sent.length, 2)
      })
    ))

  it("closes the connection after 15 seconds, and retries", () =>
    run(
      () => Effect.never,
      (sent) =>
        Effect.gen(function* () {
          yield* offer(event("job"))
          yield* TestClock.adjust("14 seconds")
          assert.strictEqual((yield* find("job-completed")).attempts.length, 0)
          yield* TestClock.adjust("2 seconds")
          const delivery = yield* find("job-completed")
          assert.deepStrictEqual(statuses(delivery), ["timeout"])
          assert.strictEqual(delivery.attempts[0]?.durationMillis, 15_000)
          yield* TestClock.adjust("7 seconds")
          assert.strictEqual(sent.length, 2)
        })
    ))

  it("records that a name resolves to a private network, without details", () =>
    run(
      () => Effect.fail(new NonPublicAddress()),
      () =>
        Effect.gen(function* () {
          yield* offer(event("job"))
          yield* TestClock.adjust("1 second")
          const delivery = yield* find("job-completed")
          assert.deepStrictEqual([delivery.state, statuses(delivery)], ["pending", ["not_public"]])
        })
    ))

  it("sends nothing to an address that is no longer allowed", () =>
    run(status(200), (sent) =>
      Effect.gen(function* () {
        yield* offer(event("job", { callbackUrl: "http://127.0.0.1:8080/" }))
        yield* TestClock.adjust("1 second")
        const delivery = yield* find("job-completed")
        assert.deepStrictEqual([delivery.state, statuses(delivery)], ["failed", ["unsafe_address"]])
        assert.strictEqual(sent.length, 0)
      })
    ))

  it("uses the workspace's address when the event has none, and sends nothing without either", () =>
    run(status(200), (sent) =>
      Effect.gen(function* () {
        const { callbackUrl: _, ...unaddressed } = event("one")
        assert.isFalse(yield* offer(unaddressed))
        yield* Webhooks.use((webhooks) =>
          webhooks.put(actor, "default", { callback_url: "https://own.example.com/" })
        )
        assert.isTrue(yield* offer(unaddressed))
        assert.isTrue(yield* offer(event("two")))
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(sent.map((each) => each.url).toSorted(), [
          url,
          "https://own.example.com/"
        ])
      })
    ))

  it("removes the address of a workspace after a 410, and records that in the audit log", () =>
    run(status(410), (sent) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        yield* webhooks.put(actor, "default", { callback_url: url })
        const { callbackUrl: _, ...unaddressed } = event("one")
        yield* offer(unaddressed)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* getState("one-completed"), "disabled")
        assert.isNull((yield* webhooks.get(actor, "default")).callback_url)
        assert.isFalse(yield* offer({ ...unaddressed, id: "two-completed" }))
        yield* TestClock.adjust("10 days")
        assert.strictEqual(sent.length, 1)
        const { rows } = yield* AuditLog.use((log) => log.list(actor.account, { limit: 1 }))
        assert.deepStrictEqual(
          rows.map(({ action, before }) => [action, before]),
          [["webhook.disable", { callback_url: "https://hooks.example.com/in?..." }]]
        )
      })
    ))

  it("keeps an address that was set after the one that returned 410", () =>
    run(status(410), () =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { callbackUrl: _, ...unaddressed } = event("one")
        yield* webhooks.put(actor, "default", { callback_url: url })
        yield* offer(unaddressed)
        yield* webhooks.put(actor, "default", { callback_url: "https://new.example.com/" })
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* getState("one-completed"), "disabled")
        assert.strictEqual(
          (yield* webhooks.get(actor, "default")).callback_url,
          "https://new.example.com/"
        )
      })
    ))

  it("is rolled back with the transaction that offered it", () =>
    run(status(200), (sent) =>
      Effect.gen(function* () {
        const { withTransaction } = yield* Transaction
        yield* Effect.flip(
          withTransaction(Effect.andThen(offer(event("job")), Effect.fail("the job was not kept")))
        )
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(sent.length, 0)
        assert.strictEqual((yield* Effect.flip(find("job-completed")))._tag, "ResourceNotFound")
        yield* withTransaction(offer(event("job")))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(sent.length, 1)
      })
    ))

  it("sends again on request, with a new schedule", () => {
    let code = 500
    return run(
      () => Effect.sync(() => new Response(null, { status: code })),
      (sent) =>
        Effect.gen(function* () {
          yield* offer(event("job"))
          assert.strictEqual((yield* redeliver("job-completed")).version, 1)
          yield* TestClock.adjust("10 days")
          assert.strictEqual(sent.length, 10)
          const again = yield* redeliver("job-completed")
          assert.deepStrictEqual([again.state, again.failures], ["pending", 0])
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual(sent.length, 13)
          code = 200
          yield* redeliver("job-completed")
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* getState("job-completed"), "delivered")
          assert.strictEqual(sent.length, 14)
          yield* TestClock.adjust("10 days")
          assert.strictEqual(sent.length, 14)
          const { rows } = yield* AuditLog.use((log) => log.list(actor.account, { limit: 10 }))
          assert.deepStrictEqual(
            rows.map(({ action, target }) => [action, target]),
            Array.from({ length: 2 }, () => ["delivery.redeliver", "job-completed"])
          )
        })
    )
  })

  it("does not find deliveries of another account", () =>
    run(status(200), () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        yield* offer(event("job"))
        const stranger = { account: AccountId.make("other") }
        const missing = [
          yield* Effect.flip(deliveries.get(stranger, "job-completed")),
          yield* Effect.flip(deliveries.redeliver(stranger, "job-completed")),
          yield* Effect.flip(deliveries.get(actor, "unknown-completed"))
        ]
        assert.deepStrictEqual(
          missing.map(({ _tag }) => _tag),
          ["ResourceNotFound", "ResourceNotFound", "ResourceNotFound"]
        )
        const page = { limit: 10 }
        assert.lengthOf((yield* deliveries.list(stranger, {}, page)).rows, 0)
        assert.lengthOf((yield* deliveries.list(actor, {}, page)).rows, 1)
        const of = yield* deliveries.list(actor, { workspace: "default", state: "pending" }, page)
        assert.lengthOf(of.rows, 1)
      })
    ))

  it("sends nothing for a deleted workspace", () =>
    run(status(200), (sent) =>
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const { id } = yield* workspaces.create(actor, { name: "lab", slug: "lab" })
        yield* offer(event("job", { workspace: id }))
        yield* workspaces.remove(actor, id)
        yield* TestClock.adjust("1 second")
        const delivery = yield* find("job-completed")
        assert.deepStrictEqual(
          [delivery.state, statuses(delivery), sent.length],
          ["failed", ["workspace_deleted"], 0]
        )
      })
    ))

  it("delivers to working receivers while hanging ones have many deliveries waiting", () => {
    return run(
      (one) => (dead(one) ? Effect.never : Effect.succeed(new Response(null))),
      (sent) =>
        Effect.gen(function* () {
          for (let index = 0; index < 100; index++) {
            const host = `dead-${index % 3}.example.com`
            yield* offer(event(`hung-${index}`, { callbackUrl: `https://${host}/` }))
          }
          yield* elapse(1)
          for (let minute = 0; minute < 10; minute++) {
            const before = sent.filter((each) => !dead(each)).length
            for (let index = 0; index < 20; index++) yield* offer(event(`well-${minute}-${index}`))
            yield* elapse(10)
            assert.strictEqual(sent.filter((each) => !dead(each)).length, before + 20)
            yield* elapse(50)
          }
          const { rows } = yield* Deliveries.use((deliveries) =>
            deliveries.list(actor, { state: "delivered" }, { limit: 1_000 })
          )
          assert.lengthOf(rows, 200)
          for (let minute = 0; minute < 60 && countAttempts(sent.filter(dead)) < 100; minute++)
            yield* elapse(60)
          assert.strictEqual(countAttempts(sent.filter(dead)), 100)
        }),
      { random: chance }
    )
  })

  it("delivers at once although a thousand receivers of one wildcard domain hang", () =>
    run(
      (one) => (dead(one) ? Effect.never : Effect.succeed(new Response(null))),
      (sent) =>
        Effect.gen(function* () {
          for (let index = 0; index < 1_000; index++) {
            const callbackUrl = `https://x${index}.dead.example.com/`
            yield* offer(event(`hung-${index}`, { callbackUrl }))
          }
          yield* elapse(2)
          const account = AccountId.make("somebody-else")
          yield* offer(event("theirs", { account }))
          yield* offer(event("own", { callbackUrl: "https://own.example.org/" }))
          yield* elapse(10)
          assert.lengthOf(
            sent.filter((each) => !dead(each)),
            2
          )
        }),
      { random: chance }
    ))

  it("delivers a whole burst to one receiver", () =>
    run(
      () => Effect.as(Effect.sleep(50), new Response(null)),
      (sent) =>
        Effect.gen(function* () {
          for (let index = 0; index < 300; index++) yield* offer(event(`job-${index}`))
          yield* TestClock.adjust("5 minutes")
          assert.strictEqual(sent.length, 300)
        }),
      { random: chance }
    ))

  it("keeps unfinished deliveries and the latest finished ones in memory", () =>
    run(
      (one) => (dead(one) ? Effect.never : Effect.succeed(new Response(null))),
      () =>
        Effect.gen(function* () {
          yield* offer(event("pending", { callbackUrl: "https://dead.example.com/" }))
          for (let index = 0; index < 20; index++) {
            yield* offer(event(`job-${index}`))
            yield* TestClock.adjust("1 second")
          }
          const { rows } = yield* Deliveries.use((deliveries) =>
            deliveries.list(actor, {}, { limit: 100 })
          )
          assert.strictEqual(rows.length, 5)
          assert.deepStrictEqual(
            rows.map(({ id }) => id),
            [...[19, 18, 17, 16].map((index) => `job-${index}-completed`), "pending-completed"]
          )
        }),
      { maxDeliveries: 5 }
    ))

  it("purges deliveries that ended a month ago", () =>
    run(status(200), () =>
      Effect.gen(function* () {
        yield* offer(event("job"))
        yield* TestClock.adjust("29 days")
        assert.strictEqual(yield* getState("job-completed"), "delivered")
        yield* TestClock.adjust("2 days")
        assert.strictEqual((yield* Effect.flip(find("job-completed")))._tag, "ResourceNotFound")
      })
    ))

  it.each(["", "with.dot", "with space", "a/b", "a".repeat(201)])("rejects the id '%s'", (id) =>
    run(status(200), () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit(offer(event("job", { id })))
        assert.strictEqual(exit._tag, "Failure")
      })
    )
  )
})
