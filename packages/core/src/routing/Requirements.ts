/** What a request requires, whatever the operation. */
import type { RequestedTier } from "../engine/catalog/endpoint/Tier.ts"
import type { Variant } from "../engine/catalog/model/Variant.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { ServerTool, ToolModel } from "../conversation/serverTools/ServerTool.ts"
import type { ModelSlug } from "../values/ids/ModelSlug.ts"
import type { ServedConditions } from "../values/usage/ServedConditions.ts"

/** A requested model, resolved, with the dynamic suffix of its name. */
export interface RequestedModel {
  readonly id: ModelSlug
  readonly variant?: Variant
}

/** What a request has that only one dialect can say. */
export interface DialectNeed {
  readonly dialect: Dialect
  /** Where the request has it, such as `tools.3`. */
  readonly path: string
}

/** Tools that the provider runs, by the dialect in which the request is sent. */
export type ServerToolsByDialect = Readonly<Partial<Record<Dialect, ReadonlyArray<ServerTool>>>>

/** A model that a tool names, with the models of the catalog that the name may stand for. */
export interface ResolvedToolModel extends ToolModel {
  /** The slugs of each; absent or empty: it stands for none. */
  readonly slugs?: ReadonlyArray<ReadonlyArray<string>>
}

/** Models that tools name, by the dialect in which the request is sent. */
export type ToolModelsByDialect = Readonly<
  Partial<Record<Dialect, ReadonlyArray<ResolvedToolModel>>>
>

/** Fields that only endpoints with one dialect are sent. */
export interface NativeFields {
  readonly dialect: Dialect
  readonly names: ReadonlyArray<string>
}

/** What a request requires of an endpoint. */
export interface Requirements {
  /** Parameters of the request, which `require_parameters` makes mandatory. */
  readonly parameters: ReadonlyArray<string>
  /** Parameters of the request that no endpoint is sent; absent: none. */
  readonly ignoredParameters?: ReadonlyArray<string>
  /** Those of `parameters` that change what an answer is: endpoints known not to support one are left out. Absent: none. */
  readonly mandatoryParameters?: ReadonlyArray<string>
  /** Those of `parameters` for which endpoints of a model that support them are preferred. */
  readonly preferredParameters?: ReadonlyArray<string>
  /** The requested service tier: its endpoints are admitted and come first. */
  readonly tier?: RequestedTier
  /** What of the request may have a price of its own; absent: nothing. */
  readonly conditions?: ServedConditions
  /** The estimated length of the prompt in tokens. */
  readonly inputTokens: number
  /** The maximum length of the answer in tokens; 0: unknown or negligible. */
  readonly outputTokens: number
  /** The expected length of the answer in tokens, for ranking; absent: `outputTokens`. */
  readonly expectedOutputTokens?: number
  /**
   * Whose reasoning the prompt holds, such as `anthropic`; `unknown` for reasoning that names no provider. Absent: nobody's.
   */
  readonly reasoningFamilies?: ReadonlyArray<string>
  /** Whose signature the last answer of the prompt carries: its endpoints come first. Absent: nobody's. */
  readonly signedBy?: string
  /** What only providers with one dialect can serve; absent: nothing. */
  readonly dialect?: DialectNeed
  /** Where the request has the beginning of the answer, such as `messages.4`; absent: it ends with the user, or a result. */
  readonly prefillAt?: string
  /** What other endpoints than those with one dialect are not sent; absent: nothing. */
  readonly nativeFields?: NativeFields
  /** What lets providers with one dialect answer with a model of their own choice; absent: nothing. */
  readonly modelChoice?: DialectNeed
  /** Tools that the provider runs; absent: none. */
  readonly serverTools?: ServerToolsByDialect
  /** Models that tools name, which restrictions of models hold for; absent: none. */
  readonly toolModels?: ToolModelsByDialect
  /** The number of images in the prompt; absent: none. */
  readonly images?: number
}
