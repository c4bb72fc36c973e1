/** A client library of a chat API, as the tests of every client use it. */
import type { Signalbox } from "@signalbox/core"
import type * as z from "zod"

/** Where a client is pointed, and what it asks for. */
export interface Asking {
  /** The URL of the mount; `{root}/api/v1` is the base address. */
  readonly root: string
  /** The instance behind the root, for clients in its process. */
  readonly instance: Signalbox
  readonly apiKey: string
  readonly model: string
  readonly prompt: string
  readonly signal?: AbortSignal
  /** The functions that the model may call; the client calls them until the model answers. */
  readonly tools?: ReadonlyArray<ClientTool>
}

export interface ClientTool {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodObject
  readonly run: (input: unknown) => string
}

/** An answer as a client returns it; the tokens are those of its last request. */
export interface ClientReply {
  readonly text: string
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

export interface ChatClient {
  readonly name: string
  /** Whether it calls the instance without HTTP, and so without a key. */
  readonly isInProcess?: boolean
  /** Whether reasoning that the provider signed comes back with the results of tools. */
  readonly returnsReasoning: boolean
  /** Whether the library always asks for a stream. */
  readonly onlyStreams?: boolean
  /** How the library writes the results of tools; absent: as they are. */
  readonly encodeResult?: (result: string) => string
  readonly ask: (asking: Asking) => Promise<ClientReply>
  /** Calls `onText` for each piece of text. */
  readonly stream: (asking: Asking, onText: (text: string) => void) => Promise<ClientReply>
  /** The tool that the library has the model call for an object; absent: it asks for a format. */
  readonly extractTool?: string
  /**
   * Whether the library counts the prompt by the beginning of a stream, where it is an estimate: not every provider
   * counts it before the end.
   */
  readonly readsInputTokensAtStart?: boolean
  /** Asks for an object of this shape, by what the library calls structured output. */
  readonly extract?: (asking: Asking, schema: z.ZodObject) => Promise<unknown>
  /** Whether it is the error of the library for a response with this status. */
  readonly isStatusError: (error: unknown, status: number) => boolean
  /** Whether the library overlooks the error in the last event of a stream, and ends it as if it were complete. */
  readonly overlooksStreamErrors?: boolean
  /** Whether it is the error of the library for a stream that fails. */
  readonly isStreamError: (error: unknown) => boolean
}
