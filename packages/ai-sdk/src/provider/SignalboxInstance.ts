/** What the provider needs of an instance. */
import type { SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { CallerConfig, Signalbox } from "@signalbox/core"
import { RouteLog } from "./callMetadata.ts"
import { CallWarnings } from "./CallWarnings.ts"
import { readOptions } from "./readOptions.ts"

/** A Signalbox instance, made by any of the packages. */
export type SignalboxInstance = Pick<
  Signalbox,
  | "answer"
  | "decide"
  | "embed"
  | "generateImages"
  | "rerank"
  | "speak"
  | "streamAnswer"
  | "transcribe"
>

/** What all models of a provider share. */
export interface ModelContext {
  readonly instance: SignalboxInstance
  /** The caller of calls that name none. */
  readonly caller: CallerConfig | undefined
}

/** What `provider` of the models says. */
export const providerName = "signalbox"

type CallOptions = NonNullable<Parameters<SignalboxInstance["embed"]>[1]>

/** The options of a call in process. */
export const toCallOptions = (
  { caller: ofProvider }: ModelContext,
  caller: CallerConfig | undefined,
  signal: AbortSignal | undefined,
  onRoute: NonNullable<CallOptions["onRoute"]>
): CallOptions => {
  const named = caller ?? ofProvider
  return {
    onRoute,
    ...(named === undefined ? undefined : { caller: named }),
    ...(signal === undefined ? undefined : { signal })
  }
}

/** What the calls of all models have. */
interface ModelCall {
  readonly abortSignal?: AbortSignal | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly providerOptions?: SharedV4ProviderOptions | undefined
}

interface BegunCall {
  readonly callOptions: CallOptions
  /** Those of the request. */
  readonly options: ReturnType<typeof readOptions>
  readonly route: RouteLog
  readonly warnings: CallWarnings
}

/** Begins a call of a model with one answer; `names` are the options that it has. */
export const beginCall = (
  context: ModelContext,
  { abortSignal, headers, providerOptions }: ModelCall,
  names: Readonly<Record<string, true>>
): BegunCall => {
  const { caller, ...options } = readOptions(providerOptions, names)
  const warnings = new CallWarnings()
  warnings.checkHeaders(headers)
  const route = new RouteLog()
  const callOptions = toCallOptions(
    context,
    // Signalbox checks it, as it does with all options.
    caller as CallerConfig | undefined,
    abortSignal,
    route.onRoute
  )
  return { callOptions, options, route, warnings }
}
