/** What a request requires, for all operations. */
import type { Endpoint } from "../engine/catalog/endpoint/Endpoint.ts"
import type { RequestedTier } from "../engine/catalog/endpoint/Tier.ts"
import type { Router } from "../engine/catalog/model/Model.ts"
import type { Variant } from "../engine/catalog/model/Variant.ts"
import type { PromptMedium } from "../engine/upstreams/ChatFacts.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { ServerTool, ToolModel } from "../conversation/serverTools/ServerTool.ts"
import type { ModelSlug } from "../values/ids/Ids.ts"
import type { AudioFormat } from "../values/audio/AudioFormat.ts"
import type { ServedConditions } from "../values/usage/ModelUsage.ts"

/** A requested model, resolved, with the dynamic suffix of its name. */
export interface RequestedModel {
  readonly id: ModelSlug
  readonly variant?: Variant
  /** What it stands for; absent: it is a model itself. */
  readonly router?: Router
}

/** Whether an endpoint may answer for a requested model. */
export const admits = (
  { id, router }: RequestedModel,
  { endpoint }: { readonly endpoint: Pick<Endpoint, "id" | "model"> }
): boolean => (router === undefined ? endpoint.model === id : router.endpoints.has(endpoint.id))

/** A feature of a request that only one dialect has. */
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
  /**
   * The subset of `parameters` that changes the meaning of an answer: endpoints known not to support one are left out.
   * Absent: none.
   */
  readonly mandatoryParameters?: ReadonlyArray<string>
  /**
   * The subset of `parameters` that decides between endpoints of a model: endpoints that support them are preferred.
   */
  readonly preferredParameters?: ReadonlyArray<string>
  /** The requested service tier: its endpoints are admitted and come first. */
  readonly tier?: RequestedTier
  /** Conditions of the request that may have a price of their own; absent: none. */
  readonly conditions?: ServedConditions
  /** The estimated length of the prompt in tokens. */
  readonly inputTokens: number
  /**
   * Whether messages may be left out where an endpoint has no room for all: `asked` for any endpoint whose context length is
   * known, `default` for those with a small one. Absent: none may.
   */
  readonly compression?: "asked" | "default"
  /** The fields that ask for it, which have no effect where the context length is unknown; absent: none do. */
  readonly compressionFields?: ReadonlyArray<string>
  /** The maximum length of the answer in tokens; 0: unknown or negligible. */
  readonly outputTokens: number
  /** The expected length of the answer in tokens, for ranking; absent: `outputTokens`. */
  readonly expectedOutputTokens?: number
  /**
   * The families whose reasoning the prompt holds, such as `anthropic`; `unknown` for reasoning that names no provider.
   * Absent: the prompt holds no reasoning.
   */
  readonly reasoningFamilies?: ReadonlyArray<string>
  /**
   * The family that signed the last answer of the prompt; its endpoints come first. Absent: the last answer has no
   * signature.
   */
  readonly signedBy?: string
  /** A feature that only providers with one dialect can serve; absent: none. */
  readonly dialect?: DialectNeed
  /**
   * The path of the beginning of the answer in the request, such as `messages.4`; absent: the request ends with the
   * user, or a result.
   */
  readonly prefillAt?: string
  /** Fields that only endpoints with one dialect are sent; absent: none. */
  readonly nativeFields?: NativeFields
  /** A feature that lets providers with one dialect answer with a model of their own choice; absent: none. */
  readonly modelChoice?: DialectNeed
  /** Tools that the provider runs; absent: none. */
  readonly serverTools?: ServerToolsByDialect
  /** Models that tools name, which restrictions of models hold for; absent: none. */
  readonly toolModels?: ToolModelsByDialect
  /** The media in the prompt, each once; absent: none. */
  readonly inputs?: ReadonlyArray<PromptMedium["type"]>
  /** Characters of text to speak; absent: none. */
  readonly characters?: number
  /** What speech must be; absent: the request is for none. */
  readonly speech?: { readonly format: AudioFormat; readonly clonesVoice: boolean }
  /** The length of audio to transcribe in milliseconds; absent: none. */
  readonly audioMillis?: number
  /** The number of images in the prompt; absent: none. */
  readonly images?: number
}
