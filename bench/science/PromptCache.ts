/** The prompt cache of one provider, in blocks of tokens. */
import type { TracedChat } from "./readTrace.ts"

const blockTokens = 512
/** Providers cache no shorter prefixes. */
const leastTokens = 1_024

/** Keeps a block for so long after its last use. */
export class PromptCache {
  readonly #lastUsed = new Map<number, number>()
  readonly #keptMillis: number

  constructor(keptMillis: number) {
    this.#keptMillis = keptMillis
  }

  /** Serves a prompt: how many of its tokens are in the cache, which then has all of them. */
  serve({ at, blocks, promptTokens }: TracedChat): number {
    let cached = 0
    while (cached < blocks.length && this.#has(blocks[cached]!, at)) cached++
    for (const block of blocks) this.#lastUsed.set(block, at)
    const tokens = Math.min(cached * blockTokens, promptTokens)
    return tokens < leastTokens ? 0 : tokens
  }

  #has(block: number, at: number): boolean {
    const usedAt = this.#lastUsed.get(block)
    return usedAt !== undefined && at - usedAt <= this.#keptMillis
  }
}
