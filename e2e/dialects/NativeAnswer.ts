/** What a provider answers, in the words of its own API or in none. */
export type Json = Readonly<Record<string, unknown>>

/** An event without a name has only a `data:` line; a text is sent unchanged. */
export interface NativeEvent {
  readonly event?: string
  readonly data: Json | string
}

export interface NativeAnswer {
  /** Absent where the API cannot say it in one answer. */
  readonly whole?: Json
  readonly events?: ReadonlyArray<NativeEvent>
}

/** One thing after the other that a model says; pieces are the deltas of a stream. */
export type Saying =
  | { readonly text: ReadonlyArray<string> }
  | { readonly thought: string; readonly signature?: string }
  | {
      readonly call: {
        readonly id: string
        readonly name: string
        readonly arguments: ReadonlyArray<string>
      }
    }

/**
 * Counts as OpenAI does: the prompt includes tokens that the cache read and wrote, the completion includes the
 * reasoning.
 */
export interface NativeUsage {
  readonly prompt: number
  readonly cached: number
  readonly cacheWritten: number
  readonly completion: number
  readonly reasoning: number
}

export interface SpokenAnswer {
  readonly said: ReadonlyArray<Saying>
  readonly end?: "stop" | "tool_calls" | "length" | "content_filter"
  /** Null: the provider does not count. */
  readonly usage?: NativeUsage | null
}

/** Gemini has no tokens that are written to a cache. */
export const nativeUsage: NativeUsage = {
  prompt: 20,
  cached: 8,
  cacheWritten: 0,
  completion: 9,
  reasoning: 2
}

export const model = "acme-native"

export type Call = Extract<Saying, { readonly call: unknown }>["call"]

export const listCalls = ({ said }: SpokenAnswer): ReadonlyArray<Call> =>
  said.flatMap((each) => ("call" in each ? [each.call] : []))

export const listTexts = ({ said }: SpokenAnswer): ReadonlyArray<string> =>
  said.flatMap((each) => ("text" in each ? [each.text.join("")] : []))

export const findEnd = (answer: SpokenAnswer): NonNullable<SpokenAnswer["end"]> =>
  answer.end ?? (listCalls(answer).length > 0 ? "tool_calls" : "stop")

export const getUsage = ({ usage = nativeUsage }: SpokenAnswer): NativeUsage | null => usage

/** Undefined for arguments that were cut. */
export const toInput = (pieces: ReadonlyArray<string>): unknown => {
  const text = pieces.join("")
  try {
    return text === "" ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}
