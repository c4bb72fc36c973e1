/** What prompts, answers and their parts say under `signalbox` in Effect's AI services. */
import type * as Schema from "effect/Schema"
import type {
  CacheOptions,
  ReasoningMetadata,
  SignatureMetadata,
  TextMetadata
} from "../dialects/parts/partMetadata.ts"

/** Which endpoint serves, as soon as its first piece has arrived. */
export type ServingMetadata = {
  readonly generationId: string
  /** The catalog id of the model. */
  readonly model: string
  /** The display name of the provider. */
  readonly provider: string
}

/** How a call was served, and what it cost. */
export type CallMetadata = ServingMetadata & {
  /** USD, of all attempts; absent: a price is unknown. */
  readonly cost?: number
  /** Whether it ran on the account's own credential, which the provider bills. */
  readonly isByok?: boolean
  /** USD that providers charge the account for its own credentials. */
  readonly upstreamCost?: number
  /** The attempts, and why endpoints were demoted or rejected: the `service_metadata` of the HTTP API. */
  readonly routing?: Schema.JsonObject
}

/** How a Decision was made. */
export type DecisionMetadata = CallMetadata & {
  /**
   * By the name of each decision that has one: the options among which the right one lies with the `coverage` that
   * `calibration` of the settings asks for.
   */
  readonly predictionSets?: Schema.JsonObject
}

/** How an answer ended. */
export type FinishMetadata = CallMetadata & {
  /** The finish reason in the words of the provider. */
  readonly nativeFinishReason?: string
  readonly systemFingerprint?: string
  readonly serviceTier?: string
}

declare module "effect/ai/Prompt" {
  interface SystemMessageOptions extends ProviderOptions {
    readonly signalbox?: CacheOptions | null
  }
  interface TextPartOptions extends ProviderOptions {
    readonly signalbox?: (CacheOptions & TextMetadata) | null
  }
  interface FilePartOptions extends ProviderOptions {
    readonly signalbox?: CacheOptions | null
  }
  interface ReasoningPartOptions extends ProviderOptions {
    readonly signalbox?: ReasoningMetadata | null
  }
  interface ToolCallPartOptions extends ProviderOptions {
    readonly signalbox?: (CacheOptions & SignatureMetadata) | null
  }
  interface ToolResultPartOptions extends ProviderOptions {
    readonly signalbox?: CacheOptions | null
  }
}

declare module "effect/ai/Response" {
  interface TextPartMetadata extends ProviderMetadata {
    readonly signalbox?: TextMetadata | null
  }
  interface TextEndPartMetadata extends ProviderMetadata {
    readonly signalbox?: TextMetadata | null
  }
  interface ReasoningPartMetadata extends ProviderMetadata {
    readonly signalbox?: ReasoningMetadata | null
  }
  interface ReasoningStartPartMetadata extends ProviderMetadata {
    readonly signalbox?: ReasoningMetadata | null
  }
  interface ReasoningEndPartMetadata extends ProviderMetadata {
    readonly signalbox?: ReasoningMetadata | null
  }
  interface ToolCallPartMetadata extends ProviderMetadata {
    readonly signalbox?: SignatureMetadata | null
  }
  interface ResponseMetadataPartMetadata extends ProviderMetadata {
    readonly signalbox?: ServingMetadata | null
  }
  interface FinishPartMetadata extends ProviderMetadata {
    readonly signalbox?: FinishMetadata | null
  }
}

declare module "effect/ai/DecisionModel" {
  interface DecideResponseMetadata {
    readonly signalbox?: DecisionMetadata | null
  }
}
