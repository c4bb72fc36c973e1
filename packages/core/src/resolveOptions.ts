/** What single options come to: services of the host, checked values, and layers. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { Catalog } from "./engine/catalog/Catalog.ts"
import { makeInProcessHost } from "./domains/interns/host/InProcessHost.ts"
import { type InternHost, InternHostService } from "./domains/interns/host/InternHost.ts"
import { RequestLogEnabled } from "./engine/observability/logging/RequestFacts.ts"
import type { InternOptions, Options } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import { isObject } from "./values/json/guards.ts"
import * as Settings from "./instance/Settings.ts"
import { Upstream } from "./engine/upstreams/Upstream.ts"
import { type FieldNames, checkFieldNames } from "./values/validation/checkFieldNames.ts"
import { parseCallbackUrl } from "./engine/outbound/parseCallbackUrl.ts"
import { importNamed, loadLayer } from "./values/layerOnDemand.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"
import { BlobStore } from "./instance/BlobStore.ts"
import { WorkspaceDefaults } from "./tenants/workspaces/WorkspaceDefaults.ts"
import { decodeOption } from "./decodeOption.ts"

export const layerRequestLog = Layer.merge(
  Layer.succeed(RequestLogEnabled, true),
  loadLayer(
    importNamed(() => import("./engine/observability/logging/lineLogger.ts"), "layerLineLogger")
  )
)

export const layerCatalog = ({ lastGood, models, overlay, prices, upstreams }: Options) =>
  Layer.unwrap(
    Effect.map(
      Effect.forEach(upstreams, (upstream, index) =>
        buildPluggable(`upstreams.${index}`, Upstream, upstream)
      ),
      (built) =>
        Catalog.layer({
          upstreams: built,
          models,
          ...(overlay === undefined ? undefined : { overlay }),
          ...(lastGood === undefined ? undefined : { lastGood }),
          ...(prices === undefined ? undefined : { prices })
        })
    )
  )

export const layerPkce = (pkce: Options["pkce"]) =>
  Layer.unwrap(
    Effect.promise(async () => {
      // Most hosts sign no applications in.
      const { CurrentPkce, PkceFields } = await import("./domains/pkce/PkceOptions.ts")
      const { allowPlain, callbackUrls } = decodeOption("pkce", PkceFields, pkce)
      return Layer.succeed(CurrentPkce, {
        callbackUrls,
        ...(allowPlain === undefined ? undefined : { allowPlain })
      })
    })
  )

/** A configured broadcast is enabled by default. */
export const resolveWorkspaceDefaults = ({
  broadcast = [],
  ioLog,
  sealing,
  workspaceDefaults
}: Options) =>
  Effect.map(Settings.Settings, (settings) => {
    const decoded = decodeOption("workspaceDefaults", WorkspaceDefaults, workspaceDefaults ?? {})
    const url =
      decoded.callbackUrl === undefined
        ? undefined
        : Result.getOrThrowWith(
            parseCallbackUrl(decoded.callbackUrl, settings),
            (problem) => new RangeError(`workspaceDefaults.callbackUrl ${problem}`)
          )
    if (decoded.keepContent === true && sealing === undefined) {
      throw new RangeError(
        "workspaceDefaults.keepContent: there is no key to seal content with; set the option `sealing`"
      )
    }
    return {
      isObservabilityBroadcastEnabled: broadcast.length > 0,
      keepsLoggedContent: sealing !== undefined && ioLog === undefined,
      ...decoded,
      ...(url === undefined ? undefined : { callbackUrl: url })
    }
  })

export const resolveBlobStore = ({ videoFiles }: Options) =>
  videoFiles === undefined ? Effect.undefined : buildPluggable("videoFiles", BlobStore, videoFiles)

const internFields: FieldNames<InternOptions> = { domain: true, host: true, eligibility: true }

export const resolveInternHost = Effect.fnUntraced(function* (
  options: InternOptions = {}
): Effect.fn.Return<InternHost, OptionFailed, Platform | Scope.Scope> {
  checkFieldNames(options, "field of interns", internFields, "interns: ")
  const { domain, host } = options
  if (host !== undefined && domain !== undefined) {
    throw new RangeError(
      "interns.domain configures the built-in host; leave out interns.domain or interns.host"
    )
  }
  if (domain !== undefined && typeof domain !== "string") {
    throw new RangeError("interns.domain must be a string such as interns.example.com")
  }
  if (host === undefined) return makeInProcessHost(domain === undefined ? {} : { domain })
  const built = yield* buildPluggable("interns.host", InternHostService, host)
  if (!isObject(built)) {
    throw new RangeError("interns.host must be an intern host such as inProcessHost({ domain })")
  }
  return built
})
