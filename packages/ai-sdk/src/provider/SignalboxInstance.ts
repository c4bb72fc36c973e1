/** What the provider needs of an instance. */
import type { CallerConfig, Signalbox } from "@signalbox/core"

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
