/** A stream of the AI SDK from its request to its end, which can be closed at any time. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart
} from "@ai-sdk/provider"

export class OpenStream {
  readonly #controller = new AbortController()
  #parts: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined

  /** Can be called once. */
  async open(
    model: LanguageModelV4,
    options: LanguageModelV4CallOptions
  ): Promise<ReadableStreamDefaultReader<LanguageModelV4StreamPart>> {
    const { signal } = this.#controller
    const { stream } = await model.doStream({ ...options, abortSignal: signal })
    this.#parts = stream.getReader()
    // Closed meanwhile, by a signal that the model did not heed.
    if (signal.aborted) this.close()
    return this.#parts
  }

  /** Aborts the request and discards the rest. */
  close(): void {
    this.#controller.abort()
    // A stream that has failed rejects.
    this.#parts?.cancel().catch(() => undefined)
  }
}
