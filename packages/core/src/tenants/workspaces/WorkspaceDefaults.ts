/** Defaults for all workspaces, set by the host in code. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../../values/Actor.ts"
import type { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import type { Workspace } from "./Workspace.ts"
import { ModelName, SamplingRate, providerSorts } from "./WorkspaceFields.ts"

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
