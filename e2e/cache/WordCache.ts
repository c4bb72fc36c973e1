/** A semantic cache for tests: prompts ask the same when they have the same words, in any order and case. */
import type { AnsweredPrompt, SemanticCache, SemanticPrompt } from "@signalbox/core/adapter"
import { isSelected } from "@signalbox/core/stores"

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .match(/\p{L}+/gu)
    ?.toSorted()
    .join(" ") ?? ""

export class WordCache implements SemanticCache {
  readonly prompts = new Map<string, AnsweredPrompt>()
  /** What was looked up, in order. */
  readonly lookups: Array<SemanticPrompt> = []

  async find(prompt: SemanticPrompt): Promise<string | undefined> {
    this.lookups.push(prompt)
    const { partition, text } = prompt
    return Array.from(this.prompts.values()).find(
      (each) => each.partition === partition && toWords(each.text) === toWords(text)
    )?.key
  }

  add(prompt: AnsweredPrompt): void {
    this.prompts.set(prompt.key, prompt)
  }

  removeAll(filter: Parameters<SemanticCache["removeAll"]>[0]): void {
    for (const { key, owner } of this.prompts.values()) {
      if (isSelected(owner, filter)) this.prompts.delete(key)
    }
  }
}
