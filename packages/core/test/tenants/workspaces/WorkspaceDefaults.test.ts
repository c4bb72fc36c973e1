import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { assert, describe, it } from "vitest"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { toWorkspaceResponse } from "../../../src/api/workspaces/WorkspacesApi.ts"
import { layerParts } from "../../../src/layer.ts"
import { ObservabilityPreferences } from "../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import type { Options } from "../../../src/Options.ts"
import { OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import { WorkspaceId, defaultAccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { Webhooks } from "../../../src/tenants/workspaces/Webhooks.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../../src/tenants/workspaces/WorkspaceStore.ts"

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  ),
  Logger.layer([])
)

const withOptions = <E>(
  options: Partial<Options>,
  test: Effect.Effect<void, E, Webhooks | ObservabilityPreferences | Workspaces | WorkspaceStore>
): Promise<void> =>
  Effect.runPromise(
    Effect.provide(
      test,
      layerParts({ upstreams: [], models: [], ...options }).pipe(Layer.provide(platform))
    )
  )

const isBroadcast = (workspace: WorkspaceId = defaultWorkspaceId) =>
  ObservabilityPreferences.use((wishes) => wishes.get(defaultAccountId, workspace))

const broadcast = [() => {}]

describe("the defaults of workspaces", () => {
  it("enable a broadcast configured in code without a PATCH, until one disables it", () =>
    withOptions(
      { broadcast },
      Effect.gen(function* () {
        assert.isTrue((yield* isBroadcast()).broadcast)
        const workspaces = yield* Workspaces
        const { id } = yield* workspaces.create(hostCaller, { name: "Lab", slug: "lab" })
        assert.isTrue((yield* isBroadcast(WorkspaceId.make(id))).broadcast)
        const said = yield* workspaces.update(hostCaller, id, {
          is_observability_broadcast_enabled: false
        })
        assert.isFalse(said.is_observability_broadcast_enabled)
        assert.isFalse((yield* isBroadcast(WorkspaceId.make(id))).broadcast)
        yield* workspaces.remove(hostCaller, id)
        assert.isFalse((yield* isBroadcast(WorkspaceId.make(id))).broadcast)
      })
    ))

  it("disable the broadcast, and enable the I/O log, only where configured", () =>
    withOptions(
      {
        broadcast,
        workspaceDefaults: {
          isObservabilityBroadcastEnabled: false,
          isObservabilityIoLoggingEnabled: true,
          ioLoggingSamplingRate: 0.5
        }
      },
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* isBroadcast(), {
          broadcast: false,
          io: { rate: 0.5, keys: null }
        })
      })
    ))

  it("are shown in a workspace, and may be sent back without being stored", () =>
    withOptions(
      {
        broadcast,
        workspaceDefaults: {
          defaultTextModel: "a/b",
          defaultProviderSort: "latency",
          callbackUrl: "https://example.com/events"
        }
      },
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const found = toWorkspaceResponse(yield* workspaces.get(hostCaller, "default"))
        assert.deepInclude(found, {
          default_text_model: "a/b",
          default_provider_sort: "latency",
          is_observability_broadcast_enabled: true,
          is_observability_io_logging_enabled: false,
          io_logging_sampling_rate: 1
        })
        const webhook = yield* Webhooks.use((webhooks) => webhooks.get(hostCaller, "default"))
        assert.strictEqual(webhook.callback_url, "https://example.com/events")
        yield* workspaces.update(hostCaller, "default", {
          default_text_model: "a/b",
          default_provider_sort: "price",
          is_observability_broadcast_enabled: true
        })
        const kept = yield* WorkspaceStore.use((store) =>
          store.findById(defaultAccountId, defaultWorkspaceId)
        )
        assert.deepInclude(kept, {
          default_text_model: null,
          default_provider_sort: "price",
          is_observability_broadcast_enabled: null
        })
      })
    ))

  it.each<[string, object]>([
    ["workspaceDefaults: defaultProviderSort", { defaultProviderSort: "cheap" }],
    ["workspaceDefaults: ioLoggingSamplingRate", { ioLoggingSamplingRate: 2 }],
    ["workspaceDefaults: default_text_model", { default_text_model: "a/b" }],
    ["workspaceDefaults.callbackUrl", { callbackUrl: "http://127.0.0.1/" }]
  ])("name an invalid %s", async (place, workspaceDefaults) => {
    const failed = await withOptions({ workspaceDefaults }, Effect.void).then(() => "made", String)
    assert.include(failed, "RangeError")
    assert.include(failed.toLowerCase(), place.toLowerCase().replaceAll("_", ""))
  })
})
