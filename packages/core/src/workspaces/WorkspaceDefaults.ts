/** What holds in workspaces that state nothing else, as a host says it in code. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import { ModelName, SamplingRate, providerSorts, type Workspace } from "./Workspace.ts"

/** Each field has the name of the workspace field that it stands in for. */
export const WorkspaceDefaults = Schema.Struct({
  /** The model of chats and interns that name none. */
  defaultTextModel: Schema.optionalKey(ModelName),
  /** Stored for clients that read it; nothing here makes images yet. */
  defaultImageModel: Schema.optionalKey(ModelName),
  /** The `sort` of requests that state none. */
  defaultProviderSort: Schema.optionalKey(Schema.Literals(providerSorts)),
  /** Where events of jobs go that name no address: https, and the name of a public host. */
  callbackUrl: Schema.optionalKey(Schema.NonEmptyString),
  /** Whether generations are told to `Options.broadcast`; default: true when there are functions in it. */
  isObservabilityBroadcastEnabled: Schema.optionalKey(Schema.Boolean),
  /** Whether content goes to `Options.ioLog`; default: false. */
  isObservabilityIoLoggingEnabled: Schema.optionalKey(Schema.Boolean),
  /** The share of requests that is logged with its content, 0.0001 to 1; default: 1. */
  ioLoggingSamplingRate: Schema.optionalKey(SamplingRate)
})
export type WorkspaceDefaults = typeof WorkspaceDefaults.Type

/** Default: nothing is stated. */
export const CurrentWorkspaceDefaults: Context.Reference<WorkspaceDefaults> =
  Context.Reference<WorkspaceDefaults>("@signalbox/core/workspaces/WorkspaceDefaults", {
    defaultValue: () => ({})
  })

type DefaultedField =
  | "io_logging_sampling_rate"
  | "is_observability_broadcast_enabled"
  | "is_observability_io_logging_enabled"

/** A workspace as it holds: nothing is left open that requests are treated by. */
export type EffectiveWorkspace = Workspace & {
  readonly [Name in DefaultedField]: NonNullable<Workspace[Name]>
}

export const applyDefaults = (
  workspace: Workspace,
  defaults: WorkspaceDefaults
): EffectiveWorkspace => ({
  ...workspace,
  default_text_model: findTextModel(workspace, defaults) ?? null,
  default_image_model: workspace.default_image_model ?? defaults.defaultImageModel ?? null,
  default_provider_sort: workspace.default_provider_sort ?? defaults.defaultProviderSort ?? null,
  io_logging_sampling_rate:
    workspace.io_logging_sampling_rate ?? defaults.ioLoggingSamplingRate ?? 1,
  is_observability_broadcast_enabled:
    workspace.is_observability_broadcast_enabled ??
    defaults.isObservabilityBroadcastEnabled ??
    false,
  is_observability_io_logging_enabled:
    workspace.is_observability_io_logging_enabled ??
    defaults.isObservabilityIoLoggingEnabled ??
    false
})

/** The model of requests and interns that name none; undefined: there is none. */
export const findTextModel = (
  workspace: Pick<Workspace, "default_text_model"> | undefined,
  { defaultTextModel }: WorkspaceDefaults
): string | undefined => {
  const ownModel = workspace?.default_text_model ?? ""
  return ownModel === "" ? defaultTextModel : ownModel
}
