/** Defaults for all workspaces, set by the host in code. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import {
  type ContentSelection,
  type ObservabilityPreference,
  ObservabilityPreferences
} from "../../engine/observability/broadcast/ObservabilityPreferences.ts"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { defaultWorkspaceId } from "../../values/ids/Ids.ts"
import * as Step from "../../values/Step.ts"
import { makeDefault, type Workspace } from "./Workspace.ts"
import { ModelName, SamplingRate, providerSorts } from "./WorkspaceFields.ts"
import { WorkspaceStore } from "./WorkspaceStore.ts"

/** Each field is the default of the workspace field with the same name. */
export const WorkspaceDefaults = Schema.Struct({
  /** The model of chats and interns without one. */
  defaultTextModel: Schema.optionalKey(ModelName),
  /** Stored for clients; images are not supported yet. */
  defaultImageModel: Schema.optionalKey(ModelName),
  /** The `sort` of requests without one. */
  defaultProviderSort: Schema.optionalKey(Schema.Literals(providerSorts)),
  /** The URL for events without their own: https, with a public host name. */
  callbackUrl: Schema.optionalKey(Schema.NonEmptyString),
  /** Whether generations are sent to `Options.broadcast`; default: true when it is not empty. */
  isObservabilityBroadcastEnabled: Schema.optionalKey(Schema.Boolean),
  /** Whether content is sent to `Options.ioLog`; default: false. */
  isObservabilityIoLoggingEnabled: Schema.optionalKey(Schema.Boolean),
  /** Whether prompts and answers are kept; needs `Options.sealing`. Default: false. */
  keepContent: Schema.optionalKey(Schema.Boolean),
  /** The share of requests logged or kept with content, 0.0001 to 1; default: 1. */
  ioLoggingSamplingRate: Schema.optionalKey(SamplingRate)
})
export type WorkspaceDefaults = typeof WorkspaceDefaults.Type

/** The defaults of the host, and what follows from its other options. */
interface ResolvedWorkspaceDefaults extends WorkspaceDefaults {
  /**
   * Whether workspaces that log inputs and outputs keep them, unless they say otherwise, because the host can seal them and
   * has no log of its own to receive them. Absent: false.
   */
  readonly keepsLoggedContent?: boolean
}

/** Default: no defaults. */
export const CurrentWorkspaceDefaults: Context.Reference<ResolvedWorkspaceDefaults> =
  Context.Reference<ResolvedWorkspaceDefaults>(
    "@signalbox/core/tenants/workspaces/CurrentWorkspaceDefaults",
    {
      defaultValue: () => ({})
    }
  )

type DefaultedField =
  | "io_logging_sampling_rate"
  | "is_observability_broadcast_enabled"
  | "keep_content"
  | "is_observability_io_logging_enabled"

/** A workspace with the defaults filled in. */
export type EffectiveWorkspace = Workspace & {
  readonly [Name in DefaultedField]: NonNullable<Workspace[Name]>
}

/** Finds a workspace by id or slug. */
export type FindWorkspace = (
  actor: Actor,
  ref: string
) => Effect.Effect<EffectiveWorkspace, ResourceNotFound>

export const applyDefaults = (
  workspace: Workspace,
  defaults: ResolvedWorkspaceDefaults
): EffectiveWorkspace => ({
  ...workspace,
  default_text_model: findTextModel(workspace, defaults) ?? null,
  default_image_model: workspace.default_image_model ?? defaults.defaultImageModel ?? null,
  default_provider_sort: workspace.default_provider_sort ?? defaults.defaultProviderSort ?? null,
  io_logging_sampling_rate:
    workspace.io_logging_sampling_rate ?? defaults.ioLoggingSamplingRate ?? 1,
  keep_content:
    workspace.keep_content ??
    defaults.keepContent ??
    (defaults.keepsLoggedContent === true && isLogged(workspace, defaults)),
  is_observability_broadcast_enabled:
    workspace.is_observability_broadcast_enabled ??
    defaults.isObservabilityBroadcastEnabled ??
    false,
  is_observability_io_logging_enabled: isLogged(workspace, defaults)
})

const isLogged = (workspace: Workspace, defaults: WorkspaceDefaults): boolean =>
  workspace.is_observability_io_logging_enabled ?? defaults.isObservabilityIoLoggingEnabled ?? false

/** The model of requests and interns that name none; undefined when no default is set. */
export const findTextModel = (
  workspace: Pick<Workspace, "default_text_model"> | undefined,
  { defaultTextModel }: WorkspaceDefaults
): string | undefined => {
  const ownModel = workspace?.default_text_model ?? ""
  return ownModel === "" ? defaultTextModel : ownModel
}

/** The observability preferences of workspaces, with the defaults of the host. */
export const layerObservabilityPreferences: Layer.Layer<
  ObservabilityPreferences,
  never,
  WorkspaceStore
> = Layer.effect(
  ObservabilityPreferences,
  Effect.gen(function* () {
    const store = yield* WorkspaceStore
    const defaults = yield* CurrentWorkspaceDefaults
    // The default workspace is stored at its first use.
    const defaultWorkspace = makeDefault(DateTime.formatIso(yield* DateTime.now))
    // Memoized, because every request asks for those of its workspace.
    const getPreferences = memoize((workspace: Workspace) =>
      toPreferences(applyDefaults(workspace, defaults))
    )
    return {
      get: (account, workspace) =>
        Step.map(store.findById(account, workspace), (found) => {
          const known = found ?? (workspace === defaultWorkspaceId ? defaultWorkspace : undefined)
          return known === undefined ? noPreferences : getPreferences(known)
        })
    }
  })
)

/** For a deleted workspace. */
const noPreferences: ObservabilityPreference = { broadcast: false }

const toPreferences = (workspace: EffectiveWorkspace): ObservabilityPreference => ({
  broadcast: workspace.is_observability_broadcast_enabled,
  ...(workspace.is_observability_io_logging_enabled ? { io: toSelection(workspace) } : undefined),
  ...(workspace.keep_content ? { kept: toSelection(workspace) } : undefined)
})

const toSelection = (workspace: EffectiveWorkspace): ContentSelection => ({
  rate: workspace.io_logging_sampling_rate,
  keys: workspace.io_logging_api_key_ids
})
