/** An instance on a database that runs interns on a scripted host, and a member who calls it. */
import { type Caller, defaultAccountId, defaultWorkspaceId, layer, UserId } from "@signalbox/core"
import type { Stores } from "@signalbox/core/stores"
import type { ScriptedInternHost } from "@signalbox/testing"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { offlinePlatform } from "./offlinePlatform.ts"

export const ann: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  user: UserId.make("ann")
}

export const layerInternInstance = (
  stores: Layer.Layer<Stores, Error>,
  { host }: ScriptedInternHost
) =>
  layer({
    stores,
    upstreams: [],
    models: [],
    sealing: { current: "k", keys: { k: Buffer.alloc(32, 7).toString("base64") } },
    interns: { host },
    settings: { jobPollMillis: 50 }
  }).pipe(Layer.provide(offlinePlatform), Layer.provideMerge(Logger.layer([])))
