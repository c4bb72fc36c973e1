/** The context that requests run in. */
import * as Context from "effect/Context"
import * as HttpClient from "effect/http/HttpClient"
import { Callers } from "../../tenants/auth/Callers.ts"
import { ChangeFeed } from "../../instance/ChangeFeed.ts"
import { Chats } from "../../domains/chat/Chats.ts"
import { Decisions } from "../../domains/decisions/Decisions.ts"
import { Presets } from "../../domains/presets/Presets.ts"
import { InternHostService } from "../../domains/interns/host/InternHost.ts"
import { RequestLogEnabled } from "../../engine/observability/logging/RequestFacts.ts"
import { IsTerminal } from "../../engine/observability/logging/IsTerminal.ts"
import { RoutingRules } from "../../routing/RoutingRules.ts"
import { Settings } from "../../instance/Settings.ts"
import { StorageStatus } from "../../instance/StorageStatus.ts"
import { ExternalContentClient } from "../../engine/upstreams/transport/ExternalContentClient.ts"
import { RequestClient } from "../../engine/upstreams/transport/RequestClient.ts"
import { EventLoop } from "../../values/json/yieldToEventLoop.ts"
import { OptionalBlobStore } from "../../instance/BlobStore.ts"
import { CurrentBundles } from "../../tenants/auth/bundles/Bundle.ts"
import { BundleGuardrails } from "../../tenants/guardrails/BundleGuardrails.ts"
import { CurrentWorkspaceDefaults } from "../../tenants/workspaces/WorkspaceDefaults.ts"
import { BodyInflater } from "../body/BodyInflater.ts"
import { BufferedBodies } from "../body/BodyReader.ts"

/** What requests look up as they run: the references of an instance, and the services of calls in process. */
const lookedUp: ReadonlySet<string> = new Set(
  [
    BodyInflater,
    BufferedBodies,
    BundleGuardrails,
    Callers,
    ChangeFeed,
    Chats,
    CurrentBundles,
    CurrentWorkspaceDefaults,
    Decisions,
    EventLoop,
    ExternalContentClient,
    InternHostService,
    IsTerminal,
    OptionalBlobStore,
    Presets,
    RequestLogEnabled,
    RoutingRules,
    Settings,
    StorageStatus
  ].map(({ key }) => key)
)

/** What requests look up of an instance, and `others`, for calls in a fiber that has a context of its own. */
export const pickLookedUp = <Services>(
  context: Context.Context<Services>,
  ...others: ReadonlyArray<{ readonly key: string }>
): Context.Context<never> => {
  const keys = new Set([...lookedUp, ...others.map(({ key }) => key)])
  return Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => keys.has(key))))
}

/** The services of calls in process. */
export type RequestServices = Callers | Chats | Decisions | Presets

const ownPrefix = "@signalbox/core/"

/**
 * The context of an instance without the services that were resolved when it was made. Effect copies the context of a
 * request now and then, and a copy of all services allocates more than 10 KiB.
 */
export const toRequestContext = <Services>(
  context: Context.Context<Services>
): Context.Context<RequestServices> => {
  const services = new Map(
    [...context.mapUnsafe].filter(([key]) => !key.startsWith(ownPrefix) || lookedUp.has(key))
  )
  const client = Context.get(context, RequestClient)
  if (client !== undefined) services.set(HttpClient.HttpClient.key, client)
  return Context.makeUnsafe(services)
}
